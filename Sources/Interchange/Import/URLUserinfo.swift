/// `user:password` in `http://user:password@host/` (RFC 3986, section 3.2.1).
struct URLUserinfo {
    private(set) var range: Range<String.Index>
    private let at: String.Index

    /// `nil` when a text is no URL with `//` in front of its host, or has none in it.
    init?(_ url: String) {
        let scheme = url.firstRange(of: "://")?.upperBound
        guard let start = scheme ?? (url.hasPrefix("//") ? url.index(url.startIndex, offsetBy: 2) : nil),
            let at = url[start...].prefix(while: { !"/?# \n\t".contains($0) }).lastIndex(of: "@")
        else { return nil }
        range = start..<at
        self.at = at
    }

    /// A URL, or a text that ends with one, without it.
    static func removed(from text: String) -> String {
        guard let userinfo = URLUserinfo(text) else { return text }
        return String(text[..<userinfo.range.lowerBound] + text[text.index(after: userinfo.at)...])
    }
}
