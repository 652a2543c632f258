import NetworkLayer

/// A path of OpenAPI: `/orders/{id}`, `/files/{name}.json`. Also that of a server, which stands in front of it.
struct PathTemplate: Hashable, Sendable {
    private let segments: [Segment]

    private struct Segment: Hashable, Sendable {
        /// What stands before, between and behind the parameters; without one it is all of the segment.
        var literals: [[UInt8]]

        init(_ text: Substring) {
            literals = [[]]
            var isInParameter = false
            for byte in URLCoding.percentDecoded(text).utf8 {
                switch byte {
                case UInt8(ascii: "{"): isInParameter = true
                case UInt8(ascii: "}") where isInParameter:
                    isInParameter = false
                    literals.append([])
                default: if !isInParameter { literals[literals.count - 1].append(byte) }
                }
            }
        }

        /// Each parameter is at least one character. Looks for the literals from left to right: what comes first leaves the most.
        func matches(_ segment: String) -> Bool {
            let bytes = Array(segment.utf8)
            guard literals.count > 1, let first = literals.first, let last = literals.last else { return bytes == literals[0] }
            guard bytes.starts(with: first), bytes.count >= first.count + last.count + 1 else { return false }
            guard bytes.suffix(last.count).elementsEqual(last) else { return false }
            var rest = bytes[first.count..<(bytes.count - last.count)]
            for literal in literals.dropFirst().dropLast() {
                rest = rest.dropFirst()
                guard let range = rest.firstRange(of: literal) else { return false }
                rest = rest[range.upperBound...]
            }
            return !rest.isEmpty
        }

        /// The more of the segment is literal, the higher the rank.
        var rank: Int { literals.count == 1 ? .max : literals.reduce(0) { $0 + $1.count } }
    }

    init(_ text: String) {
        segments = Self.split(text[...]).map(Segment.init)
    }

    private init(_ segments: [Segment]) { self.segments = segments }

    /// From a server's URL, which may be relative, or have variables: `https://{region}.example.com/v1`.
    init(server url: String) {
        var path = url[...].prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        } else if path.hasPrefix("{") {
            path = path.drop { $0 != "/" }
        }
        while path.last == "/" { path.removeLast() }
        segments = path.isEmpty ? [] : Self.split(path).map(Segment.init)
    }

    func appending(_ other: PathTemplate) -> PathTemplate { PathTemplate(segments + other.segments) }

    /// - Parameter path: of a URL, as ``split(_:)`` takes it apart, decoded.
    func matches(_ path: [String], isAny: (String) -> Bool) -> Bool {
        // What a server has at its root may be asked for without a slash.
        let segments = segments.count == path.count + 1 && segments.last?.literals == [[]] ? segments.dropLast() : segments[...]
        return segments.count == path.count && zip(segments, path).allSatisfy { isAny($1) || $0.matches($1) }
    }

    /// The segments of a path, still encoded.
    static func split(_ path: Substring) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path).split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Whether it says more of a path than another one that matches it, too: `/orders/mine` than `/orders/{id}`.
    func isMoreExact(than other: PathTemplate) -> Bool {
        for (one, another) in zip(segments, other.segments) where one.rank != another.rank { return one.rank > another.rank }
        return segments.count > other.segments.count
    }
}
