import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

struct LoadFiguresTests {
    private static func sample(due: Int? = nil, start: Int, end: Int, isCold: Bool? = false, failure: String? = nil) -> LoadSample {
        func time(_ milliseconds: Int) -> MonotonicTime { .zero + .milliseconds(milliseconds) }
        return LoadSample(
            due: due.map(time), start: time(start), end: time(end), phases: [(.wait, .milliseconds(end - start))], isCold: isCold,
            status: 200, failure: failure)
    }

    @Test func `at a rate, a total counts from the due time, and the real time stands beside it`() {
        var figures = LoadFigures()
        // One a 10 ms; the first stalls for 100 ms, and those behind it begin late, one after the other.
        for number in 0..<10 {
            let due = number * 10
            let start = number == 0 ? 0 : max(due, 100 + number)
            figures.add(Self.sample(due: due, start: start, end: number == 0 ? 100 : start + 1))
        }
        #expect(figures.figure(100, of: .total) == .milliseconds(100))
        #expect(figures.figure(50, of: .uncorrected) == .milliseconds(1))
        // Due at 10, 20 … 90, over at 102, 103 … 110.
        #expect(figures.figure(50, of: .total) == .milliseconds(56))
        #expect(figures.figure(100, of: .late) == .milliseconds(91))
    }

    @Test func `errors have rows of their own and make no percentile better`() {
        var figures = LoadFigures()
        for _ in 0..<10 { figures.add(Self.sample(start: 0, end: 50)) }
        for _ in 0..<10 { figures.add(Self.sample(start: 0, end: 1, failure: "503")) }
        #expect(figures.figure(50, of: .total) == .milliseconds(50))
        #expect(figures.passed == 10 && figures.failed == 10 && figures.count == 20)
        #expect(LoadTable(figures).results.text == "✓ 10 × 200   ! 10 × 503")
    }

    @Test(arguments: [(9, false, false), (10, true, false), (99, true, false), (100, true, true)])
    func `a percentile of too few samples isn't told`(count: Int, hasP90: Bool, hasP99: Bool) {
        var figures = LoadFigures()
        for number in 0..<count { figures.add(Self.sample(start: 0, end: number)) }
        #expect((figures.figure(90, of: .total) != nil) == hasP90)
        #expect((figures.figure(99, of: .total) != nil) == hasP99)
        #expect(figures.figure(100, of: .total) == .milliseconds(count - 1))
    }

    @Test func `a rate that was caught up with was kept`() {
        var figures = LoadFigures()
        for number in 0..<100 {
            // For half a second nothing begins.
            let isHeld = (20..<25).contains(number)
            let start = isHeld ? 2500 : number * 100
            figures.add(Self.sample(due: number * 100, start: start, end: start + 5))
            if isHeld { figures.waited += 1 }
        }
        #expect(!figures.isBehind)
        #expect(LoadTable(figures).throughput(wanted: 10, columns: 1).text == "10/s  wanted 10/s   5 not started in time")
        // Three of a hundred intervals behind.
        figures.add(Self.sample(due: 10_000, start: 10_300, end: 10_305))
        #expect(figures.isBehind)
        var hung = LoadFigures()
        for number in 0..<8 { hung.add(Self.sample(due: number * 100, start: number * 100, end: 10_000)) }
        #expect(!hung.isBehind)
        hung.leave(90)
        #expect(hung.isBehind)
    }

    @Test func `a pause makes no server slower`() {
        var figures = LoadFigures()
        figures.add(Self.sample(start: 0, end: 500))
        figures.add(Self.sample(start: 9500, end: 10_000))
        figures.paused = .seconds(9)
        #expect(figures.elapsed == .seconds(1) && figures.throughput == 2)
    }

    @Test func `a stall is a gap in the throughput`() {
        var figures = LoadFigures()
        for second in [0, 0, 1, 4, 5] { figures.add(Self.sample(start: second * 1000, end: second * 1000 + 10)) }
        #expect(figures.recent(10) == [2, 1, 0, 0, 1])
        figures.add(Self.sample(start: 10_000_000, end: 10_000_010))
        #expect(figures.recent(1000).count <= 120)
    }

    @Test func `connections that were made and kept ones are apart`() {
        var figures = LoadFigures()
        figures.add(Self.sample(start: 0, end: 90, isCold: true))
        for _ in 0..<3 { figures.add(Self.sample(start: 0, end: 30)) }
        #expect(figures[.cold].count == 1 && figures[.warm].count == 3)
        #expect(figures.figure(50, of: .cold) == .milliseconds(90))
    }

    @Test func `a sample has the phases of all attempts, and its connection is that of the first`() {
        var script = EventScript(operation: 1)
        script.start()
        script.attempt(at: 0, EventScript.request())
        let ready = script.connect(at: 0, dns: 1, tcp: 2)
        script.send(at: ready)
        script.head(at: 20, status: 503)
        script.endAttempt(at: 20)
        script.end(at: 20, .succeeded)
        let sample = LoadSample(script.metrics, isGood: false)
        #expect(sample?.failure == "503")
        #expect(sample?.phases.first { $0.name == .connect }?.duration == .milliseconds(2))
        #expect(LoadSample(OperationMetrics(), isGood: true) == nil)
    }

    @Test func `memory doesn't grow with the number of samples`() {
        var figures = LoadFigures()
        for number in 0..<200_000 {
            figures.add(Self.sample(start: number, end: number + number % 60_000, failure: number % 7 == 0 ? "e\(number)" : nil))
        }
        #expect(figures.count == 200_000)
        #expect(figures.failures.count <= 33)
    }

    // MARK: Two ways

    private static func histogram(_ values: [Int]) -> LatencyHistogram {
        values.reduce(into: LatencyHistogram()) { $0.record(.microseconds($1)) }
    }

    @Test func `of two ways the faster one is told only when chance doesn't explain it`() {
        let slow = Self.histogram((0..<200).map { 60_000 + $0 * 37 % 4000 })
        let fast = Self.histogram((0..<200).map { 48_000 + $0 * 41 % 4000 })
        let clear = LoadComparison(slow, fast)!
        #expect(clear.isClear && clear.sentence.contains(" ms faster at p50 (95 %: 1"), "\(clear.sentence)")
        #expect(LoadComparison(fast, slow)!.sentence.contains(" ms slower at p50 (95 %: 1"))
        let wide = Self.histogram((0..<30).map { 40_000 + $0 * 2000 })
        let unclear = LoadComparison(wide, Self.histogram((0..<30).map { 41_000 + $0 * 2000 }))!
        #expect(!unclear.isClear && unclear.sentence.hasPrefix("no difference can be told at p50"))
        #expect(LoadComparison(Self.histogram([1, 2, 3]), slow) == nil)
    }

    // MARK: The table

    @Test func `a table is as wide as it may be, and has a histogram where there is room`() {
        var figures = LoadFigures()
        for number in 0..<200 {
            figures.add(Self.sample(due: number * 20, start: number * 20, end: number * 20 + 20 + number % 30))
        }
        for width in [46, 60, 80, 100, 160] {
            let lines = LoadTable(figures, axis: LoadAxis(figures), isFixed: true, isOpen: true).lines(width: width)
            #expect(lines.allSatisfy { DisplayWidth.of($0.text) <= width }, "\(width)")
            #expect(lines.count == 12)
            #expect(lines.contains { $0.text.contains("█") } == (width >= 60))
        }
        let plain = LoadTable(figures).lines(width: 80).map(\.text)
        #expect(plain[0] == "phase           p50      p90      p99      max   samples")
        #expect(plain.contains("total         34 ms    46 ms    49 ms    49 ms       200"))
    }

    @Test func `an axis grows outwards by an octave a second`() {
        var figures = LoadFigures()
        for number in 0..<30 { figures.add(Self.sample(start: 0, end: 16 + number % 2)) }
        var axis = LoadAxis(figures)!
        let high = axis.high
        figures.add(Self.sample(start: 0, end: 60_000))
        axis.fit(figures, at: .zero + .seconds(1))
        #expect(axis.high == high + 1)
        axis.fit(figures, at: .zero + .milliseconds(1500))
        #expect(axis.high == high + 1)
        axis.fit(figures, at: .zero + .seconds(2))
        #expect(axis.high == high + 2)
    }

    @Test func `what is more than modest has words`() {
        #expect(LoadPlan.standard.excesses() == [])
        #expect(LoadPlan(count: 1000, rate: 20, atOnce: 16).excesses() == [])
        #expect(LoadPlan(count: 1000, atOnce: 1).excesses(requests: 2) == ["2,000 requests"])
        #expect(
            LoadPlan(duration: .seconds(61), rate: 50, atOnce: 17).excesses() == ["3,050 requests", "17 at once", "50/s", "61s"])
        for host in ["localhost", "api.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "LOCALHOST."] {
            #expect(LoadHost.isLoopback(host))
        }
        for host in ["localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "::2", "127.1", ""] {
            #expect(!LoadHost.isLoopback(host))
        }
    }
}
