import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// TMO-1, TMO-3, TMO-4.
@Suite struct TimeoutTests {
    typealias Mode = Timeouts.IdleTimeoutMode

    /// The idle timeout is 1 s. A server that is silent for 3 s before its head, and one that is silent inside of its body.
    @Test(arguments: [
        (Mode.disabled, false, false), (.excludingInitialConnection, false, true), (.includingInitialConnection, true, true),
    ])
    func `TMO-1 idle: each mode counts from its own moment`(mode: Mode, failsBeforeHead: Bool, failsInBody: Bool) {
        func machine() -> Machine {
            Machine { $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil, idleMode: mode) }
        }
        var beforeHead = machine()
        beforeHead.start()
        beforeHead.transport(.connectionAcquired(.loopback))
        beforeHead.transport(.requestSent)
        beforeHead.wait(.seconds(3))
        beforeHead.send(.alarm)
        #expect((beforeHead.error?.code == .idleTimedOut) == failsBeforeHead)

        var inBody = machine()
        inBody.start()
        inBody.wait(.milliseconds(900))
        inBody.head()
        inBody.body(3)
        inBody.wait(.milliseconds(900))
        inBody.send(.alarm)
        #expect(inBody.state == .running)
        inBody.wait(.milliseconds(200))
        inBody.send(.alarm)
        #expect((inBody.error?.code == .idleTimedOut) == failsInBody)
    }

    @Test(arguments: [
        TransportEvent.Kind.uploadProgress(TransferProgress(bytes: 1)), .informational(ResponseHead(status: .continue)),
        .head(ResponseHead(status: .ok)),
    ])
    func `TMO-1 idle: bytes of the request's body and of the answer count as life`(kind: TransportEvent.Kind) {
        var machine = Machine {
            $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil, idleMode: .includingInitialConnection)
        }
        machine.start()
        machine.wait(.milliseconds(900))
        machine.transport(kind)
        machine.wait(.milliseconds(900))
        machine.send(.alarm)
        #expect(machine.state == .running)
    }

    @Test(arguments: [Mode.excludingInitialConnection, .includingInitialConnection])
    func `idle: a redirect stops it, and only one mode starts it anew (RDR-2)`(mode: Mode) {
        var machine = Machine { $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil, idleMode: mode) }
        machine.start()
        machine.head(.found, [.location: "/next"])
        machine.finish()
        #expect((machine.machine.metrics.lastActivity == nil) == (mode == .excludingInitialConnection))
        machine.wait(.seconds(2))
        machine.send(.alarm)
        #expect((machine.error?.code == .idleTimedOut) == (mode == .includingInitialConnection))
    }

    @Test func `TMO-3 attempt: counts from preparing and over redirects`() {
        var machine = Machine { $0.timeouts = Timeouts(idle: nil, attempt: .seconds(2), operation: nil) }
        machine.enqueue()
        machine.send(.wait(.queueSuspended))
        machine.wait(.seconds(5))
        machine.send(.start)
        machine.prepare()
        machine.wait(.milliseconds(1500))
        machine.head(.found, [.location: "/next"])
        machine.finish()
        machine.wait(.milliseconds(400))
        machine.send(.alarm)
        #expect(machine.state == .running)
        machine.wait(.milliseconds(100))
        #expect(machine.send(.alarm) == [.cancelTransfer, .finish])
        #expect(machine.state == .failed)
        #expect(machine.error?.code == .attemptTimedOut)
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.redirecting, .completing])
        machine.expectGood()
    }

    @Test(arguments: [
        (ResponseConsumption.download(to: "/tmp/knot"), true), (.stream, true), (.file(directory: nil), false),
        (.memory(spillOver: 9), false),
    ])
    func `TMO-3 a download and a stream take as long as they take, after their head and by default`(
        consumption: ResponseConsumption, isOpenEnded: Bool
    ) {
        func machine(_ timeouts: Timeouts) -> Machine {
            var machine = Machine {
                $0.timeouts = timeouts
                $0.consumption = consumption
            }
            machine.start()
            machine.wait(.seconds(1))
            machine.send(.alarm)
            machine.head()
            for _ in 0..<10 {
                machine.wait(.seconds(29))
                machine.body(3)
                machine.send(.alarm)
            }
            return machine
        }
        #expect(machine(.init()).error?.code == (isOpenEnded ? nil : .attemptTimedOut))
        var idle = machine(.init(attempt: nil))
        if isOpenEnded { idle.wait(.seconds(30)) }
        idle.send(.alarm)
        #expect(idle.error?.code == (isOpenEnded ? .idleTimedOut : .operationTimedOut))
        #expect(machine(.init(attempt: nil, operation: .seconds(60))).error?.code == .operationTimedOut)
        #expect(machine(.init(attempt: .milliseconds(500))).error?.code == .attemptTimedOut)
    }

    @Test func `operation: stands still while somebody holds the queue`() {
        var machine = Machine { $0.timeouts = Timeouts(idle: nil, attempt: nil, operation: .seconds(10)) }
        machine.enqueue()
        machine.send(.wait(.concurrencyLimit))
        machine.wait(.seconds(4))
        machine.send(.wait(.queueSuspended))
        machine.wait(.seconds(3600))
        machine.send(.alarm)
        #expect(machine.state == .waiting(.queueSuspended))
        machine.send(.wait(.concurrencyLimit))
        machine.wait(.seconds(5))
        machine.send(.alarm)
        #expect(machine.state == .waiting(.concurrencyLimit))
        #expect(machine.machine.metrics.held(at: machine.now) == .seconds(3600))
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.state == .failed)
        #expect(machine.error?.code == .operationTimedOut)
    }

    @Test(arguments: StateTableTests.states.filter { !$0.isFinal && $0 != .idle && $0 != .waiting(.queueSuspended) })
    func `TMO-4 operation: counts from enqueue, in every state but that of a queue that is held`(state: RequestOperation.State) {
        var machine = Machine(in: state)
        machine.wait(.seconds(181))
        machine.send(.alarm)
        #expect(machine.state == .failed)
        #expect(machine.error?.code == .operationTimedOut)
        #expect(machine.effects.last == .finish)
    }

    @Test func `the longest-reaching timeout is named when several are due`() {
        var deadlines = Deadlines(Timeouts(idle: .seconds(1), attempt: .seconds(1), operation: .seconds(1)))
        deadlines.idleSince = .zero
        #expect(deadlines.due(at: .zero + .seconds(1)) == .idle)
        deadlines.attemptArmed = .zero
        #expect(deadlines.due(at: .zero + .seconds(1)) == .attempt)
        deadlines.enqueue(at: .zero)
        #expect(deadlines.due(at: .zero + .seconds(1)) == .operation)
        #expect(deadlines.due(at: .zero + .milliseconds(999)) == nil)
    }

    @Test func `one alarm serves an operation: it is set at the start and cleared at the end`() {
        var machine = Machine()
        machine.start()
        machine.wait(.seconds(1))
        machine.head()
        machine.body(3)
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.alarms == [.setAlarm(MonotonicTime(nanoseconds: 31_000_000_000)), .clearAlarm])
    }

    @Test func `an alarm that rings too early is set again`() {
        var machine = Machine()
        machine.start()
        machine.wait(.seconds(20))
        machine.head()
        machine.wait(.seconds(10))
        machine.send(.alarm)
        #expect(
            machine.alarms == [
                .setAlarm(MonotonicTime(nanoseconds: 31_000_000_000)), .setAlarm(MonotonicTime(nanoseconds: 51_000_000_000)),
            ])
        #expect(machine.state == .running)
    }

    @Test func `an alarm that was replaced rings for nothing`() {
        var machine = Machine()
        machine.start()
        #expect(machine.send(.alarm) == [])
    }

    @Test func `without timeouts there is no alarm`() {
        var machine = Machine { $0.timeouts = Timeouts(idle: nil, attempt: nil, operation: nil) }
        machine.start()
        machine.succeed()
        #expect(machine.alarms == [])
    }

    @Test func `the sentence says which timeout, how long, and what it waited for`() {
        var idle = Machine(.get("http://a.test:81/x?key=secret")) {
            $0.timeouts = Timeouts(idle: .milliseconds(1500), attempt: .seconds(2), operation: .seconds(3))
        }
        var attempt = idle
        var operation = idle
        idle.start()
        idle.head()
        idle.body(7)
        idle.wait(.milliseconds(1500))
        idle.send(.alarm)
        #expect(
            idle.error?.message
                == "GET a.test:81: nothing came or went for 1500 ms while receiving the body, 7 bytes so far; raise the idle timeout if the server pauses that long."
        )
        #expect(idle.error?.phase == .body)
        attempt.start()
        attempt.transport(.tlsStarted)
        attempt.wait(.seconds(2))
        attempt.send(.alarm)
        #expect(
            attempt.error?.message
                == "GET a.test:81: no complete answer within 2 s, stopped while setting up TLS; raise the attempt timeout if it needs longer."
        )
        #expect(attempt.error?.phase == .tls)
        operation.enqueue()
        operation.send(.wait(.concurrencyLimit))
        operation.wait(.seconds(3))
        operation.send(.alarm)
        #expect(
            operation.error?.message
                == "GET a.test:81: not done within 3 s of being enqueued, stopped while waiting (concurrencyLimit); raise the operation timeout if it needs longer."
        )
        #expect(operation.error?.phase == .queue)
    }

    @Test func `a timeout carries the error of the last attempt`() {
        var machine = Machine()
        machine.start()
        machine.head()
        machine.machine.endAttempt(.retrying, .reset, at: machine.now)
        machine.machine.enter(.waitingToRetry(.test), at: machine.now)
        machine.wait(.seconds(200))
        machine.send(.alarm)
        #expect(machine.error?.code == .operationTimedOut)
        #expect(machine.error?.underlying?.error == .reset)
    }
}

extension Machine {
    var alarms: [StateMachine.Effect] {
        effects.filter { effect in
            switch effect {
            case .setAlarm, .clearAlarm: true
            default: false
            }
        }
    }
}
