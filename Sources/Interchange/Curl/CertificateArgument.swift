/// What curl's `--cert` takes: a file, and behind a colon the pass phrase of its key. A backslash makes a colon, or itself, a part of
/// the file's name.
package struct CertificateArgument: Hashable, Sendable {
    package var file: String
    package var passphrase: String?

    package init(_ text: String) {
        // The name of a key in a token, which has colons.
        guard !text.lowercased().hasPrefix("pkcs11:") else {
            file = text
            return
        }
        file = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case ":":
                passphrase = rest.isEmpty ? nil : String(rest)
                return
            case "\\" where rest.first == ":" || rest.first == "\\": file.append(rest.removeFirst())
            default: file.append(character)
            }
        }
    }

    /// The forms of files that curl names and this program finds out by itself.
    package static let types: Set = ["PEM", "DER", "P12"]
}
