import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct PollingTests {
    /// Answers each request with the next script; the last one again and again.
    private static func bench(_ request: String, _ answers: [Script]) throws -> RunnerBench {
        let left = Mutex(answers)
        return try RunnerBench("requests:\n  job: \(request)\n") { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    private static func states(_ states: String...) -> [Script] { states.map { .json("{\"state\":\"\($0)\"}") } }

    /// Moves the clock to the next alarm whenever the runner waits for it.
    private func run(_ bench: RunnerBench, _ id: String = "job") async throws -> RunResult {
        let task = Task { try await bench.run(id) }
        let mover = Task {
            while !Task.isCancelled {
                // An answer that is there is looked at first.
                if bench.runner.pauses.count > 0, let next = bench.time.nextDeadline { bench.time.advance(to: next) }
                await Task.yield()
            }
        }
        defer { mover.cancel() }
        return try await task.value
    }

    private static let refused = NetworkError(
        .cannotConnect, phase: .connection, type: "tcp.refused", message: "Connection refused.")
    private static let untrusted = NetworkError(.certificateRejected, phase: .tls, type: "tls.cert", message: "It is expired.")
    private static let done = "{ get: http://shop/job, until: { body: { .state: done } } }"

    @Test func `what holds at once is sent once, without a pause`() async throws {
        let bench = try Self.bench(Self.done, Self.states("done"))
        let result = try await bench.run("job")
        #expect(result.isPassed)
        #expect(bench.sent.count == 1)
        #expect(result.polling?.end == .met)
        #expect(bench.time.now == .zero)
    }

    @Test func `it is sent again, after a pause each time, until its answer is as it should be`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { body: { .state: done }, every: 2s }, capture: { s: .state } }",
            Self.states("queued", "running", "done"))
        let result = try await run(bench)
        #expect(result.isPassed)
        #expect(bench.sent.count == 3)
        #expect(result.polling?.polls.map(\.start) == [.zero, .seconds(2), .seconds(4)])
        #expect(result.polling?.polls.map(\.found) == ["body .state \"queued\"", "body .state \"running\"", "all that is wanted"])
        #expect(result.captured["s"]?.value == .string("done"))
    }

    @Test func `of many polls the first ones keep their phases, so that a long wait needs no more memory`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { body: { .state: done }, within: 1h, every: 1s } }",
            Array(repeating: .json("{}"), count: 220) + Self.states("done"))
        let polls = try #require(try await run(bench).polling?.polls)
        #expect(polls.count == 221)
        #expect(polls.prefix(Polling.mostMetrics).allSatisfy { $0.metrics != nil })
        #expect(polls.dropFirst(Polling.mostMetrics).allSatisfy { $0.metrics == nil })
    }

    @Test func `when the time is over the check fails, and says what was there, how often, and how long`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { body: { .state: done }, within: 4s } }", Self.states("queued", "running"))
        let result = try await run(bench)
        #expect(!result.isPassed)
        #expect(result.failure?.reason == .until)
        #expect(bench.sent.count == 4)
        #expect(
            result.failure?.message
                == "until: body .state was never \"done\": \"queued\" 1×, \"running\" 3×, in 4 polls over 3 s; the last at 3 s took 0 ms"
        )
        #expect(result.failure?.location?.line == 3)
    }

    @Test func `the last of the tries still counts, and one try is one time`() async throws {
        let last = try Self.bench(
            "{ get: http://shop/job, until: { body: { .state: done }, tries: 3 } }", Self.states("queued", "queued", "done"))
        #expect(try await run(last).isPassed)
        let one = try Self.bench("{ get: http://shop/job, until: { body: { .state: done }, tries: 1 } }", Self.states("queued"))
        let result = try await run(one)
        #expect(one.sent.count == 1)
        #expect(result.failure?.message.contains("in 1 poll over 0 ms, the most that `tries` allows") == true)
    }

    @Test func `pauses may grow, and the time counts all the same`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { body: { .state: done }, every: { first: 1s, factor: 3, max: 5s }, within: 20s } }",
            Self.states("queued"))
        let result = try await run(bench)
        #expect(result.polling?.polls.map(\.start) == [0, 1, 4, 9, 14, 19].map { Duration.seconds($0) })
        #expect(result.failure?.message.contains("in 6 polls over 19 s") == true)
    }

    @Test func `how often it was sent may be what is waited for`() async throws {
        let bench = try Self.bench("{ get: http://shop/job, until: { polls: 3 } }", Self.states("queued"))
        #expect(try await run(bench).isPassed)
        #expect(bench.sent.count == 3)
    }

    /// Whoever mistypes a program hears of it at once; what isn't there yet, or not as it will be, is waited for.
    @Test func `a program that fails on a good answer ends it, with what it says`() async throws {
        let failing = "until: { body: { '.state | error(\"no\")': exists } }"
        let bench = try Self.bench("{ get: http://shop/job, \(failing) }", Self.states("queued"))
        let result = try await run(bench)
        #expect(bench.sent.count == 1)
        #expect(result.failure?.reason == .until)
        #expect(
            result.failure?.message
                == "until: body .state | error(\"no\") can't be evaluated: no, in 1 poll over 0 ms; a program that fails isn't asked again"
        )
        let program = "until: { status: 200, body: { '.state | test(\"^done\")': true } }"
        let later = try Self.bench(
            "{ get: http://shop/job, \(program) }",
            [
                .json("{\"state\":1}", status: .serviceUnavailable), .json("starting"), .json("{\"state\":\"queued\"}"),
                .json("{\"state\":\"done\"}"),
            ])
        #expect(try await run(later).isPassed)
        #expect(later.sent.count == 4)
    }

    @Test func `with a time alone it waits for what it expects`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: 10s, expect: { status: 200 } }",
            [.json("{}", status: .serviceUnavailable), .fail(Self.refused), .json("{}")])
        #expect(try await run(bench).isPassed)
        #expect(bench.sent.count == 3)
    }

    @Test func `an answer that gives up ends it, but what is wanted wins`() async throws {
        let text = "{ get: http://shop/job, until: { body: { .state: done }, give-up: { body: { .state: failed } } } }"
        let bench = try Self.bench(text, Self.states("queued", "failed"))
        let result = try await run(bench)
        #expect(bench.sent.count == 2)
        #expect(result.failure?.message == "until: gave up, as `give-up` says, after 2 polls over 1 s: body .state \"failed\"")
        let both = "{ get: http://shop/job, until: { body: { .state: done }, give-up: { status: 200 } } }"
        #expect(try await run(Self.bench(both, Self.states("done"))).isPassed)
    }

    @Test func `a server that asks for a longer pause gets it, and ends it where there is no time for that`() async throws {
        let busy = Script.respond(status: .serviceUnavailable, headers: [.retryAfter: "5"], body: Data())
        let bench = try Self.bench("{ get: http://shop/job, until: { status: 200 } }", [busy, .json("{}")])
        let result = try await run(bench)
        #expect(result.polling?.polls.map(\.start) == [.zero, .seconds(5)])
        let never = Script.respond(status: .serviceUnavailable, headers: [.retryAfter: "3600"], body: Data())
        let refused = try Self.bench("{ get: http://shop/job, until: { status: 200 } }", [never])
        let end = try await run(refused)
        #expect(refused.sent.count == 1)
        #expect(
            end.failure?.message.contains("the server asks for a pause of 60 min, which is longer than `within` (30 s) leaves")
                == true)
    }

    @Test(arguments: ["soon", "", "-5", "0.5"])
    func `a pause that can't be read is none`(text: String) async throws {
        let busy = Script.respond(status: .serviceUnavailable, headers: [.retryAfter: text], body: Data())
        let bench = try Self.bench("{ get: http://shop/job, until: { status: 200 } }", [busy, .json("{}")])
        let result = try await run(bench)
        #expect(result.isPassed)
        #expect(result.polling?.polls.map(\.start) == [.zero, .seconds(1)])
    }

    @Test func `what both ends it and is wanted is in the answer, and it passes, whether waiting could go on or not`() async throws
    {
        for tries in 1...2 {
            let text = "{ get: http://shop/job, until: { body: { .state: done }, tries: \(tries), give-up: { status: 503 } } }"
            let answer = Script.respond(
                status: .serviceUnavailable, headers: [.contentType: "application/json", .retryAfter: "3600"],
                body: Data(#"{"state":"done"}"#.utf8))
            let result = try await run(Self.bench(text, [answer]))
            #expect(result.polling?.end == .met)
            #expect(result.isPassed)
        }
    }

    @Test(arguments: [
        (Duration.milliseconds(-3), "0 ms"), (.zero, "0 ms"), (.milliseconds(210), "210 ms"), (.milliseconds(1_500), "1.5 s"),
        (.milliseconds(59_440), "59.4 s"), (.milliseconds(119_940), "119.9 s"), (.milliseconds(119_999), "2 min"),
        (.milliseconds(120_000), "2 min"), (.milliseconds(125_432), "2 min 5 s"), (.seconds(3_600), "60 min"),
        (.seconds(9_000), "2 h 30 min"),
        (.milliseconds(86_399_999), "24 h"),
        (.seconds(2_147_483_647), "24855 days"), (.milliseconds(251_597_484_937_123), "2912008 days"),
    ])
    func `a time is said as exactly as anybody wants to know it, and is never below zero`(time: Duration, text: String) {
        var polling = Polling(UntilDefinition(within: .seconds(1), location: .none))
        var answer = Polling.Answer()
        answer.retryAfter = time
        let unmet = ExpectationResult(subject: .status, expected: "200", found: "503", isMet: false, location: .none)
        let poll = Polling.Poll(start: time, duration: nil, status: nil, unmet: [unmet], error: nil, metrics: nil)
        _ = polling.add(poll, answer, now: time)
        #expect(polling.polls.first?.start == max(.zero, time))
        _ = polling.add(poll, answer, now: .seconds(1))
        #expect(polling.complaint?.hasSuffix("; the last at \(text)") == true, "\(polling.complaint ?? "")")
    }

    @Test func `what waiting doesn't mend ends it at once`() async throws {
        let bench = try Self.bench("{ get: http://shop/job, until: { status: 200 } }", [.fail(Self.untrusted)])
        let result = try await bench.run("job")
        #expect(bench.sent.count == 1)
        #expect(!result.isPassed)
        #expect(result.failure == nil)
    }

    @Test func `an error that is expected, and not waited for, is no success`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { status: 200 }, expect: { error: tls } }", [.fail(Self.untrusted)])
        let result = try await bench.run("job")
        #expect(result.failure?.reason == .until)
        #expect(!result.isPassed)
    }

    @Test func `a mock that answers the same each time is asked once`() async throws {
        let bench = try RunnerBench(
            "requests:\n  job: { get: http://shop/job, until: { status: 200 }, mock: { status: 202 } }\n", mocks: true)
        let result = try await bench.run("job")
        #expect(result.polling?.polls.count == 1)
        #expect(result.failure?.message.contains("in 1 poll over 0 ms; its mock answers the same each time") == true)
    }

    @Test func `it waits for a server to go, where an error is what is wanted`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, until: { error: connection } }", [.json("{}"), .json("{}"), .fail(Self.refused)])
        #expect(try await run(bench).isPassed)
        #expect(bench.sent.count == 3)
    }

    @Test func `a pause ends when the run is ended`() async throws {
        let bench = try Self.bench(Self.done, Self.states("queued"))
        let task = Task { try await bench.run("job") }
        while bench.runner.pauses.count == 0 { await Task.yield() }
        bench.runner.endPauses("the user")
        let result = try await task.value
        #expect(result.failure?.reason == .cancelled)
        #expect(result.response?.info?.head.status == .ok, "the answer that came isn't lost")
        #expect(result.polling?.polls.map(\.found) == ["body .state \"queued\""])
        #expect(bench.sent.count == 1)
        #expect(bench.time.now == .zero)
    }

    /// The time is watched after the request has been sent.
    private static func untilLimit(of bench: RunnerBench) async {
        while bench.time.nextDeadline != .zero + .seconds(30) { await Task.yield() }
    }

    @Test func `a first time that is cut was sent, and counts`() async throws {
        let bench = try RunnerBench("requests:\n  job: { timeouts: { connect: never, idle: never }, \(Self.done.dropFirst(2))\n") {
            _ in .nothing
        }
        let task = Task { try await bench.run("job") }
        let transfer = await bench.transport.transfer(0)
        transfer.send(.connectionAcquired(.loopback))
        transfer.send(.requestHeadSent(Data("GET / HTTP/1.1\r\n\r\n".utf8)))
        await Self.untilLimit(of: bench)
        bench.time.advance(by: .seconds(30))
        let result = try await task.value
        #expect(result.failure?.message.contains("in 1 poll over 30 s; no answer came") == true)
    }

    @Test func `a time that is cut leaves the one before it to be judged`() async throws {
        let left = Mutex([Script.json("{\"state\":\"queued\"}"), .nothing])
        let bench = try RunnerBench("requests:\n  job: { timeouts: { connect: never, idle: never }, \(Self.done.dropFirst(2))\n") {
            _ in left.withLock { $0.removeFirst() }
        }
        let task = Task { try await bench.run("job") }
        _ = await bench.transport.transfer(0)
        while bench.runner.pauses.count == 0 { await Task.yield() }
        bench.time.advance(by: .seconds(1))
        _ = await bench.transport.transfer(1)
        await Self.untilLimit(of: bench)
        bench.time.advance(by: .seconds(29))
        let result = try await task.value
        #expect(result.response?.info?.head.status == .ok)
        #expect(result.failure?.message.contains("never \"done\": \"queued\", in 1 poll over 30 s") == true)
    }

    @Test func `a delay passes on the clock before it is sent, and isn't in its time`() async throws {
        let bench = try Self.bench(
            "{ get: http://shop/job, delay: 3s, expect: { time: { total: < 1s } } }", [.json("{}")])
        let task = Task { try await bench.run("job") }
        while bench.runner.pauses.count == 0 { await Task.yield() }
        #expect(bench.sent.isEmpty)
        bench.time.advance(by: .seconds(3))
        #expect(try await task.value.isPassed)
        #expect(bench.sent.count == 1)
    }
}
