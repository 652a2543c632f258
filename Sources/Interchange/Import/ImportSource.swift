import NetworkLayer
package import RequestCollections

/// What is to be imported, read already.
package struct ImportSource: Hashable, Sendable {
    /// For places in messages, and for a name where the contents have none; `-` for standard input.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// What a source may have.
    package enum Limits {
        /// Bytes of a file: a recording of a browser holds every answer.
        package static let size = 64 << 20
        package static let requests = 20_000
        /// Folders in folders: each takes two of the levels that a collection's file may have.
        package static let folders = 20
    }
}

extension ImportSource {
    /// The last component of the path, without its endings: `shop` for `~/Downloads/shop.postman_collection.json`.
    var name: String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        guard last != "-", let stem = last.split(separator: ".").first else { return "Imported" }
        return String(stem)
    }

    /// Its text; a byte order mark isn't a part of it.
    func text() throws(CollectionProblem) -> String { try plainText().replacing(scalars: "\r\n", with: "\n") }

    /// The same of a shell's script, in which quotes keep a carriage return that was meant. Where all lines end with one, a program has
    /// written them that ends lines so.
    func script() throws(CollectionProblem) -> String {
        let text = try plainText()
        let unix = text.replacing(scalars: "\r\n", with: "")
        return unix.utf8.contains(UInt8(ascii: "\n")) ? text : text.replacing(scalars: "\r\n", with: "\n")
    }

    private func plainText() throws(CollectionProblem) -> String {
        guard !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
            throw problem("is a zip archive; unpack it, and import what is in it")
        }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("is not text in UTF-8") }
        return text
    }

    func problem(_ message: String, line: Int = 1, column: Int = 1) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: path, line: line, column: column), message: message)
    }
}

/// The files that a source may name: an import reads none by itself.
package struct NeighbouringFiles: Sendable {
    private let contents: @Sendable (String) throws(CollectionProblem) -> ImportSource

    /// - Parameter contents: the file at a path, from the directory of the source; its error says why it isn't read, as the end of a
    ///   sentence about the path.
    package init(_ contents: @escaping @Sendable (String) throws(CollectionProblem) -> ImportSource) {
        self.contents = contents
    }

    package func read(_ path: String) throws(CollectionProblem) -> ImportSource { try contents(path) }

    /// The neighbours of a source that lies nowhere.
    package static let none = NeighbouringFiles { path throws(CollectionProblem) in
        throw ImportSource(path: path, bytes: []).problem("it is in another file; import the document by its path")
    }
}

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

/// What names a request that has no name.
enum RequestName {
    /// The path of a URL; without one, its host and port, and never who goes there.
    static func path(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        if path.count > 1 { return String(path) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return String(host)
    }
}
