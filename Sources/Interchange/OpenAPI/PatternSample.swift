/// A text that a simple regular expression finds: literals and classes, each as often as it must be. What is given still has to be checked.
enum PatternSample {
    static func text(_ pattern: String, least: Int) -> String? {
        var text = ""
        var rest = pattern.hasPrefix("^") ? pattern.dropFirst() : pattern[...]
        if rest.hasSuffix("$"), !rest.hasSuffix("\\$") { rest.removeLast() }
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: /(\[(?:\\.|[^\]\\])+\]|\\.|[^\\()\[\]{}|*+?^$])([*+?]|\{(\d+)(?:,\d*)?\})?/)
            else {
                return nil
            }
            rest = rest[match.range.upperBound...]
            let missing = max(0, least - text.count)
            let count =
                switch match.2 {
                case nil: 1
                case "?": 0
                case "*": missing
                case "+": max(1, missing)
                default: match.3.flatMap { Int($0) } ?? 1
                }
            guard count <= 10_000 else { return nil }
            text += String(repeating: piece(match.1), count: count)
        }
        return text
    }

    private static func piece(_ text: Substring) -> String {
        if text.hasPrefix("[^") { return ["a", "A", "0", "-"].first { !text.contains($0) } ?? "_" }
        let first = text.hasPrefix("[") ? text.dropFirst() : text
        guard first.hasPrefix("\\") else { return String(first.prefix(1)) }
        let escaped = String(first.dropFirst().prefix(1))
        return ["d": "1", "w": "a", "s": " ", "S": "a", "D": "a", "W": "-"][escaped] ?? escaped
    }
}
