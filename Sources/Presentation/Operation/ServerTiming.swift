import HTTPTypes
package import NetworkLayer

/// What a server says of its own time (W3C Server Timing, section 3): `db;dur=53.2;desc="two queries", cache;desc=hit`.
package struct ServerTiming: Sendable, Hashable {
    package var name: String
    package var duration: Duration?
    package var details: String?

    /// `db`, or `cache hit`.
    package var label: String { details.map { "\(name) \($0)" } ?? name }

    package static func metrics(_ head: ResponseHead?) -> [ServerTiming] {
        guard let head, let name = HTTPField.Name("Server-Timing") else { return [] }
        return head.headers[values: name].flatMap(parse)
    }

    package static func parse(_ value: String) -> [ServerTiming] {
        split(value, at: ",").compactMap { item in
            let parts = split(item, at: ";").map(trimmed)
            guard let name = parts.first, !name.isEmpty else { return nil }
            var metric = ServerTiming(name: SafeText.line(name))
            for part in parts.dropFirst() {
                guard let equals = part.firstIndex(of: "=") else { continue }
                let value = unquoted(trimmed(String(part[part.index(after: equals)...])))
                switch trimmed(String(part[..<equals])).lowercased() {
                case "dur":
                    // Nobody serves for a year; what isn't a sensible number is no duration.
                    if let milliseconds = Double(value), milliseconds >= 0, milliseconds < 3e10 {
                        metric.duration = .nanoseconds(Int64(milliseconds * 1e6))
                    }
                case "desc": metric.details = SafeText.line(value)
                default: break
                }
            }
            return metric
        }
    }

    /// At separators outside of quotes.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { result.append(character) }
        }
        return result
    }
}
