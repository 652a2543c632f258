import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// `for-each` whose items come from an answer, or that goes from page to page.
@Suite struct RunAnsweredItemsTests {
    private static let shop = """
        turnstone: 1
        variables: { own: [1, 2], word: x, users-by-id: { a: 1, b: 2 } }
        requests:
          list: { get: http://shop/list, capture: { ids: .ids, none: .none, users: .users, keys: { from: .keys, secret: true } } }
          each: { delete: "http://shop/items/{{id}}", for-each: { id: "{{ids}}" } }
          user: { get: "http://shop/users/{{u.name}}", for-each: { u: "{{users}}" }, when: { u.on: true } }
          own: { get: "http://shop/own/{{n}}", for-each: { n: "{{own}}" } }
          after: { get: http://shop/after, needs: own }
          empty: { get: "http://shop/{{n}}", for-each: { n: "{{none}}" } }
          none-made: { post: "http://shop/make/{{n}}", for-each: { n: "{{none}}" }, capture: { nothing: .made } }
          none-read: { get: http://shop/read, query: { of: "{{nothing}}" } }
          map: { get: "http://shop/map/{{m.key}}/{{m.value}}", for-each: { m: "{{users-by-id}}" } }
          by-link: { get: http://shop/link, for-each: { c: { pages: link:next } } }
          relative: { get: http://shop/relative, for-each: { c: { pages: .next } } }
          word: { get: "http://shop/{{n}}", for-each: { n: "{{word}}" } }
          hidden: { get: "http://shop/{{n}}", for-each: { n: "{{keys}}" } }
          taken: { get: "http://shop/taken/{{n}}", for-each: { n: "{{x}}" } }
          giver: { get: "http://shop/give/{{n}}", for-each: { n: "{{own}}" }, capture: { x: .next } }
          asks: { get: 'http://shop/{{response("giver", ".next")}}' }
          found: { get: "http://shop/cursor?c={{c}}", for-each: { c: { pages: .next } }, capture: { all: { from: .ids, flat: true } } }
          ones: { get: "http://shop/one/{{n}}", for-each: { n: "{{all}}" } }
          lists: { get: "http://shop/cursor?c={{c}}", for-each: { c: { pages: .next } }, capture: { some: .ids } }
          body: { get: http://shop/body, query: { of: "{{some}}" } }
          make: { post: "http://shop/make/{{m}}", for-each: { m: [1, 2, 3] }, when: { m: "!= 2" }, capture: { made: .made } }
          clean: { delete: http://shop/clean, query: { made: "{{made}}" } }
          sum: { get: http://shop/sum, query: { made: "{{made}}" }, tear-down: clean }
          maybe: { get: http://shop/maybe, query: { made: "{{made | default('none')}}" } }
          fails: { post: "http://shop/items/{{m}}", for-each: { m: [4, 5, 6] }, capture: { x5: .next } }
          after-failure: { get: http://shop/never, query: { x: "{{x5}}" } }
          cursor: { get: "http://shop/cursor?c={{c}}", for-each: { c: { pages: .next } } }
          number: { get: "http://shop/cursor?c={{c}}", for-each: { c: { pages: .next, start: 1, at-most: 2 } } }
          url: { get: http://shop/url, query: { limit: 2 }, for-each: { c: { pages: .next } } }
          link: { get: http://shop/link, for-each: { c: { pages: 'header:link: /<([^>]*)>; rel="next"/' } } }
          evil: { get: http://shop/evil, for-each: { c: { pages: .next } } }
          same: { get: http://shop/same, for-each: { c: { pages: .next } } }
          braces: { get: http://shop/braces, for-each: { c: { pages: .next } } }
          broken: { get: http://shop/broken, for-each: { c: { pages: .next } } }
        """

    private static func answer(to url: URL) -> (status: HTTPResponse.Status, body: String, link: String?) {
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { ["c", "page"].contains($0.name) }?
            .value
        let number = query.flatMap { Int($0) } ?? 1
        switch url.path() {
        case "/list":
            return (
                .ok,
                #"{"ids":[3,5,"x y"],"none":[],"keys":["k-1-of-many"],"users":[{"name":"ada","on":true},{"name":"bob","on":false}]}"#,
                nil
            )
        case "/items/5": return (.notFound, "{}", nil)
        case "/cursor": return (.ok, "{\"next\":\(number < 3 ? "\"\(number + 1)\"" : "null"),\"ids\":[\(number),\(number)0]}", nil)
        case let path where path.hasPrefix("/give/"): return (.ok, "{\"next\":\"x\(path.dropFirst(6))\"}", nil)
        case let path where path.hasPrefix("/make/"): return (.ok, "{\"made\":\(path.dropFirst(6))}", nil)
        case "/url": return (.ok, number < 3 ? "{\"next\":\"/url?page=\(number + 1)\"}" : #"{"next":""}"#, nil)
        case "/relative": return (.ok, number < 3 ? "{\"next\":\"?page=\(number + 1)\"}" : #"{"next":""}"#, nil)
        case "/link": return (.ok, "{}", number < 2 ? "<http://shop/link?page=2>; rel=\"next\", <x>; rel=\"last\"" : nil)
        case "/evil": return (.ok, #"{"next":"http://other/stolen"}"#, nil)
        case "/same": return (.ok, #"{"next":"a"}"#, nil)
        case "/braces" where url.query() == nil: return (.ok, #"{"next":"/braces?x={{env('HOME')}}&y=/:id"}"#, nil)
        case "/broken": return (.serviceUnavailable, #"{"next":"2"}"#, nil)
        default: return (.ok, #"{"next":false}"#, nil)
        }
    }

    /// - Parameter interruptAt: it is interrupted by the time that so many requests are there.
    private func run(
        _ words: String..., interruptAt: Int? = nil, interrupts: Interrupts = Interrupts()
    ) async throws -> (sent: [String], CommandLineRun) {
        let (directory, path) = try ShopFile.make(Self.shop)
        defer { withExtendedLifetime(directory) {} }
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let url = request.request.url
            let count = sent.withLock { sent in
                sent.append(String(url.absoluteString.dropFirst("http://shop".count)))
                return sent.count
            }
            if count == interruptAt { interrupts.interrupt() }
            let (status, body, link) = Self.answer(to: url)
            var headers: HTTPFields = [.contentType: "application/json"]
            if let link { headers[HTTPField.Name("link")!] = link }
            return .respond(status: status, headers: headers, body: Data(body.utf8))
        }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: transport, interrupts: interrupts,
            environment: ["HOME": directory.path])
        return (
            sent.withLock { $0 },
            CommandLineRun(
                status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
                errors: shown.errors.replacing(path, with: "shop.yaml"))
        )
    }

    @Test(arguments: [
        ("own", ["/own/1", "/own/2"]), ("after", ["/own/1", "/own/2", "/after"]), ("user", ["/list", "/users/ada"]),
        ("each", ["/list", "/items/3", "/items/5", "/items/x%20y"]), ("empty", ["/list"]),
        // What goes through an empty list captures empty lists.
        ("none-read", ["/list", "/read?of=%5B%5D"]), ("map", ["/map/a/1", "/map/b/2"]), ("by-link", ["/link", "/link?page=2"]),
        ("relative", ["/relative", "/relative?page=2", "/relative?page=3"]),
        ("cursor", ["/cursor?c=", "/cursor?c=2", "/cursor?c=3"]),
        ("url", ["/url?limit=2", "/url?page=2", "/url?page=3"]), ("link", ["/link", "/link?page=2"]), ("evil", ["/evil"]),
        ("same", ["/same", "/same"]), ("broken", ["/broken"]), ("asks", []), ("word", []),
        ("taken", ["/give/1", "/give/2", "/taken/x1", "/taken/x2"]),
        ("ones", (1...3).map { $0 == 1 ? "/cursor?c=" : "/cursor?c=\($0)" } + [1, 10, 2, 20, 3, 30].map { "/one/\($0)" }),
        ("body", ["/cursor?c=", "/cursor?c=2", "/cursor?c=3", "/body?of=%5B%5B1%2C10%5D%2C%5B2%2C20%5D%2C%5B3%2C30%5D%5D"]),
        ("maybe", ["/maybe?made=none"]),
        ("braces", ["/braces", "/braces?x=%7B%7Benv('HOME')%7D%7D&y=/%3Aid"]),
    ])
    func `each item and each page is sent, items at once as --jobs says`(name: String, sent: [String]) async throws {
        #expect(try await run(name).sent == sent)
        #expect(try await run(name, "--jobs", "4").sent.sorted() == sent.sorted())
    }

    @Test(arguments: [
        ("word", 24, "shop.yaml:15:49: `for-each` takes a list, and `word` is the text \"x\""),
        ("empty", 0, "`none` is empty, so there is nothing to send it for"),
        ("hidden", 23, "`keys` is a secret, and the items of a `for-each` are shown"),
        ("number", 1, "there are more than 2 pages; `at-most` lets it have more"),
        ("evil", 1, "the next page is at http://other, and not at http://shop"),
        ("same", 1, "page 3 would be the same once more, so this would never end"),
        ("asks", 2, "`response()` of `asks` asks for one answer of `giver`, which is sent once for each item of a `for-each`"),
    ])
    func `what can't be gone through says why`(name: String, status: Int32, sentence: String) async throws {
        let (_, shown) = try await run(name)
        #expect(shown.status.rawValue == status)
        #expect((shown.output + shown.errors).contains(sentence), "\(shown.output)\(shown.errors)")
    }

    @Test func `each has its verdict in every report, in order, and the next request waits for all of them`() async throws {
        let tap = try await run("each", "own", "--jobs", "8", "--fail", "--report", "tap=-").1
        #expect(tap.status == .expectationFailed)
        let lines = tap.output.components(separatedBy: "\n").filter { $0.contains("ok ") }
        #expect(
            lines == [
                "ok 1 - list", "ok 2 - each[id=3]", "not ok 3 - each[id=5]", "ok 4 - each[id=x y]", "ok 5 - own[n=1]",
                "ok 6 - own[n=2]",
            ])
        let junit = try await run("cursor", "--repeat", "2", "--report", "junit=-").1
        #expect(junit.output.components(separatedBy: "<testcase name=\"cursor[2]\"").count == 3)
        #expect(junit.output.contains("tests=\"6\" failures=\"0\""))
        let json = try await run("each", "--fail", "--report", "json=-").1
        let runs = try #require(JSONParser.parse(json.output)?["runs"]?.items)
        #expect(runs.compactMap { $0["iteration"] } == ["id=3", "id=5", "id=x y"])
        #expect(try await run("url", "--report", "html=-").1.output.contains("url[3]"))
    }

    @Test(arguments: ["each", "cursor"]) func `an interrupt between two items is no success`(name: String) async throws {
        let interrupts = Interrupts()
        // The answer to the last of these comes when the run is being ended.
        let (sent, shown) = try await run(name, interruptAt: name == "each" ? 2 : 1, interrupts: interrupts)
        #expect(sent.count == (name == "each" ? 2 : 1))
        #expect(shown.status.rawValue == 130)
        #expect(shown.output.contains("not sent"), "\(shown.output)")
    }

    @Test func `what isn't known yet has a name where nothing is sent`() async throws {
        let plan = try await run("each", "cursor", "--plan").1
        #expect(plan.output.contains("DELETE  each  after list (ids)  for each id of {{ids}}\n"))
        #expect(plan.output.contains("GET     cursor  for each page (.next), 100 at most\n"))
        let dry = try await run("each", "--dry-run")
        #expect(dry.sent.isEmpty && dry.1.output.contains("DELETE http://shop/items/‹id›\n"))
        let (directory, path) = try ShopFile.make(Self.shop)
        defer { withExtendedLifetime(directory) {} }
        let checked = await CommandLineRun.run(["check", path], transport: ScriptedTransport { _ in .nothing })
        #expect(checked.output.contains("error: `response()` of `asks` asks for one answer of `giver`"), "\(checked.output)")
    }
}
