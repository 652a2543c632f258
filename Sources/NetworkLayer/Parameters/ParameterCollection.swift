public import Base

/// The parameters of a URL, in its three places (URL-4): `/path;p=1?q=2#f=3`. TNL's `TNLParameterCollection`.
///
/// Names are unique in each place; what is written is sorted, so that equal collections make equal URLs.
public struct ParameterCollection: Sendable, Hashable, CustomStringConvertible {
    /// A place for parameters.
    public enum Part: Sendable, Hashable, CaseIterable {
        /// After `;` in the last segment of the path.
        case path
        /// After `?`.
        case query
        /// After `#`, which isn't sent.
        case fragment

        var delimiter: Character {
            switch self {
            case .path: ";"
            case .query: "?"
            case .fragment: "#"
            }
        }
    }

    private var parts: [Part: [String: String]] = [:]

    public init() {}

    /// Reads the parameters of all three places.
    public init(_ url: URL) {
        self.init(url.absoluteString)
    }

    /// Reads `;p?q#f`, each of them optional, with or without a URL before it.
    public init(_ text: String) {
        let pieces = Self.split(text)
        for part in Part.allCases {
            guard let piece = pieces[part] else { continue }
            for (key, value) in URLCoding.pairs(in: piece) { self[key, part] = value }
        }
    }

    /// - Parameter parameters: not encoded; one with an empty name is left out.
    public init(_ parameters: [String: String], in part: Part = .query) {
        for (key, value) in parameters where !key.isEmpty { self[key, part] = value }
    }

    /// The value of a parameter, not encoded; setting `nil` takes it out. An empty name is in no collection.
    public subscript(key: String, part: Part = .query) -> String? {
        get { parts[part]?[key] }
        set {
            guard !key.isEmpty else { return }
            parts[part, default: [:]][key] = newValue
            if parts[part]?.isEmpty == true { parts[part] = nil }
        }
    }

    /// Whether there is no parameter in any of the three places.
    package var isEmpty: Bool { parts.isEmpty }

    /// The parameters of one place.
    public func parameters(in part: Part) -> [String: String] { parts[part] ?? [:] }

    /// Takes over what another collection has; its values win.
    public mutating func merge(_ other: ParameterCollection) {
        for (part, parameters) in other.parts {
            for (key, value) in parameters { self[key, part] = value }
        }
    }

    // MARK: Writing

    /// The parameters of one place, encoded and sorted, without the delimiter.
    public func string(for part: Part) -> String {
        parameters(in: part).sorted { $0.key < $1.key }.map { key, value in
            URLCoding.percentEncoded(key) + "=" + URLCoding.percentEncoded(value)
        }.joined(separator: "&")
    }

    /// `;p?q#f`, without the places that have none.
    public var description: String {
        Part.allCases.filter { parts[$0] != nil }.map { "\($0.delimiter)\(string(for: $0))" }.joined()
    }

    /// The URL with these parameters in place of its own query, fragment and path parameters.
    package func applied(to url: URL) -> URL? {
        URL(string: Self.base(of: url.absoluteString) + description)
    }

    // MARK: Reading

    private static func base(of text: String) -> Substring {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return path[..<(pathParameters(of: path) ?? path.endIndex)]
    }

    /// Where the `;` of the last segment stands.
    private static func pathParameters(of path: Substring) -> Substring.Index? {
        let segment = path.lastIndex(of: "/").map { path[$0...] } ?? path
        return segment.firstIndex(of: ";")
    }

    private static func split(_ text: String) -> [Part: Substring] {
        var pieces: [Part: Substring] = [:]
        let hash = text.firstIndex(of: "#") ?? text.endIndex
        let mark = text[..<hash].firstIndex(of: "?") ?? hash
        if let semicolon = pathParameters(of: text[..<mark]) { pieces[.path] = text[semicolon..<mark].dropFirst() }
        pieces[.query] = text[mark..<hash].dropFirst()
        pieces[.fragment] = text[hash...].dropFirst()
        return pieces
    }
}
