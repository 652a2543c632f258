import NetworkLayer
import Testing

@testable import NetworkMonitor

@Suite struct NetworkMonitorStateMachineTests {
    private typealias Machine = NetworkMonitor.StateMachine

    private let cable = NetworkConditions(reachability: .local, interfaces: [.init(name: "eth0", kind: .wired)])
    private let wifi = NetworkConditions(reachability: .local, interfaces: [.init(name: "wlan0", kind: .wifi)])
    private let nothing = NetworkConditions(reachability: .notReachable)

    private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    private func with(_ portal: NetworkConditions.CaptivePortal, _ conditions: NetworkConditions) -> NetworkConditions {
        var conditions = conditions
        conditions.captivePortal = portal
        return conditions
    }

    @Test func `COM-2 only changes are told, and nobody is asked without a probe`() {
        var machine = Machine(interval: nil)
        #expect(machine.handle(.system(cable), at: time(0)) == [.publish(cable)])
        #expect(machine.handle(.system(cable), at: time(1)) == [])
        #expect(machine.handle(.system(nothing), at: time(2)) == [.publish(nothing)])
        #expect(machine.handle(.stop, at: time(3)) == [.end])
        #expect(machine.handle(.system(cable), at: time(4)) == [])
        #expect(machine.conditions == nothing)
    }

    @Test func `COM-3 a question is asked when the way out changes, and 60 s after each answer`() {
        var machine = Machine(interval: .seconds(60))
        #expect(
            machine.handle(.system(cable), at: time(0)) == [.publish(cable), .cancelQuestion, .clearAlarm, .ask(question: 1)])
        #expect(
            machine.handle(.answered(.none, question: 1), at: time(2))
                == [.publish(with(.none, cable)), .setAlarm(time(62), question: 1)])
        #expect(machine.handle(.system(cable), at: time(3)) == [])
        #expect(machine.handle(.alarm(question: 1), at: time(62)) == [.ask(question: 2)])
        #expect(machine.handle(.answered(.none, question: 2), at: time(63)) == [.setAlarm(time(123), question: 2)])
        #expect(
            machine.handle(.system(wifi), at: time(70)) == [.publish(wifi), .cancelQuestion, .clearAlarm, .ask(question: 3)])
        #expect(
            machine.handle(.answered(.captive, question: 3), at: time(71))
                == [.publish(with(.captive, wifi)), .setAlarm(time(131), question: 3)])
        #expect(machine.handle(.stop, at: time(72)) == [.cancelQuestion, .clearAlarm, .end])
        #expect(machine.handle(.alarm(question: 3), at: time(131)) == [])
    }

    @Test func `COM-3 without a way out nobody is asked, and what was asked before is of no interest`() {
        var machine = Machine(interval: .seconds(60))
        _ = machine.handle(.system(cable), at: time(0))
        #expect(machine.handle(.system(nothing), at: time(1)) == [.publish(nothing), .cancelQuestion, .clearAlarm])
        #expect(machine.handle(.answered(.captive, question: 1), at: time(2)) == [])
        #expect(machine.handle(.alarm(question: 1), at: time(3)) == [])
        #expect(machine.conditions == nothing)
    }
}
