import NetworkLayer

/// The parts of a URL as it was written.
struct URLPieces: Hashable {
    /// Scheme and authority.
    var start: String
    var path: String
    var query: String?
    /// With its `#`.
    var fragment: String

    init(_ text: String, defaultScheme: String = "http") {
        // As in curl, one slash will do.
        var text = text
        let head = text.prefix(8).lowercased()
        if let scheme = ["http:/", "https:/"].first(where: { head.hasPrefix($0) && head != $0 && !head.hasPrefix("\($0)/") }) {
            text.insert("/", at: text.index(text.startIndex, offsetBy: scheme.count))
        }
        // HTTPie's shorthand for this machine: `:8080/x`, `:/x`.
        if text.hasPrefix(":"), !text.hasPrefix("::") {
            let port = text.dropFirst().prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            text = "localhost" + (port.isEmpty ? text.dropFirst() : text[...])
        }
        // A URL without a scheme may have another URL in its query.
        if !Self.hasScheme(text) { text = "\(defaultScheme)://" + text }
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

    /// `https://` and the like at its beginning: RFC 3986, section 3.1.
    static func hasScheme(_ text: String) -> Bool {
        let bytes = text.utf8
        let rest = bytes.drop {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard let first = bytes.first, rest.starts(with: "://".utf8) else { return false }
        return (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first)
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
