import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Codes 202 to 205 where calls of roles are under way.
@Suite struct CallbackTimeoutTests {
    func hydrating(_ timeouts: Timeouts = Timeouts(), callbackTimeout: Duration? = .seconds(10)) -> Machine {
        var machine = Machine { $0.timeouts = timeouts }
        machine.send(.enqueue(queue: "test", date: Machine.date, callbackTimeout: callbackTimeout))
        machine.send(.start)
        machine.prepare([.hydrator])
        machine.send(.callbackBegan(CallbackWatchTests.tag, number: 1))
        return machine
    }

    @Test func `TMO-5 T-CLOG a call that lasts too long fails the operation with 205 and its tag`() {
        var machine = hydrating()
        for _ in 0..<9 {
            machine.wait(.seconds(1))
            machine.send(.alarm)
        }
        #expect(machine.state == .preparing)
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.error?.code == .callbackTimedOut)
        #expect(machine.error?.details[.timeoutTags] == "Tokens<RequestHydrator>.hydrate (10 s)")
        #expect(
            machine.error?.message
                == "GET a.test: Tokens<RequestHydrator>.hydrate didn't return within 10 s, stopped while being prepared (hydration); let it return sooner, or raise the callback timeout."
        )
        machine.expectGood()
    }

    @Test func `TMO-5 T-CLOG a call that still hangs after a pause of the whole program gets what was left of its time`() {
        var machine = hydrating(callbackTimeout: .seconds(3))
        machine.wait(.seconds(1))
        machine.send(.alarm)
        // TNL's background, and the foreground again.
        machine.wait(.seconds(40))
        machine.send(.alarm)
        #expect(machine.state == .preparing)
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.error?.code == .callbackTimedOut)
        #expect(machine.error?.details[.timeoutTags] == "Tokens<RequestHydrator>.hydrate (3 s)")
        machine.expectGood()
    }

    @Test func `TMO-5 T-CLOG a pause of the whole program doesn't count, and the call may still return`() {
        var machine = hydrating()
        machine.wait(.seconds(1))
        machine.send(.alarm)
        machine.wait(.seconds(40))
        machine.send(.alarm)
        #expect(machine.state == .preparing)
        machine.send(.callbackEnded(number: 1))
        machine.send(.answered(.hydrated(nil), number: 1))
        #expect(machine.state == .starting)
        machine.expectGood(isComplete: false)
    }

    @Test func `GLB-10 without a callback timeout a call may last as long as the attempt`() {
        var machine = hydrating(callbackTimeout: nil)
        machine.wait(.seconds(59))
        machine.send(.alarm)
        #expect(machine.state == .preparing)
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.error?.code == .attemptTimedOut)
    }

    @Test(arguments: [
        (Timeouts(idle: nil, attempt: nil, operation: .seconds(2)), NetworkError.Code.operationTimedOut),
        (Timeouts(idle: nil, attempt: .seconds(2), operation: nil), .attemptTimedOut),
    ])
    func `TMO-6 every timeout carries the calls under way`(timeouts: Timeouts, code: NetworkError.Code) {
        var machine = hydrating(timeouts)
        machine.wait(.seconds(1))
        machine.send(.alarm)
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.error?.code == code)
        #expect(machine.error?.details[.timeoutTags] == "Tokens<RequestHydrator>.hydrate (2 s)")
        #expect(machine.error?.message.contains("with Tokens<RequestHydrator>.hydrate under way") == true)
    }

    @Test func `TMO-6 an idle timeout carries them too, and 205 is no timeout error`() {
        var machine = Machine { $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil) }
        machine.start()
        machine.send(.callbackBegan(CallbackWatchTests.tag, number: 1))
        machine.head()
        machine.wait(.seconds(1))
        machine.send(.alarm)
        #expect(machine.error?.code == .idleTimedOut)
        #expect(machine.error?.details[.timeoutTags] == "Tokens<RequestHydrator>.hydrate (1 s)")
        let codes: [NetworkError.Code] = [.operationTimedOut, .attemptTimedOut, .idleTimedOut, .callbackTimedOut]
        #expect(codes.map(\.isTimeout) == [true, true, true, false])
    }

    @Test func `a call that returns in time leaves no trace`() {
        var machine = hydrating()
        machine.wait(.milliseconds(500))
        machine.send(.callbackEnded(number: 1))
        machine.send(.answered(.hydrated(nil), number: 1))
        machine.wait(.seconds(20))
        machine.send(.alarm)
        #expect(machine.state == .starting)
        machine.head()
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(machine.state == .succeeded)
        machine.expectGood()
    }
}
