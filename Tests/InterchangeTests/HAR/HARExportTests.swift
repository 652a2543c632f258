import Foundation
import SchemaTesting
import Testing

@testable import Interchange
@testable import RequestCollections

/// Saved requests as an HTTP Archive.
@Suite struct HARExportTests {
    private static let shop = """
        turnstone: 1
        name: Shop
        variables: { host: "https://shop.test", token: { secret: { env: SHOP_TOKEN } } }
        environments: { staging: { host: "https://staging.test" } }
        defaults: { headers: { accept: application/json }, auth: { bearer: "{{token}}" } }
        requests:
          login:
            description: Where it begins.
            post: "{{host}}/login"
            auth: none
            body: { json: { user: ada } }
            capture: { session: .id }
            expect: { status: 201 }
            mock: { status: 201, headers: { content-type: application/json, set-cookie: sid=7; HttpOnly }, body: { json: { id: 7 } } }
          orders:
            requests:
              list: { get: "{{host}}/orders", query: { q: "a b&c" }, cookies: { sid: "{{session}}" }, needs: login }
              parts: { post: "{{host}}/up", body: { multipart: { a: "x", f: { file: a.png } } } }
              form: { put: "{{host}}/orders", auth: { digest: { user: ada, password: pw } }, body: { form: { a: "1 2", b: "&" } } }
        """

    private func export(_ text: String, environment: String? = nil) throws -> ExportedCollection {
        let collection = RequestCollection.of(text)
        #expect(collection.problems == [])
        return try HARExport(
            collection, requests: collection.requests, environment: environment, creator: .init(name: "turnstone", version: "1"),
            date: Date(timeIntervalSince1970: 1_700_000_000)
        ).result
    }

    @Test func `each request is an entry as it would be sent, with the answer of its mock`() throws {
        let exported = try export(Self.shop)
        let document = try JSONDecoder().decode(HARDocument.self, from: Data(exported.text.utf8))
        let entries = document.log.entries
        #expect(
            entries.map { "\($0.request.method) \($0.request.url) \($0.response.status)" } == [
                "POST https://shop.test/login 201", "GET https://shop.test/orders?q=a%20b%26c 0", "POST https://shop.test/up 0",
                "PUT https://shop.test/orders 0",
            ])
        #expect(entries[0].comment == "Where it begins.")
        #expect(entries[0].response.content.text?.contains("\"id\": 7") == true)
        #expect(entries[0].response.cookies.map { "\($0.name)=\($0.value) \($0.httpOnly == true)" } == ["sid=7 true"])
        // The file isn't looked at, so the size isn't known.
        #expect(entries[2].request.bodySize == -1 && entries[3].request.bodySize == 11)
        #expect(entries[0].startedDateTime == "2023-11-14T22:13:20.000Z")
        #expect(entries[1].request.queryString.map(\.value) == ["a b&c"])
        #expect(entries[1].request.cookies.map { "\($0.name)=\($0.value)" } == ["sid={{session}}"])
        #expect(entries[2].request.postData?.params.map { "\($0.name)=\($0.value) \($0.fileName ?? "")" }.first == "a=x ")
        #expect(entries[2].request.postData?.params.last?.fileName?.hasSuffix("a.png") == true)
        #expect(entries[3].request.postData?.text == "a=1+2&b=%26")
        #expect(try HARSchema.validator().accepts(try #require(JSONParser.parse(exported.text))))
        let staging = try export(Self.shop, environment: "staging")
        #expect(staging.text.contains("https://staging.test/login"))
    }

    @Test func `no secret is in it, and what isn't said is named`() throws {
        let exported = try export(Self.shop)
        #expect(exported.text.contains("Bearer {{SHOP_TOKEN}}"))
        let notes = exported.notes.map(\.description)
        for note in [
            "login: `expect`: 1 expectation", "login: `capture`: session from .id", "orders/list: `needs`: send login first",
            "orders/form: `auth`: digest, which an archive doesn't say",
        ] { #expect(notes.contains(note), "\(notes)") }
        #expect(!notes.contains { $0.contains("`mock`") })
    }

    @Test(arguments: [
        ("delay: 1s", "delay"), ("tls: { verify: false }", "tls.verify"), ("proxy: 'http://p.test:1'", "proxy"),
        ("connection: { rate: 1KB }", "connection.rate"), ("redirects: { follow: never }", "redirects.follow"),
    ])
    func `a setting that an archive doesn't say is named`(line: String, key: String) throws {
        let notes = try export("turnstone: 1\nrequests: { a: { get: http://h.test/, \(line) } }").notes
        #expect(notes.map(\.text) == ["`\(key)`: an archive doesn't say it"])
    }

    @Test func `what is exported is imported as the same requests`() throws {
        let exported = try export(Self.shop)
        let again = try ImportedText(exported.text, path: "shop.har", as: .har, keepsSecrets: true).collection.requests
        #expect(again.map(\.method) == ["POST", "GET", "POST", "PUT"])
        #expect(again[0].description == "Where it begins.")
        #expect(again[0].body == .json("{\n  \"user\": \"ada\"\n}"))
        guard case .multipart(let parts)? = again[2].body, case .form(let rows)? = again[3].body else {
            Issue.record("\(again.map(\.body))")
            return
        }
        #expect(parts.map(\.name) == ["a", "f"])
        #expect(rows.map { "\($0.name)=\($0.value)" } == ["a=1 2", "b=&"])
    }
}
