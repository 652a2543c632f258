import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// Over the body `0123456789`.
@Suite struct MockRangeTests {
    let story = Story()
    let digits = MockResponse(body: Data("0123456789".utf8))

    @Test(arguments: [
        ("bytes=0-0", "0", "bytes 0-0/10"), ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"), ("bytes=-3", "789", "bytes 7-9/10"), ("bytes=-99", "0123456789", "bytes 0-9/10"),
        ("Bytes=9-9", "9", "bytes 9-9/10"), ("bytes= 1-2 ", "12", "bytes 1-2/10"),
    ])
    func `PSE-3 both ends of a range are inclusive`(range: String, body: String, contentRange: String) {
        story.tell(digits, headers: [.range: range])
        #expect(story.head?.status == .partialContent)
        #expect(story.body == body)
        #expect(story.head?.headers == [.contentRange: contentRange, .contentLength: String(body.count)])
    }

    @Test(arguments: ["bytes=10-", "bytes=99-100", "bytes=-0"])
    func `PSE-2 a range beyond the end is a 416`(range: String) {
        story.tell(digits, headers: [.range: range])
        #expect(story.head?.status == .rangeNotSatisfiable)
        #expect(story.head?.headers == [.contentRange: "bytes */10", .contentLength: "0"])
        #expect(story.body == "")
    }

    @Test(arguments: ["", "bytes=", "bytes=-", "bytes=4-2", "bytes=a-b", "bytes=+1-2", "bytes=0-1,3-4", "lines=0-1", "bytes=1"])
    func `PSE-2 what is no single range of bytes is ignored`(range: String) {
        story.tell(digits, headers: [.range: range])
        #expect(story.head?.status == .ok)
        #expect(story.body == "0123456789")
    }

    @Test(
        arguments: [
            (MockBehavior.IfRange.any, "\"v1\"", 206), (.none, "\"v1\"", 200), (.only("\"v1\""), "\"v1\"", 206),
            (.only("\"v2\""), "\"v1\"", 200), (.none, nil, 206), (.only("\"v2\""), nil, 206),
        ] as [(MockBehavior.IfRange, String?, Int)])
    func `PSE-2 If-Range lets a range through or not`(rule: MockBehavior.IfRange, condition: String?, status: Int) {
        var headers: HTTPFields = [.range: "bytes=0-1"]
        headers[.ifRange] = condition
        story.tell(digits, MockBehavior(ifRange: rule), headers: headers)
        #expect(story.head?.status.code == status)
    }

    @Test func `PSE-2 a mock without ranges ignores them`() {
        story.tell(digits, MockBehavior(providesRanges: false), headers: [.range: "bytes=0-1"])
        #expect(story.head?.status == .ok)
    }

    @Test func `PSE-2 only a GET that would be 200 has ranges`() {
        story.tell(digits, headers: [.range: "bytes=0-1"], method: .post)
        #expect(story.head?.status == .ok)
        let missing = Story()
        missing.tell(digits, MockBehavior(status: .notFound), headers: [.range: "bytes=0-1"])
        #expect(missing.head?.status == .notFound)
        #expect(missing.body == "0123456789")
    }
}
