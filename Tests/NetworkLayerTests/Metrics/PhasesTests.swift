import NetworkLayer
import Testing

@Suite struct PhasesTests {
    @Test(arguments: Phases.Name.allCases)
    func `a phase is found and set by its name`(name: Phases.Name) {
        let interval = Phases.Interval(start: .zero, end: MonotonicTime(nanoseconds: 1500))
        var phases = Phases()
        phases[name] = interval
        #expect(Phases.Name.allCases.filter { phases[$0] != nil } == [name])
        #expect(phases[name]?.duration.wholeMicroseconds == 1)
        let all = Phases(
            queue: interval, dns: interval, quic: interval, connect: interval, tls: interval, send: interval, wait: interval,
            receive: interval)
        #expect(all[name] == interval)
    }

    @Test func `progress is a fraction where the whole is known`() {
        let progress = [
            TransferProgress(bytes: 5), .init(bytes: 5, expected: 10), .init(bytes: 11, expected: 10), .init(bytes: 0, expected: 0),
        ]
        #expect(progress.map(\.fraction) == [nil, 0.5, 1, 1])
    }

    @Test func `durations become whole nanoseconds, cut off at the ends`() {
        #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
        #expect((MonotonicTime.zero + .seconds(2) - .seconds(1) - .zero).inSeconds == 1)
    }
}
