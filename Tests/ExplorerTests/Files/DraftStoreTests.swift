import Explorer
import ExplorerModel
import Foundation
import RequestCollections
import Testing

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

    @Test func `a draft comes back as it was, to its own collection only`() throws {
        try store.write(definition("one/two"), of: reference("one/two"))
        try store.write(definition("one"), of: reference("one", in: "/b.yaml"))
        let drafts = store.drafts(of: "/a.yaml")
        #expect(drafts.map(\.0) == [reference("one/two")])
        #expect(drafts.map(\.1) == [definition("one/two")])
    }

    @Test func `a later draft takes the place of the earlier one, and none takes it away`() throws {
        try store.write(definition("one"), of: reference("one"))
        var changed = definition("one")
        changed.url = "http://z/"
        try store.write(changed, of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").map(\.1) == [changed])
        try store.write(nil, of: reference("one"))
        try store.write(nil, of: reference("one"))
        #expect(store.drafts(of: "/a.yaml").isEmpty)
    }

    @Test func `only the owner can read them`() throws {
        try store.write(definition("one"), of: reference("one"))
        let files = try FileManager.default.contentsOfDirectory(atPath: store.directory)
        #expect(files.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(store.directory)/\(files[0])")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `what can't be read is left alone`() throws {
        try store.write(definition("one"), of: reference("one"))
        try Data("nonsense".utf8).write(to: URL(filePath: "\(store.directory)/0.json"))
        #expect(store.drafts(of: "/a.yaml").count == 1)
        #expect(FileManager.default.fileExists(atPath: "\(store.directory)/0.json"))
    }

    @Test func `they lie where state belongs`() {
        #expect(DraftStore(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])?.directory == "/s/turnstone/drafts")
        #expect(DraftStore(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"])?.directory == "/h/.local/state/turnstone/drafts")
        #expect(DraftStore(environment: [:]) == nil)
    }
}
