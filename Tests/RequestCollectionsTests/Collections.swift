import Foundation

@testable import RequestCollections

extension RequestCollection {
    /// A collection of one file, from its text.
    static func of(_ text: String, path: String = "shop.yaml") -> RequestCollection {
        load(path: path, bytes: Array(text.utf8))
    }

    /// With the two lines that every file begins with; line 3 is the first of `requests`.
    static func requests(_ text: String) -> RequestCollection {
        of("turnstone: 1\nrequests:\n" + text)
    }
}

/// The collections that ship with the program.
enum ShippedCollections {
    static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Collections").path

    static var paths: [String] { (try? RequestCollection.collections(at: directory)) ?? [] }
}

/// `Testing` has a type of this name, too.
typealias SourceLocation = RequestCollections.SourceLocation
