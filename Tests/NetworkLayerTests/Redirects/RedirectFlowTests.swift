import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// How the state machine carries redirects out.
@Suite struct RedirectFlowTests {
    static let proposed = Request.get("http://b.test/")

    func asking() -> Machine {
        var machine = Machine(delegate: true) { $0.redirects.policy = .delegate }
        machine.start()
        return machine
    }

    @Test func `the body of a followed redirect is dropped`() {
        var machine = Machine()
        machine.start()
        machine.head(.found, [.location: "/next"])
        #expect(machine.body(100) == [])
        #expect(machine.finish() == [.startTransfer(.get("http://a.test/next"), attempt: 2)])
        #expect(machine.machine.metrics.attempts.first?.download.bytes == 100)
    }

    @Test func `a redirect with an endless body is cut off and followed`() {
        var machine = Machine()
        machine.start()
        machine.head(.found, [.location: "/next"])
        #expect(machine.body(65_536) == [])
        #expect(machine.body(1, received: 65_537) == [.cancelTransfer, .startTransfer(.get("http://a.test/next"), attempt: 2)])
        machine.succeed()
        machine.expectGood()
    }

    /// How its end is found, and how long it may take: a second where that keeps the connection.
    private static let framings: [(HTTPFields, Int)] = [
        ([.contentLength: "100"], 1000), ([.transferEncoding: "chunked"], 1000), ([:], 20), ([.contentLength: "65537"], 20),
    ]

    @Test(arguments: framings)
    func `the end of a redirect's body isn't waited for`(framing: HTTPFields, milliseconds: Int) {
        var machine = Machine()
        machine.start()
        var headers = framing
        headers[.location] = "/next"
        let head = ResponseHead(status: .found, headers: headers)
        #expect(machine.transport(.head(head)) == [.setAlarm(machine.now + .milliseconds(milliseconds))])
        #expect(machine.body(1) == [])
        machine.wait(.milliseconds(milliseconds))
        #expect(machine.send(.alarm).prefix(2) == [.cancelTransfer, .startTransfer(.get("http://a.test/next"), attempt: 2)])
        machine.succeed()
        machine.expectGood()
    }

    @Test func `a redirect whose transfer breaks after its head is followed all the same`() {
        var machine = Machine()
        machine.start()
        machine.head(.found, [.location: "/next"])
        #expect(machine.finish(.reset) == [.startTransfer(.get("http://a.test/next"), attempt: 2)])
    }

    @Test func `too many redirects fail with the last head at hand`() {
        var machine = Machine { $0.redirects.limit = 2 }
        machine.start()
        for _ in 0..<2 {
            machine.head(.found, [.location: "/next"])
            machine.finish()
        }
        #expect(machine.head(.found, [.location: "/next"]) == [.cancelTransfer, .clearAlarm, .finish])
        #expect(machine.error?.code == .tooManyRedirects)
        #expect(machine.machine.metrics.attempts.map(\.redirect?.decision) == [.followed, .followed, .failed])
        machine.expectGood()
    }

    @Test(arguments: ["http://[not-a-host]:99999/", "http://a.test:99999/", "http://[::1/", "//", "ftp://a.test/", "http://a b/"])
    func `a Location that is no URL fails the attempt that received it`(location: String) {
        var machine = Machine()
        machine.start()
        #expect(machine.head(.found, [.location: location]) == [.cancelTransfer, .clearAlarm, .finish])
        let error = NetworkError(
            .redirectFailed, phase: .response, type: "http.response.redirect.invalid",
            message:
                "The server redirects to \"\(location)\", which is no http or https URL; follow no redirects to see the answer.")
        #expect(machine.error == error)
        #expect(machine.machine.metrics.attempts.map(\.redirect) == [RedirectHop(location: location, decision: .failed)])
        #expect(machine.machine.metrics.attempts.map(\.error) == [error])
        machine.expectGood()
    }

    @Test func `an address that only the transport finds to be none is the server's fault after a redirect, and ours before`() {
        let invalid = NetworkError(.invalidURL, phase: .preparation, type: "unknown", message: "The URL can't be sent.")
        var machine = Machine()
        machine.start()
        machine.head(.found, [.location: "http://h.test/"])
        machine.finish()
        machine.finish(invalid)
        #expect(machine.error == .redirectTargetInvalid("http://h.test/"))
        machine.expectGood()
        var first = Machine()
        first.start()
        first.finish(invalid)
        #expect(first.error == invalid)
    }

    @Test func `the delegate is asked with the proposal, the head and the request`() {
        var machine = asking()
        let head = ResponseHead(status: .found, headers: [.location: "http://b.test/"])
        #expect(
            machine.transport(.head(head)) == [
                .askRedirect(proposed: Self.proposed, after: head, from: .get("http://a.test/"), attempt: 1)
            ])
    }

    @Test func `a yes before the end of the transfer waits for it`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        machine.body(10)
        #expect(machine.send(.redirectDecided(Self.proposed, attempt: 1)) == [])
        #expect(machine.finish() == [.startTransfer(Self.proposed, attempt: 2)])
        machine.succeed()
        machine.expectGood()
    }

    @Test func `a yes after the end of the transfer goes on at once`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        #expect(machine.finish() == [])
        #expect(machine.send(.redirectDecided(Self.proposed, attempt: 1)) == [.startTransfer(Self.proposed, attempt: 2)])
        machine.succeed()
        machine.expectGood()
    }

    @Test func `a no releases the body that was held back`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        #expect(machine.body(2) == [])
        #expect(machine.send(.redirectDecided(nil, attempt: 1)) == [.write(Data("aa".utf8), attempt: 1)])
        #expect(
            machine.body(1, received: 3) == [
                .write(Data("a".utf8), attempt: 1), .setAlarm(MonotonicTime(nanoseconds: 1_100_000_000)),
            ])
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(machine.machine.metrics.attempts.last?.redirect?.decision == .refusedByDelegate)
        machine.expectGood()
    }

    @Test func `a no after the end of the transfer completes`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        machine.body(2)
        machine.finish()
        #expect(machine.send(.redirectDecided(nil, attempt: 1)) == [.write(Data("aa".utf8), attempt: 1), .closeBody(attempt: 1)])
        machine.send(.bodyClosed(attempt: 1))
        machine.expectGood()
    }

    @Test func `a long body stands still until the delegate has decided`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        #expect(machine.body(65_537) == [.pauseReceiving])
        #expect(machine.send(.redirectDecided(nil, attempt: 1)).last == .resumeReceiving)
        #expect(machine.state == .running)
    }

    @Test func `a decision about another attempt is ignored`() {
        var machine = asking()
        machine.head(.found, [.location: "http://b.test/"])
        #expect(machine.send(.redirectDecided(nil, attempt: 0)) == [])
        machine.send(.redirectDecided(Self.proposed, attempt: 1))
        #expect(machine.send(.redirectDecided(nil, attempt: 1)) == [])
    }
}
