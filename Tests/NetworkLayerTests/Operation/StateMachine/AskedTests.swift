import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// While the policies are asked the attempt is over: nothing that was still to come of it has an effect (RTY-5, SM-6).
@Suite struct AskedTests {
    @Test func `RTY-5 the host sanitizer's answer comes too late when its attempt has timed out`() {
        var machine = RetryTests.machine()
        machine.enqueue()
        machine.send(.start)
        machine.prepare(.hostSanitizer)
        machine.send(.answered(.host(.keep), number: 1))
        machine.head(.found, [.location: "/next"])
        #expect(machine.finish().contains { if case .ask(.hostSanitizer, _, 2) = $0 { true } else { false } })
        machine.wait(.seconds(60))
        machine.send(.alarm)
        #expect(isAsked(machine))
        #expect(machine.send(.answered(.host(.keep), number: 2)) == [])
        machine.send(.retryDecided(.abstain, by: nil))
        #expect(machine.state == .failed)
        #expect(machine.error?.code == .attemptTimedOut)
        #expect(machine.attempt == 1)
        machine.expectGood()
    }

    @Test func `RTY-5 nobody follows a redirect whose attempt has timed out while the rest of its body was awaited`() {
        var machine = RetryTests.machine()
        machine.start()
        machine.wait(.milliseconds(59_500))
        machine.head(.found, [.location: "/next", .contentLength: "100"])
        machine.wait(.milliseconds(500))
        machine.send(.alarm)
        #expect(isAsked(machine))
        machine.wait(.milliseconds(600))
        #expect(!machine.send(.alarm).contains { if case .startTransfer = $0 { true } else { false } })
        machine.send(.retryDecided(RetryTests.again, by: "P"))
        #expect(machine.state == .waitingToRetry)
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.retrying])
        machine.expectGood(isComplete: false)
    }

    private func isAsked(_ machine: Machine) -> Bool {
        machine.effects.contains { if case .askRetryPolicy = $0 { true } else { false } }
    }
}
