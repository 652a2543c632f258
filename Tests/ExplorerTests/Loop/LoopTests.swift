import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct FramePacerTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `at rest nothing is due`() {
        var pacer = FramePacer()
        #expect(pacer.delay(at: at(0)) == nil)
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(0)) == .zero)
        pacer.drew(at: at(0))
        #expect(pacer.delay(at: at(500)) == nil)
    }

    @Test func `what nobody waits for is drawn at most once in 16 ms`() {
        var pacer = FramePacer()
        pacer.drew(at: at(100))
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(101)) == .milliseconds(15))
        #expect(pacer.delay(at: at(116)) == .zero)
        #expect(pacer.delay(at: at(200)) == .zero)
    }

    @Test func `a key is answered at once, also just after a frame`() {
        var pacer = FramePacer()
        pacer.drew(at: at(100))
        pacer.changed(isUrgent: false)
        pacer.changed(isUrgent: true)
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(101)) == .zero)
        pacer.drew(at: at(101))
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(102)) == .milliseconds(15))
    }
}

/// Times are taken where things happen, never where they are drawn.
@MainActor @Suite(.serialized) struct FrameRateTests {
    private static let step: Duration = .milliseconds(17)

    /// Everything that a connection of its own tells, each a step after the one before.
    private static let events: [TransportEvent.Kind] = [
        .resolveStarted(host: "birds"), .resolveEnded, .connectStarted(address: "127.0.0.1:9"), .connectEnded,
        .connectionAcquired(ConnectionInfo(id: 1, isReused: false, localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:9")),
        .requestSent, .head(ResponseHead(status: .ok)),
        .body(Data("a".utf8), received: 1, expected: 2), .body(Data("b".utf8), received: 2, expected: 2),
        .finished(TransferResult()),
    ]

    /// - Parameter isStalled: nothing is drawn while the request runs.
    /// - Returns: the phases and the whole time, and how many frames showed them.
    private func run(isStalled: Bool) throws -> (phases: Phases?, total: Duration?, frames: Int) {
        let folder = try TemporaryFolder([
            "shop.yaml": "turnstone: 1\nrequests:\n  birds: { name: All birds, get: \"http://127.0.0.1:9/birds\" }\n"
        ])
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time)
        var frames = 0
        let steps = Self.events.flatMap { event -> [ScriptedTerminal.Step] in
            let look = ScriptedTerminal.Step.look { terminal in
                time.advance(by: Self.step)
                transport.transfers[0].send(event)
                frames = terminal.frames.count
            }
            return isStalled ? [look] : [look, .until { $0.frames.count > frames }]
        }
        var before = 0
        let terminal = ScriptedTerminal(
            size: Size(columns: 120, rows: 40),
            steps: [
                .until { $0.text.contains("All birds") }, .events([.key(.character("s"))]),
                .until { _ in !transport.transfers.isEmpty }, .look { before = $0.frames.count },
            ] + steps + [
                .look { _ in time.advance(by: Self.step) }, .until { $0.text.contains("✓ 200") },
                .events([.key(.character("q"))]),
            ])
        let services = ExplorerServices(client: NetworkClient(transport: transport, time: time), editor: NoEditor())
        let explorer = try terminal.play(in: folder, with: services)
        let metrics = explorer.state.shownOperation?.metrics
        return (metrics?.attempts.last?.phases, metrics?.total, terminal.frames.count - before)
    }

    @Test func `phases are the same at sixty frames a second and without one`() throws {
        let lively = try run(isStalled: false)
        let stalled = try run(isStalled: true)
        #expect(lively.frames >= Self.events.count)
        #expect(stalled.frames < Self.events.count)
        #expect(lively.phases == stalled.phases)
        #expect(lively.total == stalled.total)
        #expect(lively.phases?.dns?.duration == Self.step)
        #expect(lively.phases?.connect?.duration == Self.step)
        #expect(lively.phases?.wait?.duration == Self.step)
        #expect(lively.phases?.receive?.duration == Self.step * 3)
    }
}

@Suite struct MailboxTests {
    private final class CountingWaker: TerminalWaker {
        private let counter = Mutex(0)
        var count: Int { counter.withLock { $0 } }

        func wake() { counter.withLock { $0 += 1 } }
    }

    private func notices(_ messages: [Mailbox.Message]) -> [String] {
        messages.compactMap { message in
            if case .event(.notice(let notice)) = message { notice.text } else { nil }
        }
    }

    @Test func `a thousand messages wake the loop once`() {
        let waker = CountingWaker()
        let mailbox = Mailbox(waker: waker)
        #expect(!mailbox.prepareToWait(isQuiet: false))
        for number in 0..<1000 { mailbox.post(.notice(Notice(.info, "\(number)"))) }
        #expect(waker.count == 1)
        #expect(notices(mailbox.drain()) == (0..<1000).map(String.init))
        #expect(mailbox.drain().isEmpty)
    }

    @Test func `while a frame is due anyway nobody is woken`() {
        let waker = CountingWaker()
        let mailbox = Mailbox(waker: waker)
        _ = mailbox.prepareToWait(isQuiet: true)
        mailbox.post(.notice(Notice(.info, "a")))
        #expect(waker.count == 0)
        #expect(mailbox.prepareToWait(isQuiet: false))
        mailbox.post(.notice(Notice(.info, "b")))
        #expect(waker.count == 1)
        #expect(notices(mailbox.drain()) == ["a", "b"])
    }
}
