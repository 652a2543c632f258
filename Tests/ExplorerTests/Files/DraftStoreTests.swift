import Foundation
import Glibc
import RequestCollections
import Testing

@testable import Explorer

@Suite struct DraftStoreTests {
    private let folder: TemporaryFolder
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        store = DraftStore(directory: folder.path("state/drafts"))
    }

    private func definition(_ id: String) -> RequestDefinition {
        var definition = RequestDefinition(
            id: RequestID(rawValue: id), method: "POST", url: "http://x/{{y}}",
            location: SourceLocation(path: "a.yaml", line: 3, column: 5))
        definition.headers = [.init(name: "accept", value: "text/plain", isEnabled: false)]
        definition.auth = .basic(user: "ada", password: "{{password}}")
        definition.body = .multipart([.init(name: "file", content: .file("x.png"), contentType: "image/png")])
        definition.settings.timeouts.idle = .after(.milliseconds(1500))
        definition.settings.timeouts.operation = .never
        return definition
    }

    private func reference(_ id: String, in collection: String = "/a.yaml") -> RequestReference {
        RequestReference(collection: collection, id: RequestID(rawValue: id))
    }

    private func edit(_ id: String, _ change: (inout RequestDefinition) -> Void = { $0.url = "http://edited/" }) -> RequestEdit {
        var edited = definition(id)
        change(&edited)
        return RequestEdit(from: definition(id), to: edited)
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store.directory).filter { $0.hasSuffix(".json") }
    }

    @Test func `a draft comes back as it was, with what it was made from, to its own collection only`() throws {
        try store.write(edit("one/two"), of: reference("one/two"))
        try store.write(edit("one"), of: reference("one", in: "/b.yaml"))
        let drafts = store.drafts(of: "/a.yaml")
        #expect(drafts.map(\.0) == [reference("one/two")])
        #expect(drafts.map(\.1) == [edit("one/two")])
    }

    @Test func `a later draft takes the place of the earlier one, and none takes it away`() throws {
        try store.write(edit("one"), of: reference("one"))
        let changed = edit("one") { $0.url = "http://z/" }
        try store.write(changed, of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").map(\.1) == [changed])
        try store.write(nil, of: reference("one"))
        try store.write(nil, of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").isEmpty)
    }

    @Test func `only the owner can read them`() throws {
        try store.write(edit("one"), of: reference("one"))
        let file = try #require(try files().first)
        for path in [store.directory, "\(store.directory)/\(file)"] {
            let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(path)")
        }
    }

    @Test func `the draft of a program that runs is its own`() throws {
        let other = DraftStore(directory: store.directory)
        try other.write(edit("one"), of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").isEmpty)
        let mine = edit("one") { $0.method = "PUT" }
        try store.write(mine, of: reference("one"))
        // One undoes, the other's stays.
        try other.write(nil, of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").map(\.1) == [mine])
        #expect(other.drafts(of: "/a.yaml").isEmpty)
    }

    @Test func `the draft of a program that has ended is taken over by one of those that come`() throws {
        let ended = DraftStore(directory: store.directory)
        try ended.write(edit("one"), of: reference("one"))
        try ended.write(edit("two"), of: reference("two", in: "/b.yaml"))
        ended.leave()
        #expect(store.drafts(of: "/a.yaml").map(\.1) == [edit("one")])
        #expect(DraftStore(directory: store.directory).drafts(of: "/a.yaml").isEmpty)
        // The rest waits for who opens its collection.
        #expect(DraftStore(directory: store.directory).drafts(of: "/b.yaml").map(\.1) == [edit("two")])
        try store.write(nil, of: reference("one"))
        store.leave()
        #expect(DraftStore(directory: store.directory).drafts(of: "/a.yaml").isEmpty)
    }

    @Test func `of two drafts of one request the second waits until the first is done`() throws {
        for url in ["http://first/", "http://second/"] {
            let ended = DraftStore(directory: store.directory)
            try ended.write(edit("one") { $0.url = url }, of: reference("one"))
            ended.leave()
        }
        let first = try #require(store.drafts(of: "/a.yaml").first)
        #expect(store.drafts(of: "/a.yaml").map(\.1) == [first.1])
        try store.write(nil, of: reference("one"))
        let second = try #require(store.drafts(of: "/a.yaml").first)
        #expect(Set([first.1.edited.url, second.1.edited.url]) == ["http://first/", "http://second/"])
    }

    @Test func `nothing is left behind without a draft`() throws {
        try store.write(edit("one"), of: reference("one"))
        try store.write(nil, of: reference("one"))
        store.leave()
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory) == [])
    }

    @Test func `what can't be read is left alone`() throws {
        try store.write(edit("one"), of: reference("one"))
        let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: store.directory).first)
        let nonsense = "\(store.directory)/\(folder)/0.json"
        try Data("nonsense".utf8).write(to: URL(filePath: nonsense))
        #expect(store.drafts(of: "/a.yaml").count == 1)
        #expect(FileManager.default.fileExists(atPath: nonsense))
    }

    @Test func `a draft is found by whatever link leads to its collection`() throws {
        let collection = folder.path("shop.yaml")
        try Data().write(to: URL(filePath: collection))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.yaml"), withDestinationPath: collection)
        let ended = DraftStore(directory: store.directory)
        try ended.write(edit("one"), of: reference("one", in: folder.path("link.yaml")))
        ended.leave()
        #expect(store.drafts(of: collection).map(\.1) == [edit("one")])
    }

    @Test func `what can't be kept says where`() throws {
        try Data().write(to: URL(filePath: folder.path("file")))
        let store = DraftStore(directory: folder.path("file/drafts"))
        do {
            try store.write(edit("one"), of: reference("one"))
            Issue.record("it was kept")
        } catch {
            #expect("\(error)".contains(folder.path("file/drafts")))
        }
    }

    @Test func `they lie where state belongs`() {
        #expect(DraftStore(stateDirectory: "/s/turnstone")?.directory == "/s/turnstone/drafts")
        #expect(DraftStore(stateDirectory: nil) == nil)
    }
}
