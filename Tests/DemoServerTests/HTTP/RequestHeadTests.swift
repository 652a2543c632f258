import FoundationEssentials
import Testing

@testable import DemoServer

@Suite struct RequestHeadTests {
    @Test func `order, repetitions and capitals stay`() throws {
        let head = try RequestHead(
            parsing: Array("GET /a?b HTTP/1.1\r\nHost: x\r\nX-One:1\r\nx-one: \t2 \r\nEmpty:\r\n\r\n".utf8)[...])
        let expected = RequestHead(
            method: "GET", target: "/a?b", version: "1.1",
            fields: [Field("Host", "x"), Field("X-One", "1"), Field("x-one", "2"), Field("Empty", "")])
        #expect(head == expected)
        #expect(head.values(of: "X-ONE") == ["1", "2"])
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "close", false), ("1.1", "Keep-Alive, Close", false), ("1.0", "", false),
        ("1.0", "Keep-Alive", true),
    ])
    func `a connection stays open as the version and the client say`(version: String, connection: String, keepsAlive: Bool) {
        let head = RequestHead(method: "GET", target: "/", version: version, fields: [Field("Connection", connection)])
        #expect(head.keepsAlive == keepsAlive)
    }

    @Test(arguments: [
        ("bytes=0-4", 0..<5), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=8-99", 8..<10), ("bytes=-99", 0..<10),
    ])
    func `one range of bytes`(text: String, range: Range<Int>) {
        #expect(ByteRange.parse(text, of: 10) == range)
    }

    @Test(arguments: ["bytes=10-", "bytes=4-2", "bytes=0-1,3-4", "bytes=-0", "bytes=-", "lines=1-2"])
    func `no range of these bytes`(text: String) {
        #expect(ByteRange.parse(text, of: 10) == nil)
    }

    @Test(arguments: [("1000", 1000), ("10MB", 10_000_000), ("64KiB", 65_536), ("1.5 kB", 1500), ("0", 0), ("2gib", 2 << 30)])
    func `sizes with units`(text: String, count: Int) {
        #expect(Units.byteCount(text) == count)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1.5", .milliseconds(1500)), ("1m", .seconds(60)),
        ("0", .zero),
    ])
    func `times with units`(text: String, duration: Duration) {
        #expect(Units.duration(text) == duration)
    }

    @Test(arguments: ["", "s", "-1s", "1 parsec", "1e99", "NaN", "0x10"])
    func `no size and no time`(text: String) {
        #expect(Units.byteCount(text) == nil)
        #expect(Units.duration(text) == nil)
    }

    @Test(arguments: [
        (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_795_214_096.9, "Fri, 20 Nov 2026 22:34:56 GMT"),
    ])
    func `dates as header fields have them`(seconds: Double, text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}
