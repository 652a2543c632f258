import FoundationEssentials
import Testing

@testable import Presentation

@Suite struct FiguresTests {
    @Test(arguments: [
        (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (12_345, "12.3 kB"),
        (99_949, "99.9 kB"), (99_950, "100 kB"), (123_456, "123 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
        (1_234_567, "1.2 MB"), (100_000_000, "100 MB"), (999_500_000, "1.0 GB"), (5_368_709_120, "5.4 GB"),
        (Int64.max, "9.2 EB"), (-1500, "-1.5 kB"), (Int64.min, "-9.2 EB"),
    ])
    func `bytes have three digits and the largest unit that fits`(count: Int64, text: String) {
        #expect(Figures.bytes(count) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0 µs"), (.nanoseconds(499), "0 µs"), (.nanoseconds(500), "1 µs"), (.microseconds(310), "310 µs"),
        (.nanoseconds(999_499), "999 µs"), (.nanoseconds(999_500), "1 ms"), (.milliseconds(8), "8 ms"),
        (.microseconds(8120), "8.12 ms"), (.microseconds(8125), "8.13 ms"), (.microseconds(9_996), "10 ms"),
        (.microseconds(12_340), "12.3 ms"), (.microseconds(123_400), "123 ms"), (.microseconds(999_499), "999 ms"),
        (.microseconds(999_500), "1 s"), (.milliseconds(1240), "1.24 s"), (.milliseconds(12_340), "12.3 s"),
        (.milliseconds(59_900), "59.9 s"), (.milliseconds(59_960), "1 min"), (.seconds(60), "1 min"), (.seconds(65), "1 min 5 s"),
        (.seconds(3599), "59 min 59 s"), (.seconds(3600), "1 h"), (.seconds(7380), "2 h 3 min"), (.milliseconds(-8), "-8 ms"),
        (.seconds(Int64.max), "2562047 h 47 min"), (.seconds(Int64.min), "-2562047 h 47 min"),
    ])
    func `durations have the units that people read them in`(duration: Duration, text: String) {
        #expect(Figures.duration(duration) == text)
    }

    @Test(arguments: [
        ([nil, 0, 21, 310, 8_000, 9_994], ["-", "0.00", "0.02", "0.31", "8.00", "9.99"]), ([12_340, 1_000], ["12.3", "1.0"]),
        ([374_000, 1_240_000], ["374", "1,240"]), ([374_000, 210], ["374.0", "0.2"]), ([90_100, 21], ["90.10", "0.02"]),
        ([9_995, 99_900], ["10.0", "99.9"]), ([-1000], ["0.00"]), ([nil], ["-"]), ([], []),
    ])
    func `milliseconds of a column have as many decimals`(microseconds: [Int64?], texts: [String]) {
        #expect(Figures.milliseconds(microseconds.map { $0.map { .microseconds($0) } }) == texts)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (38_112, "38,112"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
    func `counts have a comma between thousands`(count: Int, text: String) {
        #expect(Figures.count(count) == text)
    }

    @Test func `one thing is singular`() {
        #expect(Figures.count(1, "line") == "1 line")
        #expect(Figures.count(2000, "line") == "2,000 lines")
        #expect(Figures.count(2, "retry", "retries") == "2 retries")
    }

    @Test(arguments: [(0.0, "0%"), (0.999, "99%"), (0.9999, "99%"), (1, "100%"), (1.5, "100%"), (-1, "0%"), (0.5, "50%")])
    func `a part is 100% only when it is whole`(fraction: Double, text: String) {
        #expect(Figures.percent(fraction) == text)
    }

    @Test func `a rate takes time to have passed`() {
        #expect(Figures.rate(bytes: 12_300_000, in: .seconds(1)) == "12.3 MB/s")
        #expect(Figures.rate(bytes: 500, in: .milliseconds(500)) == "1.0 kB/s")
        #expect(Figures.rate(bytes: 500, in: .zero) == nil)
    }

    @Test func `dates are in UTC`() {
        let date = Date(timeIntervalSince1970: 1_795_212_847)
        #expect(Figures.date(date) == "2026-11-20 22:14:07 UTC")
        #expect(Figures.day(date) == "2026-11-20")
    }

    @Test func `text is aligned`() {
        #expect(Figures.right("8 ms", 7) == "   8 ms")
        #expect(Figures.left("dns", 5) == "dns  ")
        #expect(Figures.right("too long", 3) == "too long")
    }
}
