import NetworkLayer
import RequestCollections

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
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("is not text in UTF-8") }
        return text
    }

    func problem(_ message: String, line: Int = 1, column: Int = 1) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: path, line: line, column: column), message: message)
    }
}
