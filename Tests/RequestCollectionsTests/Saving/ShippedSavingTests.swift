import Foundation
import Testing

@testable import RequestCollections

/// Edits every row and body of every collection that ships with the program, and compares all other bytes.
@Suite struct ShippedSavingTests {
    private static var rows: [WritableKeyPath<RequestDefinition, [RequestDefinition.Row]>] {
        [\.path, \.query, \.headers, \.cookies, \.formRows]
    }

    /// Both ends of two texts that are equal, line by line, cut off.
    private static func difference(_ before: [UInt8], _ after: [UInt8]) -> (first: Int, before: [Substring], after: [Substring]) {
        var old = String(decoding: before, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[...]
        var new = String(decoding: after, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[...]
        var first = 1
        while let line = old.first, line == new.first {
            old.removeFirst()
            new.removeFirst()
            first += 1
        }
        while let line = old.last, line == new.last {
            old.removeLast()
            new.removeLast()
        }
        return (first, Array(old), Array(new))
    }

    private static func save(
        _ draft: RequestDefinition, _ collection: RequestCollection, _ bytes: [UInt8]
    ) throws -> (collection: RequestCollection, bytes: [UInt8]) {
        let stored = try #require(collection.request(draft.id))
        let change = try collection.change(to: draft, from: stored, in: bytes)
        #expect(change.collection.request(draft.id)?.withoutPlaces == draft.withoutPlaces, "\(draft.id)")
        return (change.collection, change.files.first?.after ?? bytes)
    }

    private static func forEveryRequest(
        _ body: (RequestCollection, RequestDefinition, [UInt8]) throws -> Void
    ) throws {
        for path in ShippedCollections.paths {
            let collection = try RequestCollection.load(path: path)
            for request in collection.requests {
                try body(collection, request, Array(try Data(contentsOf: URL(filePath: request.location.path))))
            }
        }
    }

    private static func forEveryRow(
        _ body: (RequestCollection, RequestDefinition, [UInt8], WritableKeyPath<RequestDefinition, [RequestDefinition.Row]>, Int)
            throws -> Void
    ) throws {
        var count = 0
        try forEveryRequest { collection, request, bytes in
            for rows in rows {
                for index in request[keyPath: rows].indices {
                    count += 1
                    try body(collection, request, bytes, rows, index)
                }
            }
        }
        #expect(count > 20)
    }

    @Test func `a changed value changes one line, and changed back leaves no trace`() throws {
        try Self.forEveryRow { collection, request, bytes, rows, index in
            let row = request[keyPath: rows][index]
            var draft = request
            draft[keyPath: rows][index].value = "x1y"
            let saved = try Self.save(draft, collection, bytes)
            let difference = Self.difference(bytes, saved.bytes)
            #expect(difference.before.count == 1 && difference.after.count == 1, "\(request.id) \(row.name)")
            #expect(difference.first == row.location?.line, "\(request.id) \(row.name)")
            #expect(difference.after.first?.contains("x1y") == true, "\(request.id) \(row.name)")
            #expect(try Self.save(request, saved.collection, saved.bytes).bytes == bytes, "\(request.id) \(row.name)")
        }
    }

    @Test func `a row that is switched and switched back leaves no trace`() throws {
        try Self.forEveryRow { collection, request, bytes, rows, index in
            var draft = request
            draft[keyPath: rows][index].isEnabled.toggle()
            let saved = try Self.save(draft, collection, bytes)
            let difference = Self.difference(bytes, saved.bytes)
            #expect(difference.before.count == 1 && difference.after.count == 1, "\(request.id)")
            #expect(try Self.save(request, saved.collection, saved.bytes).bytes == bytes, "\(request.id)")
        }
    }

    @Test func `a deleted row takes nothing with it`() throws {
        try Self.forEveryRow { collection, request, bytes, rows, index in
            var draft = request
            let row = draft[keyPath: rows].remove(at: index)
            let saved = try Self.save(draft, collection, bytes)
            let difference = Self.difference(bytes, saved.bytes)
            let isLast = draft[keyPath: rows].isEmpty
            #expect(difference.before.count <= (isLast ? 3 : 1) && difference.after.count <= 1, "\(request.id) \(row.name)")
        }
    }

    @Test func `an added row is one more line, or a longer one, and deleted again leaves no trace`() throws {
        try Self.forEveryRequest { collection, request, bytes in
            for rows in Self.rows where !request[keyPath: rows].isEmpty {
                for index in 0...request[keyPath: rows].count {
                    var draft = request
                    draft[keyPath: rows].insert(.init(name: "x-new", value: "a: b"), at: index)
                    // In the middle of a list there is no place for another name.
                    guard draft.withoutPlaces[keyPath: rows].map(\.name) == draft[keyPath: rows].map(\.name) else { continue }
                    let saved = try Self.save(draft, collection, bytes)
                    let difference = Self.difference(bytes, saved.bytes)
                    #expect(difference.before.count <= 1 && difference.after.count == 1, "\(request.id)")
                    #expect(try Self.save(request, saved.collection, saved.bytes).bytes == bytes, "\(request.id)")
                }
            }
            var draft = request
            draft.headers.append(.init(name: "x-new", value: "a"))
            let saved = try Self.save(draft, collection, bytes)
            #expect(Self.difference(bytes, saved.bytes).after.count <= 2, "\(request.id)")
            #expect(try Self.save(request, saved.collection, saved.bytes).bytes == bytes, "\(request.id)")
        }
    }

    @Test func `a changed body changes nothing else`() throws {
        var count = 0
        try Self.forEveryRequest { collection, request, bytes in
            var draft = request
            switch request.body {
            case .text(let text): draft.body = .text("new first line\n" + text)
            case .json(let text):
                guard case .object(let members)? = JSONParser.parse(text) else { return }
                draft.body = .json(JSONValue.object(members + [.init(name: "x-new", value: .string("a\nb"))]).text(pretty: true))
            case .file: draft.body = .file("x.json")
            case .multipart(let parts): draft.body = .multipart(parts + [.init(name: "x-new", content: .text("x"))])
            default: return
            }
            count += 1
            let saved = try Self.save(draft, collection, bytes)
            let line = try #require(request.places["body"]).line
            let difference = Self.difference(bytes, saved.bytes)
            #expect(difference.first >= line, "\(request.id)")
            // What is behind the body is the same.
            var without = request
            without.body = nil
            let shorter = try Self.save(without, collection, bytes)
            let again = try Self.save(without, saved.collection, saved.bytes)
            #expect(shorter.bytes == again.bytes, "\(request.id)")
        }
        #expect(count > 5)
    }

    @Test func `method and URL change one line`() throws {
        try Self.forEveryRequest { collection, request, bytes in
            // With another method its messages would be nobody's.
            guard !request.isWebSocket else { return }
            var draft = request
            draft.url = "http://new.example/\(request.id)"
            draft.method = request.method == "PUT" ? "GET" : "PUT"
            let saved = try Self.save(draft, collection, bytes)
            let difference = Self.difference(bytes, saved.bytes)
            #expect(difference.before.count == difference.after.count && difference.after.count <= 2, "\(request.id)")
            #expect(
                difference.after.count == 1 || FormatTable.methods.contains(request.method.lowercased()) == false, "\(request.id)")
        }
    }
}

extension RequestDefinition {
    fileprivate var formRows: [Row] {
        get { if case .form(let rows) = body { rows } else { [] } }
        set { if case .form = body { body = .form(newValue) } }
    }
}
