import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct PartialBodyTests {
    private static let usual: HTTPFields = [.eTag: "\"v1\"", .contentLength: "10"]

    private func part(
        _ headers: HTTPFields = usual, status: HTTPResponse.Status = .ok, of request: Request = .get("http://a.test/f"),
        count: Int64 = 4
    ) -> PartialBody? {
        PartialBody(ResponseHead(status: status, headers: headers), to: request, count: count)
    }

    // MARK: What can be gone on with

    @Test(
        arguments: [
            [.eTag: "W/\"v1\""], [.eTag: "v1"], [:],
            [.eTag: "W/\"v1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 09:49:37 GMT"],
            [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
            [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:50:36 GMT"],
            [.eTag: "\"v1\"", .acceptRanges: "none"], [.eTag: "\"v1\"", .contentEncoding: "gzip"],
            [.eTag: "\"v1\"", .contentType: "multipart/byteranges; boundary=b"], [.eTag: "\"v1\"", .contentLength: "3"],
        ] as [HTTPFields])
    func `TN-14 without a strong validator, plain bytes and a server that has ranges nothing is gone on with`(headers: HTTPFields) {
        #expect(part(headers) == nil)
    }

    @Test func `TN-14 a strong tag will do, and so will a date that is a minute older than the answer`() {
        #expect(part([.eTag: "\"v1\"", .acceptRanges: "bytes", .contentEncoding: "identity"])?.validator == "\"v1\"")
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(part([.lastModified: modified, .date: "Sun, 06 Nov 1994 08:50:37 GMT"])?.validator == modified)
    }

    @Test func `TN-14 only the body of a GET for the whole is gone on with`() {
        #expect(part(status: .partialContent) == nil)
        #expect(part(status: .notFound) == nil)
        #expect(part(count: 0) == nil)
        #expect(part(of: Request(url: URL(string: "http://a.test/f")!, method: .post)) == nil)
        #expect(part(of: Request(url: URL(string: "http://a.test/f")!, headers: [.range: "bytes=0-9"])) == nil)
    }

    // MARK: The question

    @Test func `TN-14 the rest is asked for by Range and If-Range, plain`() throws {
        var request = Request.get("http://a.test/f")
        try #require(part()).ask(in: &request, isHop: false)
        #expect(request.headers == [.range: "bytes=4-", .ifRange: "\"v1\"", .acceptEncoding: "identity"])
    }

    @Test func `TN-14 what lies elsewhere is asked for as a whole, but a signature may change behind a redirect`() throws {
        let part = try #require(self.part())
        for (url, isHop, asks) in [
            ("http://a.test/other", false, false), ("http://b.test/f", true, false), ("http://a.test/f?sig=2", false, false),
            ("http://a.test/f?sig=2", true, true), ("https://a.test/f", true, false),
        ] {
            var request = Request.get(url)
            part.ask(in: &request, isHop: isHop)
            #expect((request.headers[.range] != nil) == asks, "\(url)")
        }
    }

    // MARK: The answer

    @Test(
        arguments: [
            (206, ["bytes 4-9/10"], .goesOn), (206, ["bytes 4-9/*"], .goesOn), (206, ["bytes 3-9/10"], .unusable),
            (206, ["bytes 4-8/10"], .unusable), (206, ["bytes 4-10/11"], .unusable), (206, [], .unusable),
            (206, ["items 4-9/10"], .unusable), (416, ["bytes */10"], .unusable), (416, [], .unusable),
            (200, [], .startsOver), (203, [], .startsOver), (200, ["bytes 4-9/10"], .unusable), (503, [], .unrelated),
            (404, [], .unrelated), (304, [], .unrelated),
        ] as [(Int, [String], PartialBody.Verdict)])
    func `TN-14 an answer is the rest only when its range fits`(status: Int, ranges: [String], verdict: PartialBody.Verdict) throws
    {
        var headers: HTTPFields = [:]
        headers[values: .contentRange] = ranges
        #expect(try #require(part()).verdict(on: ResponseHead(status: .init(code: status), headers: headers)) == verdict)
    }

    @Test(
        arguments: [
            [.eTag: "\"v2\""], [.contentEncoding: "gzip"], [.contentType: "multipart/byteranges; boundary=b"],
        ] as [HTTPFields])
    func `TN-14 a part of something else, a coded one and several parts are no rest`(headers: HTTPFields) throws {
        var headers = headers
        headers[.contentRange] = "bytes 4-9/10"
        #expect(try #require(part()).verdict(on: ResponseHead(status: .partialContent, headers: headers)) == .unusable)
    }

    @Test func `TN-14 a part of less than what is there is no rest`() throws {
        let part = try #require(self.part([.eTag: "\"v1\""]))
        for range in ["bytes 0-2/3", "bytes 0-0/1", "bytes 4-8/*"] {
            #expect(part.verdict(on: ResponseHead(status: .partialContent, headers: [.contentRange: range])) == .unusable)
        }
    }

    @Test func `TN-14 a part that isn't as long as its range is no rest`() throws {
        let part = try #require(self.part([.eTag: "\"v1\""]))
        let end = "9223372036854775806/9223372036854775807"
        for (range, length, verdict) in [
            ("bytes 4-9/10", "6", .goesOn), ("bytes 4-9/10", "7", .unusable), ("bytes 4-9/10", "5", .unusable),
            ("bytes 4-\(end)", "9223372036854775803", .goesOn), ("bytes 4-\(end)", "9223372036854775807", .unusable),
        ] as [(String, String, PartialBody.Verdict)] {
            let headers: HTTPFields = [.contentRange: range, .contentLength: length]
            #expect(part.verdict(on: ResponseHead(status: .partialContent, headers: headers)) == verdict, "\(range), \(length)")
        }
        let chunked: HTTPFields = [.contentRange: "bytes 4-9/10", .contentLength: "7", .transferEncoding: "chunked"]
        #expect(part.verdict(on: ResponseHead(status: .partialContent, headers: chunked)) == .goesOn)
    }

    @Test func `TN-14 a 416 whose length is what is there says that nothing is missing`() throws {
        let answer = ResponseHead(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */4"])
        #expect(try #require(part([.eTag: "\"v1\""])).verdict(on: answer) == .isWhole)
        #expect(try #require(part()).verdict(on: answer) == .unusable)
    }

    @Test func `TN-14 the whole has the head of the 200 and its own length`() throws {
        let part = try #require(self.part([.eTag: "\"v1\"", .transferEncoding: "chunked"]))
        #expect(part.wholeHead(length: 10) == ResponseHead(status: .ok, headers: [.eTag: "\"v1\"", .contentLength: "10"]))
    }

    @Test(arguments: ["bytes 5-4/10", "bytes 0-10/10", "bytes */*", "bytes 1-2", "bytes -2/10", "bytes 1-2-3/4", "items 0-1/2", ""])
    func `TN-14 what is no range of bytes is none`(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
