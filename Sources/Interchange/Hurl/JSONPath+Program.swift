import NetworkLayer

/// JSONPath (RFC 9535) in jq's language.
enum JSONPath {
    /// `.data.items[0]` for `$.data.items[0]`; what finds several values gives each. `nil` for what isn't understood.
    static func filter(_ path: String) -> String? {
        var reader = JSONPathReader(path)
        return reader.rest.popFirst() == "$" && reader.readSteps() && reader.rest.isEmpty ? reader.filter : nil
    }

    ///
    /// - Returns: also whether it may find any number of values; then the filter gives the list of them, a single one as it is, and of none
    ///   nothing, as Hurl has it. `nil` for what isn't understood.
    static func program(_ path: String) -> (filter: String, isList: Bool)? {
        var reader = JSONPathReader(path.trimmingSpace)
        guard reader.rest.popFirst() == "$", reader.readSteps(), reader.rest.isEmpty else { return nil }
        guard reader.isList else { return (reader.filter, false) }
        return ("[\(reader.filter)] | if length == 0 then empty elif length == 1 then .[0] else . end", true)
    }
}

private struct JSONPathReader {
    var rest: Substring
    private var text = ""
    private(set) var isList = false
    /// What was read last ends with a filter of its own.
    private var needsPipe = false

    init(_ text: some StringProtocol) { rest = Substring(text) }

    var filter: String { text.isEmpty ? "." : text }

    /// Reads all remaining steps.
    mutating func readSteps() -> Bool {
        while true {
            if consume(/\.\.(\*|\[\s*\*\s*\])/) != nil {
                descend(".[]?")
            } else if consume(/\.\.(?=\[)/) != nil {
                descend(nil)
            } else if let match = consume(/\.\.([A-Za-z_\u{80}-\u{10FFFF}][\w\u{80}-\u{10FFFF}-]*)/) {
                let name = JSONText.quoted(String(match.1))
                descend("objects | select(has(\(name))) | .[\(name)]")
            } else if consume(/\.\*|\[\s*\*\s*\]/) != nil {
                append(each)
                isList = true
            } else if let match = consume(/\.([A-Za-z_\u{80}-\u{10FFFF}][\w\u{80}-\u{10FFFF}-]*)/) {
                append(member(String(match.1)))
            } else if consume(/\[\s*\?\s*/) != nil {
                guard let condition = condition() else { return false }
                append(each)
                text += " | select(\(condition))"
                (isList, needsPipe) = (true, true)
            } else if consume(/\[/) != nil {
                guard readBrackets() else { return false }
            } else {
                return true
            }
        }
    }

    private mutating func append(_ step: String) {
        if needsPipe { text += " | " }
        if (needsPipe || text.isEmpty), !step.hasPrefix(".") { text += "." }
        text += step
        needsPipe = false
    }

    /// What is anywhere below may be no list: it has no items then.
    private var each: String { needsPipe ? "[]?" : "[]" }

    /// Descends to everything below, or to what a filter finds there.
    private mutating func descend(_ filter: String?) {
        text += (text.isEmpty ? "" : " | ") + ".." + (filter.map { " | \($0)" } ?? "")
        (isList, needsPipe) = (true, true)
    }

    /// An index, a slice, a name, or several of one kind.
    private mutating func readBrackets() -> Bool {
        if let match = consume(/\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/) {
            append("[\(match.1.isEmpty && match.2.isEmpty ? "0" : match.1):\(match.2)]")
            text += "[]"
            isList = true
            return true
        }
        var parts: [String] = []
        repeat {
            _ = consume(/\s*/)
            if let match = consume(/-?\d+/) {
                parts.append(String(match.0))
            } else if let name = quoted() {
                parts.append(JSONText.quoted(name))
            } else {
                return false
            }
        } while consume(/\s*,/) != nil
        guard consume(/\s*\]/) != nil else { return false }
        // Where there are several values, some of them may not be lists.
        append("[\(parts.joined(separator: ","))]" + (isList && parts.count == 1 ? "?" : ""))
        if parts.count > 1 { isList = true }
        return true
    }

    /// In quotes of either kind.
    private mutating func quoted() -> String? {
        guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
        var text = ""
        var inside = rest.dropFirst()
        while let character = inside.popFirst() {
            if character == quote {
                rest = inside
                return text
            }
            text.append(character == "\\" ? inside.popFirst() ?? "\\" : character)
        }
        return nil
    }

    private func member(_ name: String) -> String {
        name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil ? ".\(name)" : "[\(JSONText.quoted(name))]"
    }

    // MARK: Conditions

    private struct Operand {
        var text: String
        /// `nil` for a path.
        var type: String?
        /// A path that may find any number of values, of which only this can be asked.
        var isList = false
    }

    /// To the closing bracket: `@.price < 10 && @.name == 'a'`.
    private mutating func condition() -> String? {
        guard let condition = alternatives(), consume(/\s*\]/) != nil else { return nil }
        return condition
    }

    private mutating func alternatives() -> String? {
        guard var result = comparison() else { return nil }
        while let match = consume(/\s*(&&|\|\|)\s*/) {
            guard let next = comparison() else { return nil }
            result = "(\(result)) \(match.1 == "&&" ? "and" : "or") (\(next))"
        }
        return result
    }

    private mutating func comparison() -> String? {
        _ = consume(/\s*/)
        if consume(/!\s*/) != nil { return comparison().map { "(\($0)) | not" } }
        if consume(/\(/) != nil {
            guard let inner = alternatives(), consume(/\s*\)/) != nil else { return nil }
            return inner
        }
        guard let left = operand() else { return nil }
        if left.isList { return "([\(left.text)] | length) > 0" }
        guard let sign = consume(/\s*(==|!=|<=|>=|<|>)\s*/)?.1 else { return left.type == nil ? "\(left.text) != null" : nil }
        guard let right = operand(), !right.isList else { return nil }
        let compared = "\(left.text) \(sign) \(right.text)"
        // jq puts values of all types in one order, and null first.
        switch (left.type, right.type) {
        case _ where sign == "==" || sign == "!=": return compared
        case (nil, let type?): return "(\(left.text) | type) == \"\(type)\" and \(compared)"
        case (let type?, nil): return "(\(right.text) | type) == \"\(type)\" and \(compared)"
        default: return nil
        }
    }

    private mutating func operand() -> Operand? {
        if consume(/@/) != nil {
            var reader = JSONPathReader(rest)
            guard reader.readSteps() else { return nil }
            rest = reader.rest
            // What is no list has no items.
            if reader.isList { return Operand(text: "(\(reader.filter))?", isList: true) }
            return Operand(text: reader.filter == "." ? "." : "(\(reader.filter))?")
        }
        if let text = quoted() { return Operand(text: JSONText.quoted(text), type: "string") }
        if let number = consume(/-?\d+(\.\d+)?/) { return Operand(text: String(number.0), type: "number") }
        return consume(/(true|false|null)\b/).map { Operand(text: String($0.1), type: $0.1 == "null" ? "null" : "boolean") }
    }

    private mutating func consume<Output>(_ pattern: Regex<Output>) -> Regex<Output>.Match? {
        guard let match = rest.prefixMatch(of: pattern) else { return nil }
        rest = rest[match.range.upperBound...]
        return match
    }
}
