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
        var rest = text[...].unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case ":":
                passphrase = rest.isEmpty ? nil : String(rest)
                return
            case "\\" where rest.first == ":" || rest.first == "\\": file.unicodeScalars.append(rest.removeFirst())
            default: file.unicodeScalars.append(scalar)
            }
        }
    }

    /// The forms of files that curl names and this program finds out by itself.
    package static let types: Set = ["PEM", "DER", "P12"]
}
