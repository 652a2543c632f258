import Foundation
import HTTPTypes
import History
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct RunnerTests {
    private static let shop = """
        environments: { local: {}, other: {} }
        requests:
          login:
            post: http://shop/login
            capture: { token: { from: .access_token, secret: true } }
          orders:
            get: http://shop/orders
            headers: { authorization: "Bearer {{token}}" }
            needs: { login: { max-age: 1h } }
          taking: { get: http://shop/taking, headers: { authorization: "Bearer {{token}}" } }
          fresh:
            get: http://shop/fresh
            headers: { authorization: "Bearer {{token}}" }
            needs: login
          broken:
            get: http://shop/broken
            needs: refused
          refused: { get: http://shop/refused }
          first:
            get: 'http://shop/first/{{response("login", ".access_token", max_age: "1h")}}'
          checked:
            get: http://shop/checked
            expect:
              status: 200
              body: { .total: "> 0", "[.items[] | .id] | add": 3 }
            capture: { sum: "[.items[] | .id] | add", name: .name }
        """

    private static func bench(history: (any RunRecorder)? = nil, prompter: (any Prompter)? = nil) throws -> RunnerBench {
        let count = Mutex(0)
        return try RunnerBench(shop, prompter: prompter, history: history) { request in
            switch request.url.path() {
            case "/login": .json(#"{"access_token":"tok-\#(count.withLock { $0 += 1; return $0 })"}"#)
            case "/refused": .json("{}", status: .forbidden)
            case "/checked": .json(#"{"total":0,"items":[{"id":1},{"id":2}]}"#)
            default: .json(#"{"ok":true}"#)
            }
        }
    }

    private func authorization(_ bench: RunnerBench) -> [String?] { bench.transport.requests.map { $0.headers[.authorization] } }

    @Test func `what a request needs is run first, and its capture filled in`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("orders")
        #expect(bench.sent == ["POST /login", "GET /orders"])
        #expect(authorization(bench) == [nil, "Bearer tok-1"])
        #expect(bench.ended == ["login", "orders"])
        #expect(result.isPassed)
        #expect(result.needed.map(\.id.rawValue) == ["login"])
        #expect(result.needed[0].captured["token"]?.value == .string("tok-1"))
    }

    @Test func `it is not run again while its last success is young enough`() async throws {
        let bench = try Self.bench()
        _ = try await bench.run("orders")
        bench.time.advance(by: .seconds(3600))
        _ = try await bench.run("orders")
        #expect(bench.sent == ["POST /login", "GET /orders", "GET /orders"])
        bench.time.advance(by: .seconds(1))
        _ = try await bench.run("orders")
        #expect(bench.sent.suffix(2) == ["POST /login", "GET /orders"])
        #expect(authorization(bench).last == "Bearer tok-2")
        // Without an age it is run every time.
        _ = try await bench.run("fresh")
        #expect(authorization(bench).last == "Bearer tok-3")
    }

    @Test func `what captures a variable of it is run first, once, as in a whole run`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("taking")
        #expect(result.isPassed)
        #expect(bench.sent == ["POST /login", "GET /taking"])
        #expect(authorization(bench) == [nil, "Bearer tok-1"])
        _ = try await bench.run("taking")
        #expect(bench.sent == ["POST /login", "GET /taking", "GET /taking"])
        #expect(authorization(bench).last == "Bearer tok-1")
    }

    @Test func `of several that capture a variable the one that was run will do; else one must be named`() async throws {
        let bench = try RunnerBench(
            """
            requests:
              a: { post: http://shop/a, capture: { token: .access_token } }
              b: { post: http://shop/b, capture: { token: .access_token } }
              taking: { get: "http://shop/taking/{{token}}" }
            """
        ) { _ in .json(#"{"access_token":"tok"}"#) }
        let refused = try await bench.run("taking")
        #expect(bench.sent == [])
        #expect(
            refused.failure?.message
                == "the variable `token` is captured by `a` and `b`; name the one that is meant in `needs`")
        _ = try await bench.run("b")
        #expect(try await bench.run("taking").isPassed)
        #expect(bench.sent == ["POST /b", "GET /taking/tok"])
    }

    /// To Swift they are the same text; each filter, and each regular expression on each text, has an answer of its own.
    @Test func `filters and texts that differ in their code points alone aren't mixed up`() async throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let text = """
            requests:
              r:
                get: http://shop/r
                capture: { x: '.o | has("\(decomposed)") | tostring', y: '.o | has("\(composed)") | tostring' }
                expect: { body: { .c: { matches: '^(.?)+x|^.$' }, .d: { matches: '^(.?)+x|^.$' } } }
            """
        let bench = try RunnerBench(text) { _ in
            .json(#"{"o":{"\#(composed)":1},"c":"\#(composed)","d":"\#(decomposed)"}"#)
        }
        let result = try await bench.run("r")
        #expect(result.captured["x"]?.value == .string("false"))
        #expect(result.captured["y"]?.value == .string("true"))
        #expect(result.expectations.map(\.isMet) == [true, false])
    }

    @Test func `an environment doesn't see what another one captured`() async throws {
        let bench = try Self.bench()
        _ = try await bench.run("orders", environment: "local")
        _ = try await bench.run("orders", environment: "other")
        #expect(bench.sent == ["POST /login", "GET /orders", "POST /login", "GET /orders"])
        #expect(authorization(bench) == [nil, "Bearer tok-1", nil, "Bearer tok-2"])
    }

    @Test func `requests that run at the same time share what they need`() async throws {
        let bench = try Self.bench()
        let jobs = try ["orders", "fresh", "orders", "fresh"].map { try bench.job($0) }
        // So that nobody is through before the others ask.
        bench.runner.queue.suspend()
        await withTaskGroup { group in
            for job in jobs { group.addTask { #expect(await bench.runner.run(job).isPassed) } }
            while bench.runner.queue.operations.isEmpty { await Task.yield() }
            bench.runner.queue.resume()
        }
        #expect(bench.sent.count { $0 == "POST /login" } <= 3)
        #expect(bench.sent.count { $0 != "POST /login" } == 4)
    }

    @Test func `when it fails the request isn't sent, and says why`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("broken")
        #expect(bench.sent == ["GET /refused"])
        #expect(result.response == nil)
        #expect(result.failure?.reason == .need(RequestID(rawValue: "refused")))
        #expect(result.failure?.message == "broken was not sent: refused, which it needs, failed: its status was 403")
        #expect(result.failure?.location?.line == 18)
        #expect(!result.isPassed)
    }

    @Test func `a template takes a value of another response, which is asked for once`() async throws {
        let bench = try Self.bench()
        _ = try await bench.run("first")
        _ = try await bench.run("first")
        #expect(bench.sent == ["POST /login", "GET /first/tok-1", "GET /first/tok-1"])
    }

    @Test func `expectations say what was expected and found, and captures what they miss`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("checked")
        #expect(result.expectations.map(\.isMet) == [true, false, true])
        #expect(result.unmet.map { "\($0.subject): \($0.expected), \($0.found)" } == ["body .total: > 0, 0"])
        #expect(result.captured["sum"]?.value == .number("3"))
        #expect(result.failure?.reason == .capture)
        #expect(result.failure?.message == "nothing to capture for name: .name finds nothing in the body")
        #expect(!result.isPassed)
    }

    @Test func `a captured secret is masked from its own run on`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("login")
        #expect(result.redactor.text("token=tok-1") == "token=\(Redactor.mask)")
        let next = try await bench.run("orders")
        #expect(next.redactor.text("Bearer tok-1") == "Bearer \(Redactor.mask)")
    }

    @Test func `every run is kept, without its secrets`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let history = try History(path: "\(directory)/history.sqlite")
        let bench = try Self.bench(history: history)
        let result = try await bench.run("orders")
        let runs = try history.runs()
        #expect(runs.map(\.request.rawValue) == ["orders", "login"])
        #expect(result.historyID == runs[0].id)
        #expect(try history.body(of: runs[1].id) == Data(#"{"access_token":"\#(Redactor.mask)"}"#.utf8))
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let bytes = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
            #expect(bytes.range(of: Data("tok-1".utf8)) == nil, "\(name)")
        }
    }

    @Test func `a body has a limit, which a request can raise`() async throws {
        let bench = try RunnerBench(
            "requests: { long: { get: http://shop/ }, longer: { get: http://shop/, response: { limit: 1MB } } }",
            limits: .init(bodyBytes: 1_000)
        ) { _ in .respond(body: Data(count: 2_000)) }
        let long = try await bench.run("long")
        #expect(long.response?.error?.code == .limitExceeded)
        #expect(try await bench.run("longer").isPassed)
        #expect(CollectionRunner.Limits().bodyBytes == 1 << 30)
    }

    private struct FullRecorder: RunRecorder {
        func keep(_ run: FinishedRun) throws(HistoryError) -> Int64? { throw HistoryError("no room") }
    }

    @Test func `a run that can't be kept is one all the same, and knows why`() async throws {
        let result = try await Self.bench(history: FullRecorder()).run("login")
        #expect(result.isPassed)
        #expect(result.historyID == nil)
        #expect(result.historyProblem == "no room")
    }

    @Test func `a cancelled task cancels the operation`() async throws {
        let bench = try RunnerBench("requests: { slow: { get: http://shop/slow } }") { _ in .nothing }
        let job = try bench.job("slow")
        let task = Task { await bench.runner.run(job) }
        _ = await bench.transport.transfer(0)
        task.cancel()
        let result = await task.value
        #expect(result.failure?.reason == .cancelled)
        #expect(result.response?.metrics.state == .cancelled)
    }

    private struct Answers: Prompter {
        func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String {
            guard prompt.message != "No" else { throw PromptError("nobody answered") }
            return "<\(prompt.message)>"
        }
        func choose(_ select: SelectRequirement) async throws(PromptError) -> String { select.options[1] }
    }

    @Test func `people are asked for what only they know`() async throws {
        let text = """
            variables: { pin: { secret: { prompt: PIN } } }
            requests:
              asked: { get: 'http://shop/', headers: { a: '{{prompt("Code")}}', b: '{{select("Where", ["x", "y"])}}', c: "{{pin}}" } }
              refused: { get: 'http://shop/', headers: { a: '{{prompt("No")}}' } }
            """
        let bench = try RunnerBench(text, prompter: Answers())
        let result = try await bench.run("asked")
        #expect(bench.transport.requests[0].headers.map(\.value) == ["<Code>", "y", "<PIN>"])
        #expect(result.redactor.text("<PIN>") == Redactor.mask)
        #expect(try await bench.run("refused").failure?.message == "nobody answered")
        let alone = try RunnerBench(text)
        let failure = try await alone.run("asked").failure
        #expect(failure?.message.hasSuffix("and nobody can be asked here; give the variable a value with --var") == true)
        #expect(failure?.reason == .resolution(.secret))
    }

    /// Counts, and lets everybody else go first.
    private final class SlowAnswers: Prompter {
        let asked = Mutex(0)

        func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String {
            asked.withLock { $0 += 1 }
            for _ in 0..<100 { await Task.yield() }
            return "1234"
        }
        func choose(_ select: SelectRequirement) async throws(PromptError) -> String { select.options[0] }
    }

    @Test func `a secret that many requests want at the same time is asked for once`() async throws {
        let text = """
            variables: { pin: { secret: { prompt: PIN } } }
            requests: { a: { get: http://shop/a, headers: { x: "{{pin}}" } }, b: { get: http://shop/b, headers: { x: "{{pin}}" } } }
            """
        let answers = SlowAnswers()
        let bench = try RunnerBench(text, prompter: answers)
        await withTaskGroup { group in
            for id in ["a", "b", "a", "b"] { group.addTask { _ = try? await bench.run(id) } }
        }
        #expect(bench.transport.requests.count == 4)
        #expect(answers.asked.withLock { $0 } == 1)
    }

    @Test func `a mock answers its own request, and neither another one of the same URL nor where it redirects to`() async throws {
        let bench = try RunnerBench(
            """
            requests:
              a: { get: http://shop/x, mock: { status: 418 } }
              b: { get: http://shop/x, mock: { status: 419 } }
              plain: { get: http://shop/x }
              moved: { get: http://shop/m, mock: { status: 302, headers: { location: /x } } }
            """, mocks: true)
        for (id, status) in [("a", 418), ("b", 419), ("plain", 200), ("a", 418), ("moved", 200)] {
            #expect(try await bench.run(id).response?.info?.head.status.code == status, "\(id)")
        }
        #expect(bench.sent == ["GET /x", "GET /x"])
    }

    @Test func `with mocks on a request that has one never reaches the network`() async throws {
        let text = """
            requests:
              mocked: { get: http://shop/a, mock: { status: 418, headers: { x-mock: "yes" }, body: tea } }
              same: { post: http://shop/a }
              failing: { get: http://shop/f, mock: { error: timeout } }
            """
        let bench = try RunnerBench(text, mocks: true)
        let result = try await bench.run("mocked")
        #expect(result.response?.info?.head.status.code == 418)
        #expect(result.response?.info?[header: "x-mock"] == "yes")
        #expect(try result.response?.info?.body.contents() == Data("tea".utf8))
        #expect(try await bench.run("same").isPassed)
        #expect(bench.sent == ["POST /a"])
        #expect(try await bench.run("failing").response?.error?.code == .attemptTimedOut)
        let real = try RunnerBench(text)
        _ = try await real.run("mocked")
        #expect(real.sent == ["GET /a"])
    }
}
