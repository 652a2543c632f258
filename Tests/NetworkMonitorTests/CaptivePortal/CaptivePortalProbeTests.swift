import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import NetworkMonitor

@Suite(.timeLimit(.minutes(1))) struct CaptivePortalProbeTests {
    private let time = ManualTimeSource()

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: Script
        var verdict: NetworkConditions.CaptivePortal
    }

    static let cases = [
        Case(testDescription: "204", script: .respond(status: .noContent), verdict: .none),
        Case(
            testDescription: "204, length 0", script: .respond(status: .noContent, headers: [.contentLength: "0"]), verdict: .none),
        Case(
            testDescription: "204, length 5", script: .respond(status: .noContent, headers: [.contentLength: "5"]),
            verdict: .captive),
        Case(
            testDescription: "204 with a body", script: .respond(status: .noContent, body: Data("log in".utf8)), verdict: .captive),
        Case(testDescription: "200", script: .respond(), verdict: .captive),
        Case(testDescription: "302", script: .redirect(to: "http://portal.test/"), verdict: .captive),
        Case(testDescription: "511", script: .respond(status: .init(code: 511)), verdict: .captive),
        Case(
            testDescription: "an error",
            script: .fail(NetworkError(.cannotConnect, phase: .connection, type: ErrorType.connectionRefused, message: "Refused.")),
            verdict: .none),
    ]

    private func monitor(_ transport: ScriptedTransport, on machine: FixtureMachine) throws -> NetworkMonitor {
        try machine.plugIn("eth0")
        try machine.route(over: "eth0")
        let probe = CaptivePortalProbe(url: CaptivePortalProbe.google, transport: transport, time: time)
        return NetworkMonitor(probe, files: machine.files, changes: nil)
    }

    @Test(arguments: cases)
    func `COM-3 captive is what isn't an empty 204, and an error proves nothing`(_ row: Case) async throws {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        let transport = ScriptedTransport(time: time) { _ in row.script }
        let monitor = try monitor(transport, on: machine)
        for await conditions in monitor.changes where conditions.captivePortal != .undetermined {
            #expect(conditions.captivePortal == row.verdict)
            break
        }
        #expect(transport.requests.map(\.url.absoluteString) == ["http://connectivitycheck.gstatic.com/generate_204"])
        #expect(transport.requests.map(\.method) == [.get])
    }

    @Test func `COM-3 the question is asked again after 60 s, without cache, cookies or an old connection`() async throws {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        let transport = ScriptedTransport(time: time)
        let monitor = try monitor(transport, on: machine)
        var reader = monitor.changes.makeAsyncIterator()
        #expect(await reader.next()?.captivePortal == .undetermined)
        let first = await transport.transfer(0)
        for step in Script.respond().steps { first.send(step) }
        #expect(await reader.next()?.captivePortal == .captive)
        // The alarm is set after the news was told.
        while time.nextDeadline != .zero + .seconds(60) { await Task.yield() }
        time.advance(by: .seconds(60))
        let second = await transport.transfer(1)
        for step in Script.respond(status: .noContent).steps { second.send(step) }
        #expect(await reader.next()?.captivePortal == NetworkConditions.CaptivePortal.none)
        for request in [first.request, second.request] {
            #expect(!request.options.reusesConnections)
            #expect(request.cookies == CookieConfiguration())
            #expect(request.cachePolicy == .reloadIgnoringLocal)
        }
    }
}
