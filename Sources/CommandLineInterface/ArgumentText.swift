import NetworkLayer

/// The words of a command line, which are bytes to the system, and text to this program.
enum ArgumentText {
    /// - Parameter words: the program's name included.
    /// - Throws: ``CommandFailure`` for the first that isn't UTF-8.
    static func texts(_ words: [[UInt8]]) throws -> [String] {
        var texts: [String] = []
        for (index, word) in words.enumerated() {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw CommandFailure(status: .usage, message: refusal(of: index, in: words))
            }
            texts.append(text)
        }
        return texts
    }

    private static func refusal(of index: Int, in words: [[UInt8]]) -> String {
        let readable = words.map { String(decoding: $0, as: UTF8.self) }
        // Credentials are shown to nobody.
        let isSecret = SecretWords.places(in: readable).contains { $0.word == index }
        let shown = isSecret ? "" : ", \(escaped(words[index]))"
        let before = index > 1 && readable[index - 1].hasPrefix("-") && !readable[index].hasPrefix("-")
        let option = before ? String(readable[index - 1].prefix { $0 != "=" }) : ""
        return "Argument \(index)\(before ? ", behind \(option)" : "")\(shown), isn't UTF-8, and would be sent as something else. "
            + "Other bytes are sent from a file, as by --data-binary @FILE or -F NAME=@FILE, and percent-encoded in a URL."
    }

    /// As bash reads it: `$'caf\xe9'`.
    private static func escaped(_ word: [UInt8]) -> String {
        let most = 60
        let signs = word.prefix(most).map { byte in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
            case 0x20...0x7E: String(Character(Unicode.Scalar(byte)))
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return "$'\(signs.joined())\(word.count > most ? "…" : "")'"
    }
}
