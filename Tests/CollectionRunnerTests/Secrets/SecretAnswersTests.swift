import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct SecretAnswersTests {
    private static let text = """
        variables: { token: { secret: { command: [sh, -c, "echo >> asked; echo token-$(wc -l < asked)"] } } }
        requests: { look: { get: http://shop/look, auth: { bearer: "{{token}}" } } }
        """

    /// What is sent at each of these seconds, when the server answers with these statuses.
    private func sent(
        _ answers: [(second: Int, status: HTTPResponse.Status)], by text: String = Self.text
    ) async throws -> [String] {
        let rest = Mutex(answers.map(\.status))
        let bench = try RunnerBench(text) { _ in .respond(status: rest.withLock { $0.removeFirst() }) }
        var time = 0
        for (second, _) in answers {
            bench.time.advance(by: .seconds(second - time))
            time = second
            _ = try await bench.run("look")
        }
        return bench.transport.requests.map { $0.headers[.authorization] ?? "" }
    }

    @Test func `a command is run again when what it said long ago is refused`() async throws {
        #expect(
            try await sent([(0, .ok), (3600, .ok), (3601, .unauthorized), (3602, .ok), (3603, .ok)])
                == ["Bearer token-1", "Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2"])
    }

    @Test func `what it said a moment ago would only be said again`() async throws {
        #expect(
            try await sent([(0, .unauthorized), (59, .unauthorized), (60, .unauthorized), (61, .unauthorized), (62, .ok)])
                == ["Bearer token-1", "Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2"])
    }

    /// Some commands ask a person for a fingerprint.
    @Test func `a command that says the same again is asked half as often each time`() async throws {
        let text = """
            variables: { token: { secret: { command: [sh, -c, "echo . >> asked; echo the-token"] } } }
            requests:
              look: { get: http://shop/look, auth: { bearer: "{{token}}" } }
              list: { get: http://shop/list, auth: { bearer: "{{token}}" } }
            """
        let bench = try RunnerBench(text) { request in
            .respond(status: request.url.path() == "/look" ? .unauthorized : .ok)
        }
        func asked() throws -> Int {
            try String(contentsOfFile: bench.collection.directory + "/asked", encoding: .utf8).split(separator: "\n").count
        }
        for _ in 0...360 {
            _ = try await bench.run("look")
            bench.time.advance(by: .seconds(10))
        }
        // At 0, then after a minute, two, four, …
        #expect(try asked() == 6)
        // A server takes it: when it is refused again, it may be old.
        _ = try await bench.run("list")
        for _ in 0..<2 { _ = try await bench.run("look") }
        #expect(try asked() == 7)
    }

    @Test func `the wait is an hour at most, and short again for another answer and when all are forgotten`() {
        var answers = SecretAnswers()
        let secret = PermittedSecret.command(["pass"], directory: "", .own)
        func time(_ minutes: Int) -> MonotonicTime { .zero + .seconds(60 * minutes) }
        var now = 0
        func keep(_ text: String) { answers.keep(text, for: secret, at: time(now), askedIn: answers.generation) }
        func refuse(after minutes: Int) {
            now += minutes
            answers.refuse(["a", "b"], by: nil, at: time(now))
        }
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            keep("a")
            refuse(after: wait - 1)
            #expect(answers[secret] == "a", "\(wait)")
            refuse(after: 1)
            #expect(answers[secret] == nil, "\(wait)")
        }
        keep("b")
        refuse(after: 1)
        #expect(answers[secret] == nil)
        keep("b")
        refuse(after: 1)
        #expect(answers[secret] == "b")
        let count = answers.forgetAll()
        #expect(count == 1)
        keep("b")
        refuse(after: 1)
        #expect(answers[secret] == nil)
    }

    @Test func `only the server that refused an answer shortens the wait when it takes it`() {
        let (own, open) = (Origin(URL(string: "https://api.test/")!), Origin(URL(string: "https://open.test/")!))
        for (origin, isShort) in [(own, true), (open, false), (nil, false)] {
            var answers = SecretAnswers()
            let secret = PermittedSecret.command(["pass"], directory: "", .own)
            for minute in 0...1 {
                answers.keep("a", for: secret, at: .zero + .seconds(60 * minute), askedIn: 0)
                if minute == 0 { answers.refuse(["a"], by: own, at: .zero + .seconds(60)) }
            }
            answers.accept(["a"], by: origin)
            answers.refuse(["a"], by: own, at: .zero + .seconds(120))
            #expect((answers[secret] == nil) == isShort)
        }
    }

    /// The credentials don't go to where the redirect leads.
    @Test func `a server that didn't get a token doesn't refuse it`() async throws {
        let bench = try RunnerBench(Self.text) { request in
            request.url.host() == "shop" ? .redirect(to: "http://elsewhere/") : .respond(status: .unauthorized)
        }
        for _ in 0..<3 {
            _ = try await bench.run("look")
            bench.time.advance(by: .seconds(100))
        }
        #expect(
            bench.transport.requests.map { $0.headers[.authorization] ?? "" }
                == Array(repeating: ["Bearer token-1", ""], count: 3).flatMap(\.self))
    }

    @Test func `an answer that is on its way when all are forgotten isn't kept`() {
        var answers = SecretAnswers()
        let secret = PermittedSecret.prompt("the password")
        let asked = answers.generation
        _ = answers.forgetAll()
        answers.keep("old", for: secret, at: .zero, askedIn: asked)
        #expect(answers[secret] == nil)
        answers.keep("new", for: secret, at: .zero, askedIn: answers.generation)
        #expect(answers[secret] == "new")
    }

    @Test func `who may not do something has a token that is known`() async throws {
        #expect(try await sent([(0, .ok), (3600, .forbidden), (3601, .ok)]) == Array(repeating: "Bearer token-1", count: 3))
    }

    @Test func `an answer that is forgotten is asked for again`() async throws {
        let bench = try RunnerBench(Self.text)
        #expect(bench.runner.forgetAnswers() == 0)
        _ = try await bench.run("look")
        #expect(bench.runner.forgetAnswers() == 1)
        _ = try await bench.run("look")
        #expect(bench.transport.requests.map { $0.headers[.authorization] } == ["Bearer token-1", "Bearer token-2"])
    }
}
