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
        #expect(machine.error?.message == "Cancelled: the user.")
        #expect(machine.effects.last == .finish)
        let count = machine.effects.count
        machine.send(.cancel("somebody else"))
        machine.send(.alarm)
        machine.finish(.reset)
        #expect(machine.effects.count == count)
        #expect(machine.error?.cancelSource == "the user")
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
        #expect(
            machine.story == ["enqueued", "idle>waiting:concurrencyLimit", "waiting:concurrencyLimit>cancelled", "completed"])
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
        machine.machine.transition(to: .waitingToRetry, at: machine.now)
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
