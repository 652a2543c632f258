import NetworkLayer

extension SendPlan {
    /// curl sends a request for each of `{a,b}` and `[1-3]`, unless `-g` says that they are meant as they are. What can't be such a
    /// pattern curl refuses, and here it is sent: `?a[]=1`, `?a[0]=1`.
    static func unglobbed(_ text: String, isLiteral: Bool) throws -> String {
        guard !isLiteral else { return text }
        let pattern = /(?:^|[^\\])(\{[^{}]+\}|\[([a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]+-[0-9]+)(:[0-9]+)?\])/
        if let match = text.firstMatch(of: pattern) {
            throw CommandFailure(
                status: .usage,
                message:
                    "\(match.1) in the URL would be several URLs for curl, and send takes one. With -g it is sent as it stands; "
                    + "many requests are a collection, for `turnstone run`.")
        }
        return text.replacing(/\\([{}\[\]])/) { String($0.1) }
    }
}

/// The parts of a URL as it was written.
struct URLPieces: Hashable {
    /// Scheme and authority.
    var start: String
    var path: String
    var query: String?
    /// With its `#`.
    var fragment: String

    init(_ text: String) {
        // Also without a scheme a query may have another URL in it.
        let text = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) == nil ? "http://" + text : text
        let parts = text.halves(at: "#")
        let whole = parts?.before ?? text[...]
        fragment = parts.map { "#\($0.behind)" } ?? ""
        let halves = whole.halves(at: "?")
        query = halves.map { String($0.behind) }
        let rest = halves?.before ?? whole
        let host = rest.unicodeScalars.firstRange(of: "://".unicodeScalars)?.upperBound ?? rest.startIndex
        let slash = rest[host...].unicodeScalars.firstIndex(of: "/") ?? rest.endIndex
        start = String(rest[..<slash])
        path = String(rest[slash...])
    }

    var text: String { start + path + (query.map { "?\($0)" } ?? "") + fragment }

    /// RFC 3986, section 5.2.4.
    mutating func removeDotSegments() {
        let segments = path.pieces(at: "/")
        guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return }
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": if kept.count > 1 { kept.removeLast() }
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        path = kept.joined(separator: "/")
    }
}
