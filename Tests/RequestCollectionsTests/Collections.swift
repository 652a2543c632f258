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

extension RequestDefinition {
    /// What counts when two are compared: without places, with rows of one name together, and JSON without its layout.
    var withoutPlaces: RequestDefinition {
        var definition = withoutLocations
        func plain(_ rows: [Row]) -> [Row] {
            RequestWriter.grouped(rows).flatMap { $0 }.map { Row(name: $0.name, value: $0.value, isEnabled: $0.isEnabled) }
        }
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] {
            definition[keyPath: rows] = plain(definition[keyPath: rows])
        }
        if let mock { definition.mock?.headers = plain(mock.headers) }
        switch body {
        case .form(let rows): definition.body = .form(plain(rows))
        case .json(let text): definition.body = .json(JSONParser.parse(text)?.text(pretty: true) ?? text)
        case .multipart(let parts): definition.body = .multipart(parts.groupedByName.flatMap { $0 })
        default: break
        }
        return definition
    }
}
