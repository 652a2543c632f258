import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct BackoffTests {
    /// The value, with its answers as words: `pass 1`, `pause 2`, `in turn 3`.
    struct Host {
        var backoff = Backoff()
        var now = 0

        var time: MonotonicTime { MonotonicTime.zero + .milliseconds(now) }

        mutating func signal(pause: Int, serialize: Int = 0, spacing: Int = 0, key: String = "a") -> [String] {
            let behavior = BackoffBehavior(
                pause: .milliseconds(pause), serialize: .milliseconds(serialize), spacing: .milliseconds(spacing))
            return words(backoff.signal(key, behavior, at: time))
        }

        mutating func join(_ number: Int, longPoll: Bool = false, key: String = "a") -> [String] {
            words(backoff.join(.foreign(number), key, isLongPoll: longPoll, at: time))
        }

        mutating func leave(_ number: Int) -> [String] { words(backoff.leave(.foreign(number), at: time)) }

        /// Moves on to the moment the value asked for, and no further.
        mutating func wait() -> [String] {
            guard let next = backoff.nextLook else { return ["nothing to wait for"] }
            now = Int((next - .zero).wholeNanoseconds / 1_000_000)
            return words(backoff.look(at: time))
        }

        private func words(_ effects: [Backoff.Effect]) -> [String] {
            effects.map { effect in
                guard case .foreign(let number) = effect.ticket else { return "?" }
                switch effect.answer {
                case .pass: return "pass \(number)"
                case .wait(_, nil): return "in turn \(number)"
                case .wait(_, let end?): return "pause \(number) until \((end - .zero).wholeNanoseconds / 1_000_000)"
                }
            }
        }
    }

    @Test func `BKO-1 without a signal everyone passes, and nothing is kept`() {
        var host = Host()
        #expect(host.join(1) + host.join(2) == ["pass 1", "pass 2"])
        #expect(host.signal(pause: 0) == [])
        #expect(host.join(3) + host.leave(3) == ["pass 3"])
        #expect(host.backoff.nextLook == nil)
    }

    @Test func `BKO-3 a signal holds everyone back for the pause, and another one prolongs it for those who wait`() {
        var host = Host()
        #expect(host.signal(pause: 1000) == [])
        #expect(host.join(1) == ["pause 1 until 1000"])
        #expect(host.join(2, key: "b") == ["pass 2"])
        host.now = 600
        #expect(host.signal(pause: 1000) == ["pause 1 until 1600"])
        #expect(host.signal(pause: 100) == ["pause 1 until 1600"])
        #expect(host.wait() == ["pass 1"])
        #expect(host.now == 1600)
    }

    @Test func `BKO-4 who waited during the pause goes out one after the other`() {
        var host = Host()
        _ = host.signal(pause: 1000)
        for number in 1...3 { #expect(host.join(number) == ["pause \(number) until 1000"]) }
        #expect(host.wait() == ["pass 1"])
        // After the pause newcomers wait for those who joined, and then go out together.
        #expect(host.join(4) + host.join(5) == ["in turn 4", "in turn 5"])
        #expect(host.leave(2) == [])
        #expect(host.leave(1) == ["pass 3"])
        #expect(host.leave(3) == ["pass 4", "pass 5"])
        #expect(host.join(6) == ["pass 6"])
    }

    @Test func `BKO-4 the serial time goes on after the pause, from the signal`() {
        var host = Host()
        _ = host.signal(pause: 100, serialize: 500)
        host.now = 200
        #expect(host.join(1) + host.join(2) == ["pass 1", "in turn 2"])
        #expect(host.leave(1) == ["pass 2"])
        host.now = 499
        #expect(host.join(3) == ["in turn 3"])
        host.now = 500
        #expect(host.join(4) + host.join(5) == ["in turn 4", "in turn 5"])
        #expect(host.leave(2) + host.leave(3) == ["pass 3", "pass 4", "pass 5"])
    }

    @Test func `BKO-4 BKO-7 starts are spaced, for each key by itself`() {
        var host = Host()
        _ = host.signal(pause: 0, serialize: 10_000, spacing: 300)
        _ = host.signal(pause: 0, serialize: 10_000, spacing: 50, key: "b")
        #expect(host.join(1) + host.join(2) + host.join(3) == ["pass 1", "in turn 2", "in turn 3"])
        #expect(host.join(4, key: "b") + host.join(5, key: "b") == ["pass 4", "in turn 5"])
        host.now = 10
        #expect(host.leave(1) + host.leave(4) == [])
        #expect(host.wait() == ["pass 5"])
        #expect(host.now == 50)
        #expect(host.wait() == ["pass 2"])
        #expect(host.now == 300)
        // One that takes longer than the spacing is followed at once.
        host.now = 900
        #expect(host.leave(2) == ["pass 3"])
    }

    @Test func `BKO-5 a long poll waits, but holds up nobody`() {
        var host = Host()
        _ = host.signal(pause: 1000)
        #expect(
            host.join(1, longPoll: true) + host.join(2) + host.join(3) == [
                "pause 1 until 1000", "pause 2 until 1000", "pause 3 until 1000",
            ])
        #expect(host.wait() == ["pass 1", "pass 2"])
        #expect(host.leave(2) == ["pass 3"])
    }

    @Test func `BKO-1 another mode lets everyone pass`() {
        var host = Host()
        _ = host.signal(pause: 1000)
        _ = host.join(1)
        #expect(host.backoff.clear().map(\.ticket) == [.foreign(1)])
        #expect(host.join(2) == ["pass 2"])
    }

    @Test(arguments: 0..<10)
    func `BKO-4 whatever comes, a pause is kept, those who joined follow each other, and everyone passes once`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var run = RandomRun(seed: seed)
            for _ in 0..<60 where run.violations.isEmpty { run.step() }
            run.finishAll()
            #expect(run.violations == [], "seed \(seed)")
            if !run.violations.isEmpty { return }
        }
    }
}

/// One key, and what is known of everybody.
private struct RandomRun {
    struct Guest {
        let isJoined: Bool
        var passedAt: Int?
        var isOver = false
    }

    var random: SeededGenerator
    var backoff = Backoff()
    var now = 0
    var violations: [String] = []
    private var guests: [Int: Guest] = [:]
    private var count = 0
    private var pauseEnd = 0
    private var serialEnd = 0
    private var spacing = 0

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(seed))
    }

    private var time: MonotonicTime { MonotonicTime.zero + .milliseconds(now) }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let pause = [0, 50, 300].randomElement(using: &random)!
            let serialize = [0, 0, 200, 500].randomElement(using: &random)!
            let spacing = [0, 0, 40].randomElement(using: &random)!
            if pause > 0 || serialize > 0 { self.spacing = spacing }
            if pause > 0 { pauseEnd = max(pauseEnd, now + pause) }
            serialEnd = max(serialEnd, now + pause, serialize > 0 ? now + serialize : 0)
            take(
                backoff.signal(
                    "a",
                    .init(pause: .milliseconds(pause), serialize: .milliseconds(serialize), spacing: .milliseconds(spacing)),
                    at: time))
        case 1...4:
            count += 1
            let isLongPoll = Int.random(in: 0..<5, using: &random) == 0
            guests[count] = Guest(isJoined: !isLongPoll && now < serialEnd)
            take(backoff.join(.foreign(count), "a", isLongPoll: isLongPoll, at: time))
        case 5...7:
            guard let number = guests.filter({ !$0.value.isOver }).keys.sorted().randomElement(using: &random) else { return }
            guests[number]?.isOver = true
            take(backoff.leave(.foreign(number), at: time))
        default:
            now += Int.random(in: 0...120, using: &random)
            take(backoff.look(at: time))
        }
    }

    /// Everyone who passes leaves, and time goes on, until nobody is left.
    mutating func finishAll() {
        for _ in 0..<10_000 where violations.isEmpty {
            if let number = guests.filter({ $0.value.passedAt != nil && !$0.value.isOver }).keys.min() {
                guests[number]?.isOver = true
                take(backoff.leave(.foreign(number), at: time))
            } else if let next = backoff.nextLook {
                now = max(now, Int((next - .zero).wholeNanoseconds / 1_000_000))
                take(backoff.look(at: time))
            } else {
                break
            }
        }
        let forgotten = guests.filter { $0.value.passedAt == nil && !$0.value.isOver }.keys.sorted()
        if !forgotten.isEmpty { violations.append("\(forgotten) never pass") }
        if backoff.waitingCount != 0 { violations.append("\(backoff.waitingCount) are counted as waiting") }
    }

    private mutating func take(_ effects: [Backoff.Effect]) {
        for effect in effects {
            guard case .foreign(let number) = effect.ticket, let guest = guests[number] else { continue }
            if guest.passedAt != nil { violations.append("\(number) is told after it passed") }
            guard effect.answer == .pass else { continue }
            if now < pauseEnd { violations.append("\(number) passes during the pause") }
            for (other, before) in guests where other < number && before.isJoined {
                if before.passedAt == nil, !before.isOver { violations.append("\(number) overtakes \(other)") }
                if before.passedAt != nil, !before.isOver { violations.append("\(number) runs beside \(other)") }
            }
            guests[number]?.passedAt = now
        }
    }
}
