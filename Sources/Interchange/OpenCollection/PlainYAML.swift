import NetworkLayer
import RequestCollections

/// Values of JSON as YAML that every reader of YAML 1.1 or 1.2 takes the same.
enum PlainYAML {
    static func text(_ value: JSONValue) -> String { lines(value).joined(separator: "\n") + "\n" }

    private static func lines(_ value: JSONValue) -> [String] {
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.flatMap { member -> [String] in
                let name = key(member.name)
                switch member.value {
                case .object(let inner) where !inner.isEmpty: return ["\(name):"] + lines(member.value).map(indented)
                case .array(let items) where !items.isEmpty: return ["\(name):"] + lines(member.value).map(indented)
                case .string(let text): return named(name, text)
                default: return ["\(name): \(member.value.text(pretty: false))"]
                }
            }
        case .array(let items) where !items.isEmpty:
            return items.flatMap { item -> [String] in
                let lines = lines(item)
                return ["- \(lines[0])"] + lines.dropFirst().map(indented)
            }
        case .string(let text): return [scalar(text)]
        default: return [value.text(pretty: false)]
        }
    }

    private static func indented(_ line: String) -> String { line.isEmpty ? "" : "  \(line)" }

    private static func key(_ name: String) -> String { isPlain(name) ? name : ScalarWriter.doubleQuoted(name) }

    /// Several lines as they are, where a reader gives them back as they are.
    private static func named(_ name: String, _ text: String) -> [String] {
        let lines = text.lines
        let isBlock =
            lines.count > 1 && !text.hasSuffix("\n\n") && lines[0].first.map { $0 != " " && $0 != "\t" } == true
            && !lines.dropLast().contains { $0.last == " " || $0.last == "\t" } && lines.last?.last != " "
            && lines.last?.last != "\t"
            && text.unicodeScalars.allSatisfy {
                $0 == "\n" || (0x20...0x7E).contains($0.value)
                    || (0xA0...0xD7FF).contains($0.value) && $0 != "\u{2028}" && $0 != "\u{2029}"
            }
        guard isBlock else { return ["\(name): \(scalar(text))"] }
        let ends = text.hasSuffix("\n")
        return ["\(name): |\(ends ? "" : "-")"] + (ends ? lines.dropLast() : lines[...]).map { indented(String($0)) }
    }

    private static func scalar(_ text: String) -> String { isPlain(text) ? text : ScalarWriter.doubleQuoted(text) }

    /// Words that are neither numbers nor anything else than text to anybody.
    private static func isPlain(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z\/][A-Za-z0-9_\/.-]*( [A-Za-z0-9_\/.-]+)*/) != nil
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
    }
}
