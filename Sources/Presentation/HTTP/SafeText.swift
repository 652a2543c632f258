import TerminalUI

/// Text from a server, made harmless for a terminal: what can't be seen, or would be obeyed, becomes a sign.
package enum SafeText {
    /// One line: control characters, line ends and tabs included, as signs (`␛`, `␊`), bidi overrides by their number.
    package static func line(_ text: some StringProtocol) -> String { line(String(text)) }

    package static func line(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return text }
        var result = ""
        for character in text { Glyph.forEach(in: character) { result.append($0.character) } }
        return result
    }
}
