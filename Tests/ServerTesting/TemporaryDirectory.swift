package import Foundation

/// A directory that goes away with its last owner.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array((NSTemporaryDirectory() + "/turnstone-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ServerError("no temporary directory: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// - Returns: the path of the file.
    @discardableResult
    package func write(_ name: String, _ content: Data) throws -> String {
        let file = path + "/" + name
        try content.write(to: URL(fileURLWithPath: file))
        return file
    }

    @discardableResult
    package func write(_ name: String, _ content: String) throws -> String {
        try write(name, Data(content.utf8))
    }

    package func file(_ name: String) -> String { path + "/" + name }
}
