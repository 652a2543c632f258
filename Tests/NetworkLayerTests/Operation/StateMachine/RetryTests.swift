import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Section 1.9 of the reference, by the inputs and effects of the machine.
@Suite struct RetryTests {
    static let again = RetryDecision.retry(after: .milliseconds(500), reason: "test")

    static func machine(_ request: Request = .get("http://a.test/"), configure: (inout RequestConfiguration) -> Void = { _ in })
        -> Machine
    {
        Machine(request) {
            $0.retry = [RetryRules()]
            configure(&$0)
        }
    }

    private func isAsked(_ machine: Machine) -> Bool {
        machine.effects.contains { if case .askRetryPolicy = $0 { true } else { false } }
    }

    @Test(arguments: [
        (200, false), (201, false), (202, true), (203, true), (204, false), (205, false), (206, false), (207, true), (208, true),
        (226, true), (304, true), (400, true), (404, true), (429, true), (500, true), (503, true),
    ])
    func `RTY-2 a status is put to the policy unless it is a definitive success`(status: Int, asks: Bool) {
        var machine = Self.machine()
        machine.connect()
        machine.head(.init(code: status))
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(isAsked(machine) == asks)
        #expect(machine.state == (asks ? .running : .succeeded))
        machine.send(.retryDecided(.abstain, by: nil))
        #expect(machine.state == .succeeded)
        machine.expectGood()
    }

    @Test func `RTY-2 an error is put to the policy, also behind a definitive success`() {
        for status in [nil, 200, 205] as [Int?] {
            var machine = Self.machine()
            machine.connect()
            if let status { machine.head(.init(code: status)) }
            machine.finish(.reset)
            #expect(isAsked(machine), "\(status ?? 0)")
        }
    }

    @Test func `RTY-2 a cancel, a terminal error and a clogged callback are never put to the policy`() {
        for error in [NetworkError.Code.invalidURL, .hydrationFailed, .authorizationFailed, .operationTimedOut, .callbackTimedOut] {
            #expect(!NetworkError(error, phase: .preparation, type: "test", message: "").isWorthAsking)
        }
        var machine = Self.machine()
        machine.connect()
        machine.send(.cancel("the user"))
        #expect(machine.state == .cancelled)
        #expect(!isAsked(machine))
    }

    @Test func `RTY-4 a retry waits, is prepared anew and is an attempt of its own (the order of section 2.2)`() {
        var machine = Self.machine()
        machine.connect()
        machine.finish(.reset)
        machine.wait(.seconds(1))
        machine.send(.retryDecided(Self.again, by: "RetryRules"))
        #expect(machine.state == .waitingToRetry)
        #expect(machine.machine.metrics.retryDue == machine.now + .milliseconds(500))
        machine.wait(.milliseconds(499))
        machine.send(.alarm)
        #expect(machine.state == .waitingToRetry)
        machine.wait(.milliseconds(1))
        let begun = machine.send(.alarm)
        #expect(begun.first == .dropBody)
        #expect(machine.state == .preparing)
        machine.prepare()
        machine.succeed()
        #expect(
            machine.names.drop { $0 != "retryDecision" } == [
                "retryDecision", "attemptEnded", "transition", "retryScheduled", "transition", "retryStarted", "attemptStarted",
                "transition", "transition", "head", "attemptEnded", "transition", "completed",
            ])
        let attempts = machine.machine.metrics.attempts
        #expect(attempts.map(\.kind) == [.initial, .retry])
        #expect(attempts.map(\.disposition) == [.retrying, .completing])
        #expect(attempts[0].end == attempts[0].start)
        #expect(machine.machine.metrics.retryCount == 1)
        machine.expectGood()
    }

    @Test func `RTY-1 a delay below a tenth of a second is made so long`() {
        var machine = Self.machine()
        machine.connect()
        machine.finish(.reset)
        machine.send(.retryDecided(.retry(after: .zero, reason: "test"), by: "P"))
        #expect(machine.events.contains { $0.kind == .retryScheduled(after: .milliseconds(100)) })
        #expect(machine.events.contains { $0.kind == .retryDecision(.retry(after: .milliseconds(100), reason: "test"), by: "P") })
    }

    @Test func `RTY-1 a changed operation timeout counts from enqueue on`() {
        var machine = Self.machine { $0.timeouts.operation = .seconds(100) }
        machine.connect()
        machine.wait(.seconds(2))
        machine.finish(.reset)
        var changed = machine.machine.configuration
        changed.timeouts.operation = .seconds(5)
        machine.send(.retryDecided(.retry(after: .seconds(1), configuration: changed, reason: "test"), by: "P"))
        machine.wait(.seconds(1))
        machine.send(.alarm)
        machine.prepare()
        machine.wait(.seconds(2))
        machine.send(.alarm)
        #expect(machine.error?.code == .operationTimedOut)
        #expect(machine.machine.metrics.timeouts.operation == .seconds(5))
        machine.expectGood()
    }

    @Test(arguments: [
        (Duration.seconds(30), Duration.seconds(40), false), (.seconds(30), .seconds(30), false),
        (.seconds(30), .milliseconds(29_999), true), (.seconds(-1), .seconds(40), true),
    ])
    func `RTY-3 a retry that would begin at or after the operation timeout is not made`(
        timeout: Duration, delay: Duration, isMade: Bool
    ) {
        var machine = Self.machine { $0.timeouts.operation = timeout }
        machine.connect()
        machine.finish(.reset)
        machine.send(.retryDecided(.retry(after: delay, reason: "test"), by: "P"))
        #expect(machine.state == (isMade ? .waitingToRetry : .failed))
        #expect(machine.attempt == 1)
        // The attempt's own error, not 202.
        if !isMade { #expect(machine.error == .reset) }
    }

    @Test func `RTY-5 a cancel while the policy is asked wins`() {
        var machine = Self.machine()
        machine.connect()
        machine.finish(.reset)
        machine.send(.cancel("the user"))
        #expect(machine.state == .cancelled)
        let effects = machine.send(.retryDecided(Self.again, by: "P"))
        #expect(effects == [])
        #expect(machine.machine.metrics.attempts.map(\.disposition) == [.completing])
        machine.expectGood()
    }

    @Test func `RTY-6 SM-7 other candidates are dropped while the policy is asked, and it is asked once`() {
        var machine = Self.machine()
        machine.connect()
        machine.head(.serviceUnavailable)
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        let count = machine.effects.count
        machine.send(.bodyFailed(.reset, attempt: 1))
        machine.send(.bodyClosed(attempt: 1))
        machine.finish(.reset)
        machine.wait(.seconds(61))
        machine.send(.alarm)
        #expect(machine.state == .running)
        #expect(machine.effects.dropFirst(count).allSatisfy { if case .setAlarm = $0 { true } else { false } })
        machine.send(.retryDecided(.stop(reason: "enough"), by: "P"))
        #expect(machine.state == .succeeded)
        machine.expectGood()
    }

    @Test func `SM-6 an attempt that ended stops its timers, the operation timeout goes on`() {
        var machine = Self.machine()
        machine.connect()
        machine.wait(.seconds(59))
        machine.finish(.reset)
        machine.wait(.seconds(2))
        machine.send(.alarm)
        #expect(machine.state == .starting)
        machine.wait(.seconds(120))
        machine.send(.alarm)
        #expect(machine.error?.code == .operationTimedOut)
        #expect(machine.error?.underlying?.error == .reset)
        machine.expectGood()
    }

    @Test func `RTY-11 a body that can't be sent again is not retried, and the decision says so`() {
        let body = RequestBody.stream(RequestBodyStream(isReplayable: false) { throw CancellationError() })
        var machine = Self.machine(.post("http://a.test/", body: .init(body)))
        machine.connect()
        machine.finish(.reset)
        machine.send(.retryDecided(Self.again, by: "P"))
        #expect(machine.state == .failed)
        #expect(
            machine.events.contains {
                $0.kind == .retryDecision(.stop(reason: "test, but the body can't be sent a second time"), by: nil)
            })
    }

    @Test func `RTY-10 a resend over a new connection is an event, not a retry`() {
        var machine = Self.machine()
        machine.connect()
        machine.transport(.resent)
        machine.succeed()
        #expect(machine.names.contains("resent"))
        #expect(machine.machine.metrics.retryCount == 0)
    }

    @Test func `RTY-4 a preparation that failed is retried, as an attempt that was never sent`() {
        var machine = Self.machine()
        machine.enqueue()
        machine.send(.start)
        machine.wait(.seconds(61))
        machine.send(.alarm)
        machine.send(.retryDecided(Self.again, by: "P"))
        #expect(machine.state == .waitingToRetry)
        #expect(machine.machine.metrics.attempts.map(\.error?.code) == [.attemptTimedOut])
        machine.wait(.seconds(1))
        machine.send(.alarm)
        machine.prepare()
        machine.succeed()
        #expect(machine.machine.metrics.attempts.map(\.kind) == [.initial, .retry])
        machine.expectGood()
    }

    @Test func `RTY-4 retry now cuts the wait short`() {
        var machine = Self.machine()
        machine.connect()
        machine.finish(.reset)
        machine.send(.retryNow)
        #expect(machine.state == .starting)
        machine.send(.retryDecided(Self.again, by: "P"))
        machine.send(.retryNow)
        #expect(machine.state == .preparing)
        machine.send(.retryNow)
        machine.expectGood(isComplete: false)
    }

    @Test func `TMO-7 without an option the network isn't waited for`() {
        var machine = Machine()
        machine.start(.init(hasNetworkConditions: true))
        #expect(machine.state == .starting)
    }

    @Test(arguments: [
        (ConnectivityOptions.wait, false, true), (.waitWhenRetryPolicyProvided, false, false),
        (.waitWhenRetryPolicyProvided, true, true),
    ])
    func `TMO-7 who waits for the network is seen waiting`(options: ConnectivityOptions, hasPolicy: Bool, waits: Bool) {
        var machine = Machine {
            $0.connectivity = options
            if hasPolicy { $0.retry = [RetryRules()] }
        }
        machine.enqueue(.init(hasNetworkConditions: true))
        machine.send(.start)
        guard waits else { return #expect(machine.state == .preparing) }
        machine.send(.network(isReachable: false))
        #expect(machine.state == .waiting(.connectivity))
        machine.send(.network(isReachable: true))
        #expect(machine.state == .preparing)
    }

    @Test(arguments: [true, false])
    func `TMO-7 the attempt timeout counts the wait unless it is invalidated`(invalidates: Bool) {
        var machine = Machine { $0.connectivity = invalidates ? [.wait, .invalidateAttemptTimeoutWhenTriggered] : .wait }
        machine.enqueue(.init(hasNetworkConditions: true))
        machine.send(.start)
        machine.send(.network(isReachable: false))
        machine.wait(.seconds(61))
        machine.send(.alarm)
        #expect(machine.error?.code == (invalidates ? nil : .attemptTimedOut))
    }
}
