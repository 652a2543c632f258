import NetworkLayer

/// What keeps a text from being sent in the head of a request, in a sentence; `nil`: nothing.
package enum HeadFault {
    /// - Parameter text: the name of a header field (RFC 9110, section 5.1).
    package static func ofName(_ text: String) -> String? {
        isToken(text)
            ? nil : "`\(visible(text))` can't be the name of a header; it takes letters, digits and !#$%&'*+-.^_`|~"
    }

    /// - Parameter text: a URL, or a template for one.
    package static func ofURL(_ text: String) -> String? {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "the URL contains a line break or another control character" : nil
    }

    static func visible(_ text: String) -> String {
        text.replacing(scalars: "\r", with: "\\r").replacing(scalars: "\n", with: "\\n")
    }
}
