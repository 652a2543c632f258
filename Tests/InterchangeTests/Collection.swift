@testable import RequestCollections

extension RequestCollection {
    /// A collection of one file, from its text.
    static func of(_ text: String, path: String = "shop.yaml") -> RequestCollection {
        load(path: path, bytes: Array(text.utf8))
    }
}
