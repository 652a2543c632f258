import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// What a phase holds is there in that phase alone, and belongs to one machine alone.
@Suite struct PhaseTests {
    @Test func `a copy of a machine goes its own way, also in the middle of an attempt`() {
        var machine = Machine()
        machine.connect()
        machine.head()
        var copy = machine
        copy.body(100)
        copy.send(.cancel("the user"))
        #expect(copy.state == .cancelled)
        #expect(copy.machine.metrics.attempts.last?.bytes.decodedResponseBody == 100)
        #expect(machine.machine.exchange?.decodedBytes == 0)
        machine.body(7)
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        #expect(machine.machine.metrics.attempts.last?.bytes.decodedResponseBody == 7)
        machine.expectGood()
        copy.expectGood()
    }

    @Test func `a copy of a machine goes its own way while policies are asked`() {
        var machine = RetryTests.machine()
        machine.connect()
        machine.head(.serviceUnavailable)
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        var copy = machine
        copy.send(.conditions(NetworkConditions(reachability: .notReachable)))
        copy.send(.retryDecided(RetryTests.again, by: "P"))
        machine.send(.retryDecided(.abstain, by: nil))
        #expect(copy.state == .waitingToRetry)
        #expect(copy.machine.metrics.attempts.last?.network?.reachability == .notReachable)
        #expect(machine.state == .succeeded)
        #expect(machine.machine.metrics.attempts.last?.network == nil)
        machine.expectGood()
        copy.expectGood(isComplete: false)
    }

    @Test func `GLB-5 the network is noted of the attempt under way, and of none before or after`() {
        var machine = RetryTests.machine()
        let local = Machine.StateMachine.Input.conditions(NetworkConditions(reachability: .local))
        machine.send(local)
        machine.enqueue()
        machine.send(local)
        machine.send(.start)
        machine.send(local)
        machine.prepare()
        machine.finish(.reset)
        machine.send(.retryDecided(RetryTests.again, by: "P"))
        machine.send(local)
        #expect(machine.machine.metrics.attempts.map(\.network) == [nil])
        machine.wait(.seconds(1))
        machine.send(.alarm)
        machine.prepare()
        machine.send(local)
        machine.succeed()
        #expect(machine.machine.metrics.attempts.map(\.network?.reachability) == [nil, .local])
        machine.expectGood()
    }

    @Test func `a hop that waits for a slot is still running, and ends without another attempt when it is cancelled`() {
        var machine = Machine { $0.redirects.policy = .always }
        machine.start(.init(usesSlots: true))
        machine.head(.found, [.location: "http://b.test/"])
        #expect(machine.finish().contains { if case .askSlot = $0 { true } else { false } })
        #expect(machine.state == .running)
        #expect(machine.machine.exchange?.number == nil)
        // The transfer is over: nothing that comes of it has an effect.
        #expect(machine.head() == [])
        machine.send(.wait(.concurrencyLimit, for: .concurrencyLimit(host: "b.test")))
        #expect(machine.machine.metrics.waitsFor == .concurrencyLimit(host: "b.test"))
        machine.send(.cancel("the user"))
        #expect(machine.send(.slot) == [])
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.redirecting])
        machine.expectGood()
    }

    @Test func `a retry that doesn't stand in line leaves none, whoever may ask for pauses`() {
        for (skips, pauses) in [(true, true), (false, false), (false, true)] {
            var machine = RetryTests.machine()
            machine.start(.init(skipsLine: skips))
            machine.finish(.reset)
            machine.send(.retryDecided(RetryTests.again, by: "P", pausesHosts: pauses))
            machine.wait(.seconds(1))
            machine.send(.alarm)
            let stands = pauses && !skips
            #expect(machine.effects.contains(.leaveLine) == stands)
            #expect(machine.effects.contains(.joinLine(isLongPoll: false)) == stands)
            #expect(machine.state == (stands ? .waitingToRetry : .preparing))
        }
    }
}
