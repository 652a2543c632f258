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

extension RequestCollection {
    /// What has to change on disk so that a request is as in the draft.
    func saving(_ draft: RequestDefinition) throws -> CollectionChange {
        guard let stored = request(draft.id) else {
            throw CollectionProblem(location: draft.location, message: "the collection has no request `\(draft.id)`")
        }
        if let problem = stored.problems.first { throw problem }
        return try change(to: draft, from: stored, in: bytes(of: stored.location.path))
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
