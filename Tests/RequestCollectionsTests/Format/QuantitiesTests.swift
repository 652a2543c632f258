import Testing

@testable import RequestCollections

@Suite struct QuantitiesTests {
    @Test(
        arguments: [
            ("200ms", .milliseconds(200)), ("3s", .seconds(3)), ("1m", .seconds(60)), ("1h", .seconds(3600)),
            ("14d", .seconds(14 * 86_400)),
            ("1.5s", .milliseconds(1500)), ("0.5ms", .microseconds(500)), ("0s", .zero), ("", nil), ("5", nil), ("s", nil),
            ("1.s", nil),
            (".5s", nil), ("1 s", nil), ("-1s", nil), ("1S", nil), ("99999999999999999999s", nil), ("999999999999999999h", nil),
        ] as [(String, Duration?)])
    func `a duration is a number and a unit`(text: String, duration: Duration?) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        arguments: [
            (.milliseconds(200), "200ms"), (.milliseconds(1500), "1500ms"), (.seconds(60), "60s"), (.seconds(120), "2m"),
            (.seconds(90), "90s"),
            (.seconds(3600), "60m"), (.seconds(7200), "2h"), (.microseconds(500), "0.5ms"), (.zero, "0s"),
        ] as [(Duration, String)])
    func `a duration is written in the largest unit that fits`(duration: Duration, text: String) {
        #expect(DurationText.format(duration) == text)
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        arguments: [
            ("0", 0), ("4096", 4096), ("10B", 10), ("1KiB", 1024), ("10MB", 10_000_000), ("10 MB", 10_000_000), ("2GiB", 2 << 30),
            ("1kb", nil),
            ("x", nil),
            ("-1", nil), ("99999999999GiB", nil),
        ] as [(String, Int?)])
    func `a number of bytes may have a unit`(text: String, count: Int?) {
        #expect(ByteCountText.parse(text) == count)
        if let count { #expect(ByteCountText.parse(ByteCountText.format(count)) == count) }
    }
}
