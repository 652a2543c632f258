import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct PlanRunTests {
    private static let shop = """
        requests:
          login: { post: http://shop/login, capture: { token: .n } }
          create: { post: http://shop/orders, needs: login, capture: { id: .n } }
          read: { get: "http://shop/orders/{{id}}", needs: [login, create] }
          delete: { delete: "http://shop/orders/{{id}}", needs: [create, read] }
        """

    private static func bench(_ text: String = shop, failing: Set<String> = []) throws -> RunnerBench {
        let count = Mutex(0)
        return try RunnerBench(text) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json("{\"n\":\(number)}", status: failing.contains(request.url.path()) ? .forbidden : .ok)
        }
    }

    private func perform(_ bench: RunnerBench, _ ids: [String], rounds: Int = 1, jobs: Int = 1) async throws -> [String] {
        let plan = RunPlan(try ids.map { try bench.job($0) }, rounds: rounds)
        let verdicts = Mutex<[Int: String]>([:])
        await bench.runner.perform(plan, jobs: jobs, mayBegin: { _ in true }) { index, outcome in
            let verdict = outcome.result.map { $0.isPassed ? "passed" : "\($0.failure?.message ?? "failed")" } ?? "left"
            verdicts.withLock { $0[index] = "\(plan.nodes[index].id) \(verdict)" }
        }
        return plan.nodes.indices.compactMap { index in verdicts.withLock { $0[index] } }
    }

    @Test func `what changes is looked up anew in each round, and what an answer gives reaches its own round alone`() async throws {
        let bench = try Self.bench(
            """
            variables: { host: shop }
            requests:
              same: { get: "http://{{host}}/same/{{base64(host)}}" }
              other: { get: "http://{{host}}/other/{{uuid()}}" }
              login: { post: "http://{{host}}/login", capture: { token: .n } }
              look: { get: "http://{{host}}/look/{{token}}" }
            """)
        _ = try await perform(bench, ["same", "other", "login", "look"], rounds: 3)
        let sent = bench.sent
        #expect(sent.count { $0 == "GET /same/c2hvcA==" } == 3)
        #expect(Set(sent.filter { $0.hasPrefix("GET /other/") }).count == 3)
        #expect(sent.filter { $0.hasPrefix("GET /look/") } == ["GET /look/3", "GET /look/7", "GET /look/11"])
    }

    @Test func `a request of many rounds is resolved once, unless something in it changes`() async throws {
        for (url, isConstant) in [
            ("http://shop/{{a}}", true), ("http://shop/{{sha256(a)}}", true), ("http://shop/{{a | default(1)}}", true),
            ("http://shop/{{uuid()}}", false), ("http://shop/{{now()}}", false), ("http://shop/{{random(range: 1..9)}}", false),
            ("http://shop/{{file(\"f\")}}", false),
        ] {
            let text = "variables: { a: 1 }\nrequests: { r: { get: '\(url)' } }"
            let bench = try RunnerBench(text, files: ["f": "x"])
            #expect(try await bench.runner.resolve(bench.job("r")).isConstant == isConstant, "\(url)")
        }
        let file = try RunnerBench("requests: { r: { post: http://shop/, body: { file: f } } }", files: ["f": "x"])
        #expect(try await file.runner.resolve(file.job("r")).isConstant == false)
        let parts = try RunnerBench("requests: { r: { post: http://shop/, body: { multipart: { a: b } } } }")
        #expect(try await parts.runner.resolve(parts.job("r")).isConstant == false)
    }

    private static let once = ["POST /login", "POST /orders", "GET /orders/2", "DELETE /orders/2"]

    @Test func `one request sends each that it needs once, whoever else needs it`() async throws {
        let bench = try Self.bench()
        let result = try await bench.run("delete")
        #expect(bench.sent == Self.once)
        #expect(result.needed.map(\.id.rawValue) == ["create", "read"])
    }

    @Test(arguments: [1, 8])
    func `all of them are sent once`(jobs: Int) async throws {
        let bench = try Self.bench()
        let verdicts = try await perform(bench, ["login", "create", "read", "delete"], jobs: jobs)
        #expect(bench.sent == Self.once)
        #expect(verdicts == ["login passed", "create passed", "read passed", "delete passed"])
    }

    @Test(arguments: [1, 8])
    func `each round deletes what it has made itself`(jobs: Int) async throws {
        let bench = try Self.bench()
        _ = try await perform(bench, ["delete"], rounds: 5, jobs: jobs)
        #expect(bench.sent.count { $0 == "POST /orders" } == 5)
        let deleted = bench.sent.filter { $0.hasPrefix("DELETE") }
        #expect(Set(deleted).count == 5)
        #expect(Set(bench.sent.filter { $0.hasPrefix("GET") }.map { $0.dropFirst(4) }) == Set(deleted.map { $0.dropFirst(7) }))
    }

    @Test func `an answer that is younger than all want it to be is enough for every round`() async throws {
        let bench = try Self.bench(
            """
            requests:
              login: { post: http://shop/login, capture: { token: .n } }
              look: { get: "http://shop/{{token}}", needs: { login: { max-age: 1h } } }
            """)
        let verdicts = try await perform(bench, ["look"], rounds: 3, jobs: 3)
        #expect(bench.sent.sorted() == ["GET /1", "GET /1", "GET /1", "POST /login"])
        #expect(verdicts.count { $0 == "login left" } == 0 || verdicts.contains("login passed"))
    }

    private static let twoLoops = """
        requests:
          ids: { get: http://shop/ids, capture: { ids: .ids } }
          first: { get: "http://shop/first/{{id}}", for-each: { id: "{{ids}}" } }
          second: { get: "http://shop/second/{{id}}", for-each: { id: "{{ids}}" } }
        """

    /// The items are answered by hand.
    private static func loopBench() throws -> RunnerBench {
        try RunnerBench(twoLoops) { $0.url.path() == "/ids" ? .json("{\"ids\":[1,2,3]}") : .nothing }
    }

    @Test(.timeLimit(.minutes(1))) func `items that an answer gives are begun when a job is free, whichever loop they are of`()
        async throws
    {
        let bench = try Self.loopBench()
        let meter = RunMeter()
        bench.runner.addObserver(meter)
        let plan = RunPlan(try ["ids", "first", "second"].map { try bench.job($0) })
        async let performed: Void = bench.runner.perform(plan, jobs: 2, mayBegin: { _ in true }) { _, _ in }
        // None is answered before the next one is there.
        var transfer = await bench.transport.transfer(1)
        for number in 2...6 {
            let next = await bench.transport.transfer(number)
            transfer.respond()
            transfer = next
        }
        transfer.respond()
        await performed
        #expect(bench.sent.count == 7)
        #expect(meter.most == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `no item is begun once nothing may begin, also when a tear-down has begun elsewhere`()
        async throws
    {
        let bench = try Self.loopBench()
        let isStopped = Mutex(false)
        let plan = RunPlan(try ["ids", "first"].map { try bench.job($0) })
        let failures = Mutex<[String]>([])
        async let performed: Void = bench.runner.perform(plan, jobs: 2, mayBegin: { _ in !isStopped.withLock { $0 } }) {
            _, outcome in
            if outcome.item != nil { failures.withLock { $0.append(outcome.result?.failure?.message ?? "") } }
        }
        let transfers = (await bench.transport.transfer(1), await bench.transport.transfer(2))
        isStopped.withLock { $0 = true }
        transfers.0.respond()
        transfers.1.respond()
        await performed
        #expect(bench.sent.sorted() == ["GET /first/1", "GET /first/2", "GET /ids"])
        #expect(failures.withLock { $0.sorted() } == ["", "", "the run was cancelled"])
    }

    /// A second Ctrl-C that comes while the first tear-down is about to begin.
    @Test func `what is given up while a tear-down begins isn't sent`() async throws {
        let bench = try RunnerBench(
            "requests: { a: { get: http://shop/a, tear-down: undo }, undo: { delete: http://shop/undo }, b: { get: http://shop/b } }"
        ) { _ in .json("{}") }
        let plan = RunPlan(try ["a", "b"].map { try bench.job($0) })
        let isOver = Mutex(false)
        let questions = Mutex(0)
        let runner = bench.runner
        await runner.perform(
            plan, jobs: 1,
            mayBegin: { step in
                guard step == .tearDown else { return !isOver.withLock { $0 } }
                let number = questions.withLock { count in
                    count += 1
                    return count
                }
                // It may, and right after that it may not.
                if number == 1 { runner.interrupt("the user") }
                return number == 1
            },
            ended: { _, _ in isOver.withLock { $0 = true } })
        #expect(bench.sent == ["GET /a"])
        #expect(questions.withLock { $0 } > 0)
    }

    @Test func `an item that has failed counts for more than one that was skipped before it`() async throws {
        let bench = try RunnerBench(
            """
            requests:
              ids: { get: http://shop/ids, capture: { ids: .ids } }
              each: { get: "http://shop/{{id}}", when: { id: "> 1" }, for-each: { id: "{{ids}}" }, expect: { status: 200 } }
              after: { get: http://shop/after, needs: each }
            """
        ) { request in
            request.url.path() == "/ids"
                ? .json("{\"ids\":[1,2,3]}") : .json("{}", status: request.url.path() == "/2" ? .forbidden : .ok)
        }
        let verdicts = try await perform(bench, ["ids", "each", "after"])
        #expect(bench.sent == ["GET /ids", "GET /2", "GET /3"])
        let reason = "each, which it needs, failed: expected status to be 200, and found 403 Forbidden ("
        #expect(verdicts.last?.hasPrefix("after after was not sent: \(reason)") == true, "\(verdicts)")
    }

    @Test func `no item is sent before the first one's wait is over`() throws {
        let bench = try RunnerBench(
            "requests: { a: { get: http://shop/, for-each: { n: 1..3 }, delay: { before: 2s, between: 200ms } } }")
        let nodes = RunPlan([try bench.job("a")]).round
        let delay = try #require(nodes[0].job.definition.settings.delay)
        let starts = LoopStarts()
        let now = bench.time.now
        let pauses = nodes.map { starts.pause(before: $0.job, delay, at: now) }
        #expect(pauses == [.seconds(2), .seconds(2), .seconds(2)])
        #expect(starts.pause(before: nodes[1].job, delay, at: now + .milliseconds(1_900)) == .milliseconds(200))
        #expect(starts.pause(before: nodes[2].job, delay, at: now + .seconds(5)) == .milliseconds(200))
    }

    private static func shared(_ age: String) -> String {
        """
        requests:
          login: { post: http://shop/login, capture: { token: .n } }
          look: { get: "http://shop/{{token}}", needs: { login: { max-age: \(age) } } }
        """
    }

    @Test(arguments: [HTTPResponse.Status.ok, .forbidden])
    func `an answer that several want at the same time is reported once`(status: HTTPResponse.Status) async throws {
        let bench = try RunnerBench(Self.shared("1h")) { $0.url.path() == "/login" ? .nothing : .respond() }
        let plan = RunPlan([try bench.job("look")], rounds: 3)
        let reported = Mutex<[String]>([])
        async let performed: Void = bench.runner.perform(plan, jobs: 3, mayBegin: { _ in true }) { index, outcome in
            guard let result = outcome.result, !outcome.isShared else { return }
            let isBlocked = result.failure?.reason == .need(RequestID(rawValue: "login"))
            let verdict = result.isPassed ? "passed" : isBlocked ? "blocked" : "failed"
            reported.withLock { $0.append("\(plan.nodes[index].id) \(verdict)") }
        }
        let login = await bench.transport.transfer(0)
        while bench.runner.fetching.waiting < 3 { await Task.yield() }
        login.respond(status, body: Data("{\"n\":1}".utf8))
        await performed
        let look = status == .ok ? "look passed" : "look blocked"
        #expect(reported.withLock { $0.sorted() } == ["login passed", look, look, look].sorted())
        #expect(bench.sent.count { $0 == "POST /login" } == 1)
    }

    @Test func `an answer that may be no second old is nobody else's`() async throws {
        let bench = try Self.bench(Self.shared("0s"))
        _ = try await perform(bench, ["look"], rounds: 2)
        #expect(bench.sent == ["POST /login", "GET /1", "POST /login", "GET /3"])
    }

    @Test func `a captured name is taken from the request that was meant, whatever another one captured last`() async throws {
        let bench = try Self.bench(
            """
            requests:
              ada: { get: http://shop/ada, capture: { token: .n } }
              bob: { get: http://shop/bob, capture: { token: .n } }
              first: { get: "http://shop/first/{{token}}", needs: ada }
              second: { get: "http://shop/second/{{token}}", needs: bob }
            """)
        _ = try await perform(bench, ["ada", "bob", "first", "second"])
        #expect(bench.sent == ["GET /ada", "GET /bob", "GET /first/1", "GET /second/2"])
    }

    @Test(arguments: [1, 8])
    func `neither jobs nor an earlier round change which value a variable has`(jobs: Int) async throws {
        let bench = try RunnerBench(
            """
            variables: { token: start }
            requests:
              before: { get: "http://shop/before/{{token}}" }
              login: { post: http://shop/login, capture: { token: .token } }
              after: { get: "http://shop/after/{{token}}" }
              again: { post: http://shop/again, capture: { token: .token } }
              near: { get: "http://shop/near/{{token}}", needs: login }
              last: { get: "http://shop/last/{{token | default('none')}}" }
            """
        ) { .json("{\"token\":\"of-\($0.url.path().dropFirst())\"}") }
        _ = try await perform(bench, ["before", "login", "after", "again", "near", "last"], rounds: 2, jobs: jobs)
        let once = [
            "GET /after/of-login", "GET /before/start", "GET /last/of-again", "GET /near/of-login", "POST /again", "POST /login",
        ]
        #expect(bench.sent.sorted() == (once + once).sorted())
    }

    @Test func `of a failed answer nobody takes a value`() async throws {
        let bench = try Self.bench(
            """
            requests:
              failed: { post: http://shop/failed, capture: { id: .n }, expect: { status: 201 } }
              look: { get: "http://shop/look/{{id | default('none')}}" }
            """)
        let verdicts = try await perform(bench, ["failed", "look"])
        #expect(bench.sent == ["POST /failed", "GET /look/none"])
        #expect(verdicts.last == "look passed")
    }

    @Test func `who needs a value of a request that was to fail says so`() async throws {
        let bench = try RunnerBench(
            """
            requests:
              down: { get: http://shop/down, capture: { id: .n }, expect: { error: connection } }
              look: { get: "http://shop/look/{{id}}" }
            """
        ) { _ in .fail(NetworkError(.cannotConnect, phase: .connection, type: "tcp.refused", message: "refused")) }
        let verdicts = try await perform(bench, ["down", "look"])
        #expect(verdicts == ["down passed", "look look was not sent: down, which it needs, captured no `id`: it has no response"])
    }

    @Test(arguments: [".a", ".a + \"\""])
    func `a body in another encoding is decoded for whoever looks into it`(filter: String) async throws {
        let bench = try RunnerBench(
            """
            requests:
              first: { get: http://shop/first, capture: { a: '\(filter)' }, expect: { body: { '\(filter)': 你 } } }
              second: { get: 'http://shop/second', query: { a: '{{a}}', b: '{{response("first", ".a")}}' } }
            """
        ) { _ in
            .respond(
                headers: [.contentType: "application/json; charset=gb2312"],
                body: Data("{\"a\":\"".utf8) + Data([0xC4, 0xE3]) + Data("\"}".utf8))
        }
        #expect(try await perform(bench, ["first", "second"]) == ["first passed", "second passed"])
        #expect(bench.transport.requests.last?.url.query() == "a=%E4%BD%A0&b=%E4%BD%A0")
    }

    @Test func `one failure blocks all that need it, and what only they need isn't sent`() async throws {
        let text =
            Self.shop.replacing("needs: [login, create]", with: "needs: [login, create, extra]") + """

                  extra: { get: http://shop/extra }
                  other: { get: http://shop/other }
                """
        let bench = try Self.bench(text, failing: ["/login"])
        let verdicts = try await perform(bench, ["delete", "other"])
        #expect(bench.sent == ["POST /login", "GET /other"])
        let login = "was not sent: login, which it needs, failed: its status was 403"
        #expect(
            verdicts == [
                "login passed", "create create \(login)", "extra left", "read read \(login)",
                "delete delete was not sent: create, which it needs, \(login)", "other passed",
            ])
    }

    @Test func `a name that is itself a template is found on the way, and no circle runs for ever`() async throws {
        let bench = try Self.bench(
            """
            variables: { which: login, back: b }
            requests:
              login: { post: http://shop/login }
              a: { get: 'http://shop/a/{{response(which, ".n")}}' }
              b: { get: 'http://shop/b/{{response(back, ".n")}}' }
              c: { get: 'http://shop/c/{{response(back, ".n")}}', needs: a }
            """)
        #expect(try await bench.run("a").isPassed)
        #expect(try await bench.run("a").isPassed)
        #expect(bench.sent == ["POST /login", "GET /a/1", "GET /a/1"])
        #expect(try await bench.run("b").failure?.message == "the requests need each other in a circle: b → b")
    }
}

/// How many requests were under way at a time, at most.
private final class RunMeter: RunObserver {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func willSend(_ run: PreparedRun) {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func didFinish(_ result: RunResult) { state.withLock { $0.now -= 1 } }
}
