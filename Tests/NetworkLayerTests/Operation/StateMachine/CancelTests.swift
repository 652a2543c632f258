import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct CancelTests {
    @Test(arguments: StateTableTests.states.filter { !$0.isFinal })
    func `a cancel ends every state at once, and once (CAN-1, CAN-2)`(state: RequestOperation.State) {
        var machine = Machine(in: state)
        machine.send(.cancel("the user"))
        #expect(machine.state == .cancelled)
        #expect(machine.error?.code == .cancelled)
        #expect(machine.error?.cancelSource == "the user")
        #expect(machine.effects.last == .finish)
        let count = machine.effects.count
        machine.send(.cancel("somebody else"))
        machine.send(.alarm)
        machine.finish(.reset)
        #expect(machine.effects.count == count)
        #expect(machine.error?.cancelSource == "the user")
    }

    /// What happened before the cancel, and what the error says then.
    static let whereabouts: [(@Sendable (inout Machine) -> Void, NetworkError.Phase, String)] = [
        ({ _ in }, .preparation, "before it was enqueued"),
        ({ $0.enqueue() }, .queue, "while waiting in the queue"),
        (
            {
                $0.enqueue()
                $0.send(.wait(.concurrencyLimit))
            }, .queue, "while waiting (concurrencyLimit)"
        ),
        (
            {
                $0.enqueue()
                $0.send(.start)
            }, .preparation, "while being prepared"
        ),
        ({ $0.start() }, .queue, "while waiting for a connection"),
        (
            {
                $0.start()
                $0.transport(.resolveStarted(host: "a.test"))
            }, .dns, "while looking up the name"
        ),
        (
            {
                $0.start()
                $0.transport(.connectStarted(address: "127.0.0.1:80"))
            }, .connection, "while connecting"
        ),
        (
            {
                $0.start()
                $0.transport(.connectStarted(address: "127.0.0.1:80"))
                $0.transport(.connectEnded)
                $0.transport(.tlsStarted)
            }, .tls, "while setting up TLS"
        ),
        ({ $0.connect() }, .request, "while sending the request"),
        (
            {
                $0.connect()
                $0.transport(.requestHeadSent(Data()))
                $0.transport(.requestSent)
            }, .response, "while waiting for the first byte of the answer"
        ),
        (
            {
                $0.start()
                $0.head()
                $0.body(7)
            }, .body, "while receiving the body, 7 bytes so far"
        ),
        (
            {
                $0.start()
                $0.head()
                $0.finish()
            }, .body, "while keeping the body"
        ),
    ]

    @Test(arguments: whereabouts.indices)
    func `the error says where the operation stood`(index: Int) {
        let (before, phase, place) = Self.whereabouts[index]
        var machine = Machine()
        before(&machine)
        machine.send(.cancel("Ctrl-C"))
        #expect(
            machine.error
                == NetworkError(
                    .cancelled, phase: phase, type: "abandoned", message: "Cancelled \(place) (Ctrl-C).", cancelSource: "Ctrl-C"))
        machine.expectGood()
    }

    @Test func `before enqueue it is completed without an attempt`() {
        var machine = Machine()
        #expect(machine.send(.cancel("the user")) == [.finish])
        #expect(machine.story == ["idle>cancelled", "completed"])
        #expect(machine.enqueue() == [])
        machine.expectGood()
    }

    @Test func `while queued it is completed without an attempt`() {
        var machine = Machine()
        machine.enqueue()
        machine.send(.wait(.concurrencyLimit))
        #expect(machine.send(.cancel("the user")) == [.clearAlarm, .finish])
        #expect(machine.story == ["enqueued", "idle>waiting:concurrencyLimit", "waiting:concurrencyLimit>cancelled", "completed"])
        machine.expectGood()
    }

    @Test func `while it runs the transfer is cut off first, and the attempt recorded with how far it came`() {
        var machine = Machine()
        machine.start()
        machine.transport(.connectStarted(address: "127.0.0.1:80"))
        machine.wait(.milliseconds(5))
        #expect(machine.send(.cancel("the user")) == [.cancelTransfer, .clearAlarm, .finish])
        #expect(machine.story.suffix(3) == ["attemptEnded completing", "starting>cancelled", "completed"])
        let attempt = machine.machine.metrics.attempts.last
        #expect(attempt?.phases.connect?.duration == .milliseconds(5))
        #expect(attempt?.openPhase == nil)
        #expect(attempt?.error?.code == .cancelled)
        machine.expectGood()
    }

    @Test func `while the body is being closed there is no transfer to cut off`() {
        var machine = Machine()
        machine.start()
        machine.head()
        machine.finish()
        #expect(machine.send(.cancel("the user")) == [.clearAlarm, .finish])
        #expect(machine.send(.bodyClosed(attempt: 1)) == [])
        machine.expectGood()
    }

    @Test func `while waiting to retry no attempt is reported twice`() {
        var machine = Machine()
        machine.start()
        machine.head()
        machine.machine.endAttempt(.retrying, .reset, at: machine.now)
        machine.machine.enter(.waitingToRetry(.test), at: machine.now)
        machine.send(.cancel("the user"))
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.retrying])
        #expect(machine.state == .cancelled)
    }

    @Test func `callbacks of a dead transfer are dropped`() {
        var machine = Machine()
        machine.start()
        machine.head(.found, [.location: "/next"])
        machine.finish()
        let count = machine.events.count
        machine.send(.transport(.head(ResponseHead(status: .ok)), attempt: 1))
        machine.send(.transport(.finished(TransferResult()), attempt: 1))
        machine.send(.bodyFailed(.reset, attempt: 1))
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.events.count == count)
        machine.expectGood(isComplete: false)
    }
}
