import Foundation
import NetworkLayerTesting
import Testing

@testable import Interchange
@testable import RequestCollections

/// What is exported and imported again is the same requests, with the same expectations as far as no note says otherwise.
@Suite struct RoundTripTests {
    enum Format: String, CaseIterable {
        case hurl, vscode, jetbrains, opencollection

        func export(_ collection: RequestCollection, environment: String? = nil) throws -> (ExportedCollection, [RequestID]) {
            let requests = collection.requests
            switch self {
            case .hurl:
                let export = try HurlExport(collection, requests: requests, environment: environment)
                return (export.result, export.plan.requests.map(\.definition.id))
            case .vscode, .jetbrains:
                let dialect: HTTPFileExport.Dialect = self == .vscode ? .vscode : .jetbrains
                let export = try HTTPFileExport(collection, requests: requests, environment: environment, dialect: dialect)
                return (export.result, export.plan.requests.map(\.definition.id))
            case .opencollection:
                let export = try OpenCollectionExport(collection, requests: requests, environment: environment)
                return (export.result, export.plan.requests.map(\.definition.id))
            }
        }

        var path: String {
            switch self {
            case .hurl: "shop.hurl"
            case .vscode, .jetbrains: "shop.http"
            case .opencollection: "shop.yml"
            }
        }

        var kind: ImportKind {
            switch self {
            case .hurl: .hurl
            case .vscode, .jetbrains: .http
            case .opencollection: .bruno
            }
        }
    }

    /// - Returns: how many requests were compared.
    @discardableResult private func compare(
        _ collection: RequestCollection, as format: Format, environment: String? = nil, variables: [String: JSONValue] = [:],
        _ comment: String = ""
    ) throws -> Int {
        let (exported, ids) = try format.export(collection, environment: environment)
        let left = Set(exported.notes.filter { $0.text.hasPrefix("left out") }.compactMap(\.request))
        let sent = ids.filter { !left.contains($0) }
        guard !sent.isEmpty else { return 0 }
        let imported = try ImportedText(exported.text, path: format.path, as: format.kind, keepsSecrets: true)
        let again = imported.collection.requests
        try #require(again.count == sent.count, "\(comment)\n\(exported.text)\n\(imported.yaml)")
        for (id, read) in zip(sent, again) {
            let definition = try #require(collection.request(id))
            guard let before = try? SentRequest(definition, in: collection, environment: environment, variables: variables) else {
                continue
            }
            let after = try SentRequest(read, in: imported.collection, variables: variables)
            let notes = exported.notes.filter { $0.request == id }.map(\.text)
            let isOtherwise = notes.contains {
                $0.hasPrefix("`auth`") || $0.hasPrefix("`body`") || $0.contains("has no equal") || $0.contains("of the part")
                    || $0.contains("has no default") || $0.contains("in a text")
            }
            if !isOtherwise {
                #expect(
                    after.masked(as: before) == before.masked(as: after),
                    "\(comment) \(format) \(id)\n\(notes)\n\(exported.text.prefix(20_000))")
            }
            let unsaid = notes.filter { $0.hasPrefix("`expect`") }
            if unsaid.isEmpty {
                #expect(
                    read.plainExpectations == definition.plainExpectations.filter { !$0.hasPrefix("error ") }, "\(comment) \(id)")
            } else {
                #expect(Set(read.plainExpectations).isSubset(of: definition.plainExpectations), "\(comment) \(id)")
            }
            if format != .vscode, !notes.contains(where: { $0.hasPrefix("`capture`") }) {
                #expect(read.plainCaptures == definition.plainCaptures, "\(comment) \(id)")
            }
        }
        return sent.count
    }

    private static let demo = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Collections/demo").path(percentEncoded: false)

    @Test(arguments: Format.allCases) func `the demo collection`(format: Format) throws {
        let collection = try RequestCollection.load(path: Self.demo)
        let count = try compare(collection, as: format, variables: ["fresh-token": .string("f")])
        #expect(count > collection.requests.count * 9 / 10)
    }

    private static let shop = """
        turnstone: 1
        name: Shop
        variables: { host: "https://shop.test", base: "{{host}}/v1", n: 3, token: { secret: { env: SHOP_TOKEN } } }
        environments: { staging: { host: "https://staging.test" } }
        defaults: { headers: { accept: application/json }, auth: { bearer: "{{token}}" } }
        requests:
          login:
            post: "{{base}}/login"
            auth: none
            body: { json: { user: ada, n: "{{n}}", text: "no. {{n}}" } }
            capture: { session: .session.id }
            expect: { status: 201, header: { content-type: /json/ }, body: { .user.name: ada, .items: length 2, .total: "> 3" } }
          orders:
            name: Orders
            requests:
              list:
                get: "{{base}}/orders"
                query: { page: 2, q: "a b&c" }
                cookies: { sid: "{{session}}" }
                needs: login
                expect: { status: 2xx, time: { total: "< 500ms" } }
              one: { get: "{{base}}/orders/:id", path: { id: "7/8" }, headers: { accept: null, x-a: "#1" } }
              form: { put: "{{base}}/orders", auth: { basic: { user: ada, password: "pw" } }, body: { form: { a: "1 2", b: "&" } } }
              graph: { post: "{{base}}/graphql", body: { graphql: { query: "{ a }", variables: { n: 1 } } } }
              parts: { post: "{{base}}/up", body: { multipart: { a: "x", f: { file: a.png } } } }
        """

    @Test(arguments: Format.allCases, [nil, "staging"]) func `a collection with folders, variables and a chain`(
        format: Format, environment: String?
    ) throws {
        let collection = RequestCollection.of(Self.shop)
        #expect(collection.problems.isEmpty)
        let count = try compare(
            collection, as: format, environment: format == .opencollection ? nil : environment,
            variables: ["token": .string("t"), "session": .string("s")])
        #expect(count == 6)
    }

    @Test(arguments: Format.allCases) func `no secret is in a file, and its variable is`(format: Format) throws {
        let (exported, _) = try format.export(.of(Self.shop))
        #expect(exported.text.contains("{{token}}"))
        let whole = exported.text + exported.notes.map(\.text).joined() + exported.files.map(\.text).joined()
        #expect(whole.contains("SHOP_TOKEN"))
    }

    // MARK: At random

    @Test(arguments: Format.allCases, 0..<60 as Range<UInt64>) func `any collection`(format: Format, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = RandomCollection.text(&random)
        let collection = RequestCollection.of(text)
        try #require(collection.problems.isEmpty, "\(collection.problems)\n\(text)")
        try compare(collection, as: format, variables: ["key": .string("k3y")], "seed \(seed)\n\(text)\n")
    }

    @Test func `most random requests can be said`() throws {
        for format in Format.allCases {
            var (count, left) = (0, 0)
            for seed in 0..<60 as Range<UInt64> {
                var random = SeededGenerator(seed: seed)
                let (exported, ids) = try format.export(.of(RandomCollection.text(&random)))
                count += ids.count
                left += exported.notes.count { $0.text.hasPrefix("left out") }
            }
            #expect(left * 5 < count, "\(format): \(left) of \(count)")
        }
    }

    // MARK: Others' files

    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "FuzzingTests/Corpus")

    @Test(arguments: [
        ("hurl/chain.hurl", Format.hurl), ("http/shop.http", .vscode), ("http/shop.http", .jetbrains),
        ("bruno/bundle.yml", .opencollection),
    ]) func `a file of another program is stable`(path: String, format: Format) throws {
        let text = try String(contentsOf: Self.corpus.appending(path: path), encoding: .utf8)
        try checkStable(text, format)
    }

    @Test func `Hurl's asserts and captures are written as they were`() throws {
        let claims = """
            [Captures]
            token: jsonpath "$.data.token" redact
            page: header "link" regex /page=(\\d+)/
            [Asserts]
            header "content-type" contains "json"
            jsonpath "$.items" count == 2
            jsonpath "$.a" != null
            jsonpath "$.b" exists
            jsonpath "$.total" > 3.5
            jsonpath "$.name" startsWith "A"
            jsonpath "$['a b']" isString
            jsonpath "$.list[*].id" isCollection
            xpath "//h1" exists
            duration < 300
            bytes count < 10240
            cookie "sid[HttpOnly]" exists
            certificate "Subject" contains "CN"
            """
        let text = "GET https://shop.test/\nHTTP 200\n\(claims)\n"
        let imported = try ImportedText(text, path: "a.hurl", as: .hurl)
        #expect(imported.notes == [])
        let exported = try HurlExport(imported.collection, requests: imported.collection.requests).result
        #expect(exported.notes.filter { $0.text.hasPrefix("`") } == [])
        for line in claims.split(separator: "\n") {
            #expect(exported.text.contains("\(line)\n"), "\(line)\n\(exported.text)")
        }
        try checkStable(text, .hurl)
    }

    private func checkStable(_ text: String, _ format: Format) throws {
        let first = try ImportedText(text, path: format.path, as: format.kind)
        let (exported, _) = try format.export(first.collection)
        let second = try ImportedText(exported.text, path: format.path, as: format.kind)
        let (again, _) = try format.export(second.collection)
        #expect(again.text == exported.text)
        #expect(second.collection.requests.count == first.collection.requests.count)
        for (one, other) in zip(first.collection.requests, second.collection.requests) {
            #expect(one.method == other.method)
            #expect(one.plainExpectations == other.plainExpectations)
            #expect(one.description == other.description)
        }
    }
}

/// A collection, made of what files, URLs, forms and JSON might stumble over.
enum RandomCollection {
    private static let words = [
        "a", "", "x y", "it's", "\"q\"", "\\", "\\n", "é", "日本", "%41", "100%", "a+b", "a&b=c", "a;b", "#h", "?q", "[1-3]", "{a,b}",
        "<x>",
        "`b`", "```", "~", "*", "-x", "a:b", ",", "=", "{{plain}}", "{{key}}", "x{{key}}y", "null", "true", "12", "{{n}}", "// c",
        "@v = 1",
    ]
    private static let paths = [
        "", "/", "/a", "/a/../b", "//a", "/%2F", "/a%20b", "/é", "/a;b", "/[x]", "/{{plain}}", "/a?x=1", "/a?b&c=", "/a b",
    ]
    private static let claims = [
        "status: 200", "status: [200, 204]", "status: 2xx", "status: \"< 400\"", "header: { etag: exists, content-type: /json/ }",
        "body: { .a: 1, .b: \"x y\", .c: true }", "body: { .a: \"> 3\", .d: \"is string\", .e: exists }",
        "time: { total: \"< 1s\" }",
        "body: { .items: length 2, \".items[0].id\": contains a }", "url: http://h/", "body: { .a: \"not 5\", .f: [1, 2] }",
        "size: \"< 10KB\"",
        "body: { .x: starts with a, .y: ends with b, .z: \"/^a/\" }", "cookie: { sid: exists }",
        "body: { .list: \"is array\", .m: missing }",
    ]

    private static func pick(_ texts: [String], _ random: inout SeededGenerator) -> String { texts.randomElement(using: &random)! }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"][$0] ?? String($0) }.joined() + "\""
    }

    private static func word(_ random: inout SeededGenerator) -> String { quoted(pick(words, &random)) }

    private static func map(_ random: inout SeededGenerator, prefix: String = "", _ value: (inout SeededGenerator) -> String)
        -> String
    {
        let some = ["a", "b-c", "X_Y", "d.e", "f"].shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        return "{ \(some.map { "\(prefix)\($0): \(value(&random))" }.joined(separator: ", ")) }"
    }

    private static func body(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: "{ text: \(quoted((0..<2).map { _ in pick(words.filter { !$0.isEmpty }, &random) }.joined(separator: "\n"))) }"
        case 1: "{ form: \(map(&random, word)) }"
        case 2: "{ json: \(map(&random) { Bool.random(using: &$0) ? word(&$0) : "[1, \(word(&$0)), null]" }) }"
        case 3: "{ multipart: \(map(&random, word)) }"
        case 4: "{ file: file.bin }"
        case 5: "{ graphql: { query: \"{ a }\", variables: \(map(&random, word)) } }"
        default: "none"
        }
    }

    private static func request(_ random: inout SeededGenerator) -> String {
        let method = pick(["get", "get", "post", "put", "patch", "delete"], &random)
        var entries = ["\(method): \(quoted("{{host}}" + pick(paths, &random)))"]
        if Bool.random(using: &random) { entries.append("query: \(map(&random, word))") }
        if Bool.random(using: &random) { entries.append("headers: \(map(&random, prefix: "x-", word))") }
        if Int.random(in: 0..<4, using: &random) == 0 { entries.append("cookies: { sid: \"{{plain}}\", b: 1 }") }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: entries.append("auth: { basic: { user: \(quoted(pick(["ada", "é"], &random))), password: \(word(&random)) } }")
        case 1: entries.append("auth: { bearer: \"t{{key}}\" }")
        case 2: entries.append("auth: { api-key: { name: k, value: \(word(&random)), in: \(pick(["query", "header"], &random)) } }")
        case 3: entries.append("auth: none")
        default: break
        }
        if Int.random(in: 0..<3, using: &random) > 0 { entries.append("body: \(body(&random))") }
        if Bool.random(using: &random) { entries.append("expect: { \(pick(claims, &random)) }") }
        return "{ \(entries.joined(separator: ", ")) }"
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let defaults =
            Bool.random(using: &random) ? "defaults: { headers: { x-all: \(word(&random)) }, auth: { bearer: b } }\n" : ""
        let requests = (0..<4).map { "  r\($0): \(request(&random))" }.joined(separator: "\n")
        let inner = (0..<2).map { "      i\($0): \(request(&random))" }.joined(separator: "\n")
        return """
            turnstone: 1
            name: Random
            variables: { host: "http://h.test:81", plain: "p1ain", n: 5, key: { secret: { env: KEY } } }
            \(defaults)requests:
            \(requests)
              folder:
                defaults: { headers: { x-folder: "1" } }
                requests:
            \(inner)

            """
    }
}
