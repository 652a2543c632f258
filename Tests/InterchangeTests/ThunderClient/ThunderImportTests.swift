import Foundation
import Testing

@testable import Interchange
@testable import RequestCollections

@Suite struct ThunderImportTests {
    private static func corpus(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "FuzzingTests/Corpus/thunder/\(name)"), encoding: .utf8)
    }

    @Test func `a newer collection comes with its folders, settings, tests and environment`() throws {
        let imported = try ImportedText([
            ("thunder-collection_shop.json", try Self.corpus("newer.json")),
            ("thunderEnvironment.json", try Self.corpus("project.json")),
        ])
        let collection = imported.collection
        #expect(collection.name == "Shop")
        #expect(
            collection.requests.map(\.id.rawValue) == ["orders/deep/up", "orders/form", "orders/one", "login", "graph"],
            "\(imported.yaml)")
        #expect(collection.environmentNames == ["live"])
        func sent(_ id: String) throws -> SentRequest {
            try SentRequest(
                try #require(collection.request(RequestID(rawValue: id))), in: collection, environment: "live",
                variables: ["token": .string("t"), "pw": .string("p"), "order": .string("9"), "number_1_6": .string("4")])
        }
        let one = try sent("orders/one")
        #expect(one.url == "https://shop.test/orders/9 ? page = 2")
        #expect(one.headers == ["accept: application/json", "authorization: Bearer t"])
        #expect(!(try sent("orders/deep/up")).headers.contains { $0.hasPrefix("authorization") })
        #expect(try sent("orders/form").body == "a=1+2")
        let login = try #require(collection.request(RequestID(rawValue: "login")))
        #expect(
            login.plainExpectations == [
                "body .count 2 or \"2\"", "body .session.id is string", "header content-type contains json", "status 201",
                "time total < 300ms",
            ], "\(login.plainExpectations)")
        #expect(login.captures.map { "\($0.name) \($0.source)" } == ["session .session.id"])
        #expect(try sent("login").body.contains(#""n":"4""#))
        #expect(login.auth == .basic(user: "ada", password: "{{pw}}"))
        #expect(
            imported.notes.filter { $0.hasPrefix("- ") } == [
                "- Orders / Deep / Up: the pre-request filter: JavaScript isn't run, and `hydrate` can do what it does",
                "- Login: the test `custom x equal`: no `expect` can say it",
            ], "\(imported.notes)")
        #expect(!imported.yaml.contains("s3cret"))
    }

    @Test func `an older collection, and what lies in a project`() throws {
        #expect(try ImportedText(try Self.corpus("older.json")).collection.requests.map(\.url) == ["{{url}}/api/user"])
        let requests = try ImportedText(
            #"[{"_id":"1","colId":"c","containerId":"","name":"b","url":"http://h/b","method":"GET","sortNum":20},{"_id":"2","colId":"c","containerId":"","name":"a","url":"http://h/a","method":"GET","sortNum":10}]"#,
            path: "thunderclient.json")
        #expect(requests.collection.requests.map(\.id.rawValue) == ["a", "b"])
        let file = try ImportedText(
            #"{"_id":"c","colName":"Own","folders":[{"_id":"f","name":"F","containerId":"f","sortNum":1}],"requests":[{"_id":"1","colId":"c","containerId":"f","name":"a","url":"http://h/a","method":"GET"}]}"#,
            path: "tc_col_own.json")
        // A folder that is in itself is nowhere.
        #expect(file.collection.name == "Own")
        #expect(file.collection.requests.count == 1)
    }

    @Test func `collections and their requests in files of their own come together`() throws {
        let files = [
            (
                "thunderCollection.json",
                #"[{"_id":"c1","colName":"Shop","folders":[{"_id":"f1","name":"Orders","containerId":""}],"settings":{"headers":[{"name":"X-All","value":"1"}],"auth":{"type":"bearer","bearer":"{{auth}}"}}},{"_id":"c2","colName":"Other"}]"#
            ), ("thunderActivity.json", #"[{"_id":"a","colId":"history","name":"x","url":"http://h/x","method":"GET"}]"#),
            ("thunderEnvironment.json", #"[{"_id":"e","name":"dev","data":[{"name":"auth","value":"abc"}]}]"#),
            (
                "thunderclient.json",
                #"[{"_id":"r","colId":"c1","containerId":"f1","name":"List","url":"http://h/orders","method":"GET"},{"_id":"s","colId":"c2","containerId":"","name":"Own","url":"http://h/own","method":"GET"}]"#
            ),
        ]
        .map { ImportSource(path: "thunder-tests/\($0.0)", text: $0.1) }
        let found = ImportDirectory("p", files) { _ in .none }
        #expect(found.kinds == [.thunder] && found.notes == [] && found.collections.count == 1)
        let collection = try ImportedCollection.combined(found.collections).assembled(ImportOptions(path: "a.yaml")).collection
        #expect(collection.requests.map(\.id.rawValue) == ["shop/orders/list", "other/own"])
        #expect(collection.folders.first { $0.id.rawValue == "shop" }?.defaults.auth == .bearer("{{auth}}"))
        #expect(try collection.text().contains("auth: { secret: { env: "))
    }

    @Test(arguments: [
        #"{"client":"Thunder Client","requests":"text"}"#,
        #"{"client":"Thunder Client","requests":[{"url":[],"params":{},"tests":[7]}]}"#,
        #"{"clientName":"Thunder Client","folders":[{"_id":"a","containerId":"b"},{"_id":"b","containerId":"a"}],"requests":[{"containerId":"a","url":"http://h/"}]}"#,
    ]) func `nonsense is named or refused`(text: String) {
        do {
            let imported = try ImportedText(text)
            #expect(!imported.notes.isEmpty, "\(imported.yaml)")
        } catch {
            #expect(error is CollectionProblem)
        }
    }

    @Test func `a request whose folder is in itself isn't lost, also where another one has its id`() throws {
        let imported = try ImportedText(
            """
            {"clientName":"Thunder Client","collectionName":"Shop","folders":[{"_id":"f1","name":"x","containerId":"f2"},
            {"_id":"f2","name":"y","containerId":"f1"}],"requests":[{"_id":"r","containerId":"f1","name":"inside","url":"http://h/1",
            "method":"GET"},{"_id":"r","containerId":"","name":"top","url":"http://h/2","method":"GET"}]}
            """, path: "thunder.json")
        #expect(imported.collection.requests.map(\.url) == ["{{host}}/2", "{{host}}/1"])
        #expect(imported.notes == ["inside: its folder isn't in the file"])
    }
}
