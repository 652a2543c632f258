import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite("Requests and folders are found by their ids")
struct LookupTests {
    private let collection = RequestCollection.of(
        """
        turnstone: 1
        requests:
          a: { get: "http://localhost/a" }
          ab:
            requests:
              c: { get: "http://localhost/ab/c" }
              deep:
                requests:
                  c: { get: "http://localhost/ab/deep/c" }
        """)

    private func url(_ id: String, in collection: RequestCollection) -> String? {
        collection.request(RequestID(rawValue: id))?.url
    }

    private func folders(_ id: String) -> [String] {
        collection.folders(around: RequestID(rawValue: id)).map(\.id.rawValue)
    }

    @Test("a request, wherever it is")
    func requests() {
        #expect(url("a", in: collection) == "http://localhost/a")
        #expect(url("ab/c", in: collection) == "http://localhost/ab/c")
        #expect(url("ab/deep/c", in: collection) == "http://localhost/ab/deep/c")
        for id in ["", "ab", "b", "a/c", "ab/", "ab/deep", "ab/c/d"] { #expect(url(id, in: collection) == nil) }
    }

    @Test("the folders around one, also one that isn't there yet")
    func around() {
        #expect(folders("ab/deep/c") == ["ab", "ab/deep"])
        #expect(folders("ab/deep/new") == ["ab", "ab/deep"])
        #expect(folders("ab/new/deep") == ["ab"])
        #expect(folders("a") == [])
        #expect(folders("a/c") == [])
    }

    @Test("what was found is forgotten when the tree changes, and copies keep theirs")
    func changes() throws {
        let before = collection
        #expect(url("a", in: before) == "http://localhost/a")
        var after = before
        guard case .request(let saved) = after.nodes[0] else { throw CancellationError() }
        var request = saved.wrappedValue
        request.url = "http://localhost/other"
        after.nodes[0] = .request(request)
        #expect(url("a", in: after) == "http://localhost/other")
        #expect(url("a", in: before) == "http://localhost/a")
        after.nodes.removeFirst()
        #expect(url("a", in: after) == nil)
        #expect(after.hasRequests)
        after.nodes = []
        #expect(!after.hasRequests)
        #expect(url("ab/c", in: after) == nil)
    }

    @Test("of two with one id the first counts")
    func first() {
        var twice = collection
        twice.nodes.append(
            .request(
                RequestDefinition(
                    id: RequestID(rawValue: "a"), method: "GET", url: "second", location: collection.requests[0].location)))
        #expect(url("a", in: twice) == "http://localhost/a")
    }

    @Test("a definition in JSON has no key for what it has not, and comes back")
    func coding() throws {
        let plain = collection.requests[0]
        let text = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
        for key in ["auth", "body", "hydrate", "mock"] { #expect(!text.contains("\"\(key)\"")) }
        #expect(text.contains("\"settings\":{"))
        var full = plain
        full.auth = .bearer("{{token}}")
        full.body = .text("x")
        full.settings.proxy = "http://localhost:1"
        full.hydrate = HydrateDefinition(words: ["true"], location: plain.location)
        for definition in [plain, full] {
            let data = try JSONEncoder().encode(definition)
            #expect(try JSONDecoder().decode(RequestDefinition.self, from: data) == definition)
        }
        #expect(full != plain)
        full.auth = nil
        full.body = nil
        full.settings.proxy = nil
        full.hydrate = nil
        #expect(full == plain)
        #expect(Set([full, plain]).count == 1)
    }

    // The history and drafts keep definitions: an older version's know nothing of the lists that came later.
    @Test func `a definition whose lists aren't written has empty ones`() throws {
        let plain = collection.requests[0]
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(plain)) as? [String: Any])
        let lists = object.filter { $0.value is [Any] }.keys
        #expect(Set(["needs", "tearDown", "headers"]).isSubset(of: lists))
        for list in lists { object[list] = nil }
        let data = try JSONSerialization.data(withJSONObject: object)
        #expect(try JSONDecoder().decode(RequestDefinition.self, from: data) == plain)
    }
}
