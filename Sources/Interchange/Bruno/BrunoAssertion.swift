import NetworkLayer
import RequestCollections

/// A row of `assert`, such as `res.body.id: gt 3`, or of `vars:post-response`, as the script that says the same: what scripts say of a
/// response is understood already.
enum BrunoAssertion {
    /// - Returns: `nil` for an operator that there isn't.
    static func script(_ row: BrunoFile.Row) -> String? {
        let (word, rest) = row.value.split(at: " ")
        let operand = (rest ?? "").trimmingSpace
        let subject = expression(row.name)
        func claim(_ words: String, _ argument: String? = nil) -> String {
            "expect(\(subject)).to.\(words)" + (argument.map { "(\($0))" } ?? "")
        }
        func pattern(_ text: String) -> String { "/\(text.replacing(scalars: "/", with: "\\/"))/" }
        switch word {
        case "eq": return claim("equal", literal(operand))
        case "neq": return claim("not.equal", literal(operand))
        case "gt": return claim("be.above", literal(operand))
        case "gte": return claim("be.at.least", literal(operand))
        case "lt": return claim("be.below", literal(operand))
        case "lte": return claim("be.at.most", literal(operand))
        case "contains": return claim("include", literal(operand))
        case "notContains": return claim("not.include", literal(operand))
        case "length": return claim("have.lengthOf", literal(operand))
        case "matches": return claim("match", pattern(operand))
        case "notMatches": return claim("not.match", pattern(operand))
        case "startsWith": return claim("match", pattern("^" + escaped(operand)))
        case "endsWith": return claim("match", pattern(escaped(operand) + "$"))
        case "in": return claim("be.oneOf", list(operand))
        case "notIn": return claim("not.be.oneOf", list(operand))
        case "between":
            let ends = operand.split(separator: ",").map(\.trimmingSpace)
            return ends.count == 2 ? claim("be.within", "\(literal(ends[0])), \(literal(ends[1]))") : nil
        case "isEmpty": return claim("be.empty")
        case "isNotEmpty": return claim("not.be.empty")
        case "isNull": return claim("be.null")
        case "isUndefined": return claim("be.undefined")
        case "isDefined": return claim("not.be.undefined")
        case "isTruthy": return claim("be.ok")
        case "isNumber": return claim("be.a", "'number'")
        case "isString": return claim("be.a", "'string'")
        case "isBoolean": return claim("be.a", "'boolean'")
        case "isArray": return claim("be.an", "'array'")
        case "isFalsy", "isJson": return nil
        default: return claim("equal", literal(row.value))
        }
    }

    static func capture(_ row: BrunoFile.Row) -> String {
        let name = row.name.hasPrefix("@") ? String(row.name.dropFirst()) : row.name
        return "bru.setVar(\(JSONText.quoted(name)), \(expression(row.value)))"
    }

    /// Older files have `$res`.
    private static func expression(_ text: String) -> String { text.hasPrefix("$res") ? String(text.dropFirst()) : text }

    private static func list(_ text: String) -> String {
        let inside = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        return "[" + inside.split(separator: ",").map { literal($0.trimmingSpace) }.joined(separator: ", ") + "]"
    }

    private static func literal(_ text: String) -> String {
        if ["true", "false", "null", "undefined"].contains(text) { return text }
        if text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil { return text }
        if let match = text.wholeMatch(of: /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/) {
            return "bru.getVar(\(JSONText.quoted(String(match.1))))"
        }
        let isQuoted = text.count > 1 && ["\"", "'"].contains { text.hasPrefix($0) && text.hasSuffix($0) }
        return JSONText.quoted(isQuoted ? String(text.dropFirst().dropLast()) : text)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "\\^$.|?*+()[]{}".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
