import Base
import Foundation
import Testing

@testable import RequestCollections

/// A collection that several programs write.
@Suite struct CollectionStoreTests {
    private static let shop = """
        turnstone: 1   # the shop
        name: Shop

        requests:
          # One.
          a:
            get: http://h/a   # ca
            headers: { x: 1 }   # hx
          b:
            post: http://h/b   # cb
            query:
              # Which page?
              page: 1
              size: 20   # rows

        """

    private let directory: TemporaryDirectory
    private let store = CollectionStore()

    init() throws { directory = try TemporaryDirectory(["shop.yaml": Self.shop]) }

    private var path: String { directory.path("shop.yaml") }
    private func collection() throws -> RequestCollection { try RequestCollection.load(path: path) }

    private func edit(
        _ id: RequestID, in collection: RequestCollection, _ change: (inout RequestDefinition) -> Void
    ) throws -> RequestEdit {
        let base = try #require(collection.request(id))
        var edited = base
        change(&edited)
        return RequestEdit(from: base, to: edited)
    }

    @Test func `what others have written to other entries meanwhile stays, comments and all`() throws {
        let known = try collection()
        try directory.write(
            Self.shop.replacing("# One.", with: "# The first one.").replacing("size: 20   # rows", with: "size: 50   # more rows")
                .replacing("x: 1", with: "x: 1, y: 2"), to: "shop.yaml")
        let result = try store.save(
            [edit("b", in: known) { $0.query[0].value = "9" }, edit("a", in: known) { $0.headers[0].value = "mine" }], in: known)
        #expect(result.saved.map(\.base.id) == ["b", "a"])
        #expect(result.conflicts == [] && result.failures == [])
        let expected = Self.shop.replacing("# One.", with: "# The first one.")
            .replacing("size: 20   # rows", with: "size: 50   # more rows").replacing("x: 1", with: "x: mine, y: 2")
            .replacing("page: 1", with: "page: 9")
        #expect(try directory.read("shop.yaml") == expected)
        #expect(result.collection.others(than: nil) == (try collection()).others(than: nil))
        #expect(result.collection.files == (try collection()).files)
    }

    @Test func `the same entry is a conflict, the others are saved, and theirs comes back`() throws {
        let known = try collection()
        try directory.write(Self.shop.replacing("http://h/a", with: "http://theirs/a"), to: "shop.yaml")
        let result = try store.save(
            [edit("a", in: known) { $0.url = "http://mine/a" }, edit("b", in: known) { $0.url = "http://mine/b" }], in: known)
        #expect(result.conflicts == ["a"])
        #expect(result.saved.map(\.base.id) == ["b"])
        #expect(result.collection.request("a")?.url == "http://theirs/a")
        #expect(
            try directory.read("shop.yaml")
                == Self.shop.replacing("http://h/a", with: "http://theirs/a").replacing("http://h/b", with: "http://mine/b"))
    }

    @Test func `a request that is gone, and a file that can't be read, say so and lose nothing`() throws {
        let known = try collection()
        let edits = try [edit("a", in: known) { $0.url = "http://mine/" }, edit("b", in: known) { $0.url = "http://mine/" }]
        try directory.write("turnstone: 1\nrequests:\n  b: { post: http://h/b }\n", to: "shop.yaml")
        let result = try store.save([edits[0]], in: known)
        #expect(
            result.failures == [
                .init(request: "a", message: "a isn't in \(path) any more; the edit of it is kept until it is back")
            ])
        let conflicted = "<<<<<<< ours\n" + Self.shop
        try directory.write(conflicted, to: "shop.yaml")
        #expect(try store.save(edits, in: known).failures.count == 2)
        #expect(try directory.read("shop.yaml") == conflicted)
        try FileManager.default.removeItem(atPath: path)
        #expect(
            try store.save(edits, in: known).failures.map(\.message)
                == edits.map { _ in "\(path) can't be read: no such file or directory" })
    }

    /// Files that a merge must not make into others.
    @Test(arguments: [
        (
            "\u{FEFF}turnstone: 1\r\nrequests:\r\n  a: { get: http://h/ }\r\n  b: { get: http://h/b } # c\r\n",
            "lines that end in CRLF, and a mark"
        ),
        ("turnstone: 1\nrequests:\n  a: { get: http://h/ }\n  b: { get: http://h/b } # c", "no last line break"),
        ("turnstone: 1\nrequests: { a: { get: http://h/ }, b: { get: http://h/b } }\n", "one line"),
        (
            "turnstone: 1\nrequests:\n  b: { get: 'http://h/b' }\n  a:\n    get: \"http://h/\"\n    body:\n      text: |-\n        # no comment\n        x\n",
            "a block at the end"
        ),
    ])
    func `the form of a file stays`(text: String, name: String) throws {
        try directory.write(text, to: "shop.yaml")
        let known = try collection()
        let theirs = text.replacing("http://h/b", with: "http://theirs/b")
        try directory.write(theirs, to: "shop.yaml")
        let result = try store.save([edit("a", in: known) { $0.url = "http://mine/" }], in: known)
        #expect(result.failures == [] && result.conflicts == [])
        #expect(
            try directory.read("shop.yaml")
                == theirs.replacing("http://h/\"", with: "http://mine/\"").replacing("http://h/ ", with: "http://mine/ "))
    }

    @Test func `a block that both have changed is a conflict as a whole, and both are there to choose from`() throws {
        let text =
            "turnstone: 1\nrequests:\n  a:\n    post: http://h/\n    body:\n      text: |\n        one\n        two\n        three\n"
        try directory.write(text, to: "shop.yaml")
        let known = try collection()
        let theirs = text.replacing("        one\n", with: "        ONE\n")
        try directory.write(theirs, to: "shop.yaml")
        // Line by line the two would fit; what one text means is nobody's to say.
        let edited = try edit("a", in: known) { $0.body = .text("one\ntwo\nTHREE\n") }
        let result = try store.save([edited], in: known)
        #expect(result.saved == [])
        #expect(result.conflicts.count == 1)
        #expect(try directory.read("shop.yaml") == theirs)
        #expect(result.collection.request("a")?.body == .text("ONE\ntwo\nthree\n"))
    }

    @Test func `what stands in two places at once is left to the person`() throws {
        let text = "turnstone: 1\nrequests:\n  a: { get: http://h/, headers: &h { x: 1 } }\n  b: { get: http://h/b, headers: *h }\n"
        try directory.write(text, to: "shop.yaml")
        let known = try collection()
        let result = try store.save([edit("a", in: known) { $0.headers[0].value = "2" }], in: known)
        #expect(result.saved == [])
        #expect(result.failures.first?.message.contains("has the anchor `&h`") ?? false)
        #expect(try directory.read("shop.yaml") == text)
    }

    // MARK: The tree

    @Test func `a change of the tree goes along with what others wrote`() throws {
        let known = try collection()
        let theirs = Self.shop.replacing("http://h/b", with: "http://theirs/")
        try directory.write(theirs, to: "shop.yaml")
        _ = try store.change([known]) { collections in try collections[0].applying(.rename("a", to: "first")) }
        #expect(try directory.read("shop.yaml") == theirs.replacing("  a:\n", with: "  first:\n"))
    }

    @Test func `what others have changed since it was shown isn't deleted`() throws {
        let known = try collection()
        let theirs = Self.shop.replacing("http://h/b", with: "http://theirs/")
        try directory.write(theirs, to: "shop.yaml")
        func remove(_ id: RequestID) throws {
            _ = try store.change([known]) { collections in
                try collections[0].checkUnchanged(known, for: .remove(id))
                return try collections[0].applying(.remove(id))
            }
        }
        #expect(
            throws: CollectionProblem(
                location: SourceLocation(path: path, line: 1, column: 1),
                message: "`b` was changed on disk since it was shown; look at it, then delete it again")
        ) { try remove("b") }
        #expect(try directory.read("shop.yaml") == theirs)
        try remove("a")
        #expect(try collection().requests.map(\.id) == ["b"])
        #expect(try collection().request("b")?.url == "http://theirs/")
    }

    // MARK: The lock

    @Test func `one writes at a time, and who waits too long is told`() throws {
        let known = try collection()
        let edits = try [edit("a", in: known) { $0.url = "http://mine/" }]
        let busy = CollectionStore(patience: .zero)
        let real = try #require(FileContents.realPath(directory.path))
        try FileLock.holding([real]) {
            #expect(
                throws: CollectionFileError(
                    path: real, message: "is being written to by another Turnstone; try again in a moment")
            ) { try busy.save(edits, in: known) }
        }
        #expect(try directory.read("shop.yaml") == Self.shop)
        #expect(try busy.save(edits, in: known).saved == edits)
    }

    @Test func `a link to a collection is locked where the files are`() throws {
        try FileManager.default.createDirectory(atPath: directory.path("links"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: directory.path("links/shop.yaml"), withDestinationPath: path)
        let known = try RequestCollection.load(path: directory.path("links/shop.yaml"))
        try FileLock.holding([directory.path]) {
            #expect(throws: CollectionFileError.self) {
                try CollectionStore(patience: .zero).change([known]) { _ in throw CancellationError() }
            }
        }
    }

    @Test func `who has opened a file of a directory alone waits for who has opened the directory`() throws {
        let folder = directory.path("folder")
        try directory.write("turnstone: 1\n", to: "folder/_collection.yaml")
        try directory.write("get: http://h/\n", to: "folder/deep/a.yaml")
        let known = try RequestCollection.load(path: folder)
        let edits = try [edit("deep/a", in: known) { $0.url = "http://mine/" }]
        try FileLock.holding(["\(folder)/deep"]) {
            #expect(throws: CollectionFileError.self) { try CollectionStore(patience: .zero).save(edits, in: known) }
        }
        #expect(try store.save(edits, in: known).saved == edits)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a writer that is stopped holds the others up for a moment, and they say so`() throws {
        let holder = Process()
        let said = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/env")
        // The shell stops the one that has the lock, and nothing wakes it.
        holder.arguments = ["flock", "-o", directory.path, "sh", "-c", "echo held; kill -STOP $PPID"]
        holder.standardOutput = said
        try holder.run()
        defer {
            kill(holder.processIdentifier, SIGKILL)
            holder.waitUntilExit()
        }
        #expect(said.fileHandleForReading.availableData == Data("held\n".utf8))
        let store = CollectionStore(patience: .milliseconds(50))
        let known = try collection()
        let edits = [try edit("a", in: known) { $0.url = "http://h/mine" }]
        let error = #expect(throws: CollectionFileError.self) { try store.save(edits, in: known) }
        #expect(error?.message == "is being written to by another Turnstone; try again in a moment")
        #expect(try directory.read("shop.yaml") == Self.shop)
    }
}
