import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Section 2.1 of the reference, with `waiting`.
@Suite struct StateTableTests {
    static let states: [RequestOperation.State] =
        [.idle, .waiting(.queueSuspended), .waiting(.concurrencyLimit), .preparing, .starting, .running, .waitingToRetry]
        + [.cancelled, .failed, .succeeded]

    /// A row for every state in ``states``, a column for every state to go to: `x` where there is an edge.
    static let table = [
        "idle                     ": ".xxx...xxx",
        "waiting:queueSuspended   ": "..xx...xxx",
        "waiting:concurrencyLimit ": ".x.x...xxx",
        "preparing                ": "....x..xxx",
        "starting                 ": ".....xxxxx",
        "running                  ": "......xxxx",
        "waitingToRetry           ": "...x...xxx",
        "cancelled                ": "..........",
        "failed                   ": "..........",
        "succeeded                ": "..........",
    ]

    @Test(arguments: states)
    func `a state becomes what the table says and nothing else (SM-1 to SM-4)`(state: RequestOperation.State) throws {
        let row = try #require(Self.table.first { $0.key.trimmingSpaces == state.description }).value
        #expect(String(Self.states.map { state.canBecome($0) ? "x" : "." }) == row)
    }

    @Test(arguments: states, states)
    func `the machine takes the edges of the table and ignores all others`(
        from: RequestOperation.State, to: RequestOperation.State
    ) {
        var machine = Machine(in: from)
        let before = machine.machine.metrics
        let isTaken = machine.machine.enter(.any(in: to), at: machine.now)
        #expect(isTaken == from.canBecome(to))
        #expect(machine.state == (isTaken ? to : from))
        if !isTaken { #expect(machine.machine.metrics == before) }
    }

    @Test func `waiting for the same reason again is no transition`() {
        for reason in RequestOperation.WaitReason.allCases {
            #expect(!RequestOperation.State.waiting(reason).canBecome(.waiting(reason)))
        }
    }

    @Test func `states have TNL's numbers`() {
        #expect(Self.states.map(\.number) == [0, 0, 0, 1, 2, 3, 4, -1, -2, -100])
    }

    @Test func `only the three ends are final`() {
        #expect(Self.states.filter(\.isFinal) == [.cancelled, .failed, .succeeded])
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(prefix { $0 != " " }) }
}

extension Machine {
    /// A machine that has come to a state on its usual way.
    init(in state: RequestOperation.State) {
        self.init()
        switch state {
        case .idle: enqueue()
        case .waiting(let reason):
            enqueue()
            send(.wait(reason))
        case .preparing:
            enqueue()
            send(.start)
        case .starting: start()
        case .running:
            start()
            head()
        case .waitingToRetry:
            start()
            head()
            machine.enter(.waitingToRetry(.test), at: now)
        case .cancelled:
            start()
            send(.cancel("a test"))
        case .failed:
            start()
            finish(.reset)
        case .succeeded:
            start()
            succeed()
        }
    }
}

extension Machine.StateMachine.Phase {
    /// One that others see as that state.
    fileprivate static func any(in state: RequestOperation.State) -> Self {
        switch state {
        case .idle: .waiting(nil, awaitsNetwork: false)
        case .waiting(let reason): .waiting(reason, awaitsNetwork: false)
        case .preparing: .preparing(.init(isRetry: false, request: .get("http://a.test/")))
        case .starting, .running: .attempting(CopyOnWrite(.init(number: 1)), isRunning: state == .running)
        case .waitingToRetry: .waitingToRetry(.test)
        case .cancelled, .failed, .succeeded: .over(state, keepsLastAnswer: false)
        }
    }
}

extension Machine.StateMachine.RetryWait {
    /// For nothing but the alarm.
    static let test = Self(candidate: .init(final: .failed, error: .reset, time: .zero), standsInLine: false)
}
