import NetworkLayer
import NetworkLayerTesting
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

    @Test(arguments: 0..<10)
    func `COM-2 COM-3 whatever comes, changes alone are told, questions count up, and there is one alarm at a time`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var run = RandomRun(seed: seed, conditions: [cable, wifi, nothing, NetworkConditions()])
            for _ in 0..<40 { run.step() }
            run.stop()
            guard run.violations.isEmpty else {
                Issue.record("\(run.violations), seed \(seed)")
                return
            }
        }
    }
}

/// Anything at any time, and what must hold of the effects.
private struct RandomRun {
    private var random: SeededGenerator
    private var machine: NetworkMonitor.StateMachine
    private let conditions: [NetworkConditions]
    private var now = MonotonicTime.zero
    private var told = NetworkConditions()
    private var question = 0
    private var isAsking = false
    private var hasAlarm = false
    private var isOver = false
    private(set) var violations: [String] = []

    init(seed: Int, conditions: [NetworkConditions]) {
        random = SeededGenerator(seed: UInt64(seed))
        machine = .init(interval: Bool.random(using: &random) ? .seconds(60) : nil)
        self.conditions = conditions
    }

    mutating func step() {
        now = now + .seconds(Int.random(in: 0...90, using: &random))
        let number = question - (Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: take(.system(conditions.randomElement(using: &random)!))
        case 8..<14 where isAsking:
            if number == question { isAsking = false }
            take(.answered([.none, .captive].randomElement(using: &random)!, question: number))
        case 14..<19 where hasAlarm:
            if number == question { hasAlarm = false }
            take(.alarm(question: number))
        case 19 where Int.random(in: 0..<10, using: &random) == 0: take(.stop)
        default: take(.system(told))
        }
    }

    mutating func stop() {
        take(.stop)
        if !isOver { violations.append("There is no end") }
    }

    private mutating func take(_ input: NetworkMonitor.StateMachine.Input) {
        for effect in machine.handle(input, at: now) {
            if isOver { violations.append("\(effect) after the end") }
            switch effect {
            case .publish(let next):
                if next == told { violations.append("The same is told twice") }
                told = next
            case .ask(let number):
                if number <= question { violations.append("Question \(number) comes after \(question)") }
                if isAsking || hasAlarm { violations.append("Question \(number) comes while another is open, or will be asked") }
                (question, isAsking) = (number, true)
            case .cancelQuestion: isAsking = false
            case .setAlarm(let deadline, let number):
                if hasAlarm || isAsking { violations.append("An alarm is set while there is one, or a question is open") }
                if number != question || deadline <= now { violations.append("The alarm isn't the next question's") }
                hasAlarm = true
            case .clearAlarm: hasAlarm = false
            case .end: isOver = true
            }
        }
        if machine.conditions != told { violations.append("What it knows isn't what it told") }
    }
}
