import NetworkLayer
import RequestCollections

/// Templates of `.http` files: those of Visual Studio Code's REST Client (https://github.com/Huachao/vscode-restclient) and of JetBrains'
/// HTTP Client (https://www.jetbrains.com/help/idea/http-client-variables.html).
enum HTTPFileTemplates {
    enum Translation: Hashable {
        case expression(String)
        /// What a field of the answer to a request says, by the variable that captures it.
        case field(String, of: String, variable: String)
        case unknown(variable: String)
        case text
    }

    /// - Parameter requests: the names that `# @name` gives.
    static func translate(_ inside: String, requests: Set<String>) -> Translation {
        guard let first = inside.first, !"#/^>!&".contains(first), !inside.contains(where: { $0.isNewline || "{}<>;".contains($0) })
        else { return .text }
        if first == "$" { return dynamic(inside) }
        let name = first == "%" ? String(inside.dropFirst()) : inside
        let parts = name.split(separator: ".", maxSplits: 3).map(String.init)
        if parts.count > 1, requests.contains(parts[0]), ["response", "request"].contains(parts[1]) {
            return response(parts, name)
        }
        // httpYac's requests are what they answered; what else stands there is JavaScript.
        if parts.count > 1, requests.contains(parts[0]),
            let filter = JSONPath.filter("$." + parts.dropFirst().joined(separator: "."))
        {
            return .expression("response(\"\(ImportedRequest.reference(to: parts[0]))\", \"\(filter)\")")
        }
        guard !name.contains(where: { "\"'()=+*? ".contains($0) }) else {
            return .unknown(variable: VariableName.make(name.prefix(30)))
        }
        return .expression(VariableName.make(name))
    }

    /// `login.response.body.$.token`.
    private static func response(_ parts: [String], _ whole: String) -> Translation {
        if parts.count == 4, parts[1] == "response", parts[2] == "headers" {
            return .field(parts[3], of: parts[0], variable: VariableName.make("\(parts[0])_\(parts[3].lowercased())"))
        }
        guard parts.count > 2, parts[1] == "response", parts[2] == "body" else {
            return .unknown(variable: VariableName.make(whole))
        }
        let path = parts.count > 3 ? parts[3] : "*"
        let filter = path == "*" ? "." : JSONPath.filter(path.hasPrefix("$") ? path : "$.\(path)")
        guard let filter else { return .unknown(variable: VariableName.make(whole)) }
        return .expression(
            "response(\"\(ImportedRequest.reference(to: parts[0]))\", \"\(filter.escaping("\\", "\""))\")")
    }

    private static func dynamic(_ inside: String) -> Translation {
        let words = inside.split(whereSeparator: \.isWhitespace).map(String.init)
        let name = words.first ?? ""
        let rest = Array(words.dropFirst())
        switch name {
        case "$guid", "$uuid", "$random.uuid": return .expression("uuid()")
        case "$timestamp": return timestamp(rest)
        case "$isoTimestamp": return .expression("now(\"iso8601-ms\")")
        case "$randomInt":
            if rest.isEmpty { return .expression("random(0..1000)") }
            if rest.count == 2, let low = Int(rest[0]), let high = Int(rest[1]), low < high {
                return .expression("random(\(low)..\(high - 1))")
            }
        case "$processEnv", "$dotenv":
            if rest.count == 1, rest[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
                return .expression("env(\"\(rest[0])\")")
            }
        case "$datetime", "$localDatetime":
            let formats = ["iso8601": "iso8601-ms", "rfc1123": "http"]
            if name == "$datetime", let format = rest.first.flatMap({ formats[$0] }), let offset = offset(Array(rest.dropFirst())) {
                return .expression("now(\"\(format)\"\(offset))")
            }
        default:
            if let match = name.wholeMatch(of: /\$env\.([A-Za-z0-9_]+)/) { return .expression("env(\"\(match.1)\")") }
            if let match = inside.wholeMatch(of: /\$random\.integer\((\d+),\s*(\d+)\)/), let low = Int(match.1),
                let high = Int(match.2), low < high
            {
                return .expression("random(\(low)..\(high - 1))")
            }
            if let match = inside.wholeMatch(of: /\$random\.(?:alphanumeric|alphabetic)\((\d+)\)/) {
                return .expression("random(length: \(match.1))")
            }
        }
        return .unknown(variable: VariableName.make(inside.dropFirst()))
    }

    private static func timestamp(_ words: [String]) -> Translation {
        guard let offset = offset(words) else { return .unknown(variable: "timestamp") }
        return .expression("timestamp(\(offset.dropFirst(2)))")
    }

    /// `-3 h`, as an argument; `nil` for units that have no fixed length.
    private static func offset(_ words: [String]) -> String? {
        guard !words.isEmpty else { return "" }
        let units = ["ms": "ms", "s": "s", "m": "m", "h": "h", "d": "d"]
        guard words.count == 2, let number = Int(words[0]), let unit = units[words[1]] else {
            guard words.count == 2, let number = Int(words[0]), words[1] == "w" else { return nil }
            return ", offset: \(number * 7)d"
        }
        return ", offset: \(number)\(unit)"
    }
}
