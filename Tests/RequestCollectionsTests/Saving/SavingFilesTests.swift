import Foundation
import Testing

@testable import RequestCollections

@Suite struct SavingFilesTests {
    private static let id = RequestID(rawValue: "f/a")

    private static func directory() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "_collection.yaml": "turnstone: 1\n", "f/a.yaml": "get: http://a/ # c\n", "f/b.yaml": "get: http://b/\n",
        ])
    }

    private static func draft(_ collection: RequestCollection) throws -> RequestDefinition {
        var draft = try #require(collection.request(id))
        draft.url = "http://new/"
        return draft
    }

    @Test func `one file is replaced, with its mode, and nothing is left beside it`() throws {
        let directory = try Self.directory()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: directory.path("f/a.yaml"))
        let collection = try RequestCollection.load(path: directory.path)
        let change = try collection.saving(Self.draft(collection))
        #expect(try directory.read("f/a.yaml") == "get: http://a/ # c\n")
        try change.write()
        #expect(try directory.read("f/a.yaml") == "get: http://new/ # c\n")
        #expect(try directory.read("f/b.yaml") == "get: http://b/\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("f/a.yaml"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("f")).sorted() == ["a.yaml", "b.yaml"])
        #expect(change.collection.request(Self.id)?.url == "http://new/")
        // And on from there.
        var second = try #require(change.collection.request(Self.id))
        second.method = "PUT"
        try change.collection.saving(second).write()
        #expect(try directory.read("f/a.yaml") == "put: http://new/ # c\n")
    }

    @Test func `nothing is written when nothing differs`() throws {
        let directory = try Self.directory()
        let collection = try RequestCollection.load(path: directory.path)
        #expect(try collection.saving(try #require(collection.request(Self.id))).files == [])
    }

    @Test func `a file that changed on disk is not overwritten`() throws {
        let directory = try Self.directory()
        let collection = try RequestCollection.load(path: directory.path)
        let draft = try Self.draft(collection)
        let change = try collection.saving(draft)
        try directory.write("get: http://theirs/\n", to: "f/a.yaml")
        let expected = CollectionFileError(
            path: directory.path("f/a.yaml"), message: "has changed on disk since it was read; read it again, then save")
        #expect(throws: expected) { try change.write() }
        #expect(throws: expected) { try collection.saving(draft) }
        #expect(try directory.read("f/a.yaml") == "get: http://theirs/\n")
    }

    @Test func `the target of a link is replaced, not the link`() throws {
        let directory = try Self.directory()
        try FileManager.default.moveItem(atPath: directory.path("f/a.yaml"), toPath: directory.path("real.txt"))
        try FileManager.default.createSymbolicLink(atPath: directory.path("f/a.yaml"), withDestinationPath: "../real.txt")
        let collection = try RequestCollection.load(path: directory.path)
        try collection.saving(Self.draft(collection)).write()
        #expect(try directory.read("real.txt") == "get: http://new/ # c\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("f/a.yaml")) == "../real.txt")
    }
}
