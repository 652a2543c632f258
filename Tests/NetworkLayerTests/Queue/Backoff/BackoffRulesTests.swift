import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct BackoffRulesTests {
    let url = Request.get("http://A.test/People/1?x=1").url
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `BKO-1 the key is the host, or host and path, in lower case`() {
        #expect(BackoffRules().key(of: url) == nil)
        #expect(BackoffRules(mode: .host).key(of: url) == "a.test")
        #expect(BackoffRules(mode: .hostAndPath).key(of: url) == "a.test/people/1")
        #expect(BackoffRules(mode: .hostAndPath).key(of: Request.get("http://a.test").url) == "a.test/")
        #expect(BackoffRules(mode: .host).key(of: url, host: "B.test") == "b.test")
    }

    @Test(arguments: [
        (nil, 1000), ("", 1000), ("soon", 1000), ("0", 100), ("7", 7000), ("10", 10_000), ("11", 1000), ("99999", 1000),
        ("Tue, 14 Nov 2023 22:13:23 GMT", 3000), ("Tue, 14 Nov 2023 22:13:00 GMT", 100),
    ])
    func `BKO-2 the pause is what Retry-After says, from 100 ms to 10 s, else 1 s`(field: String?, milliseconds: Int) {
        var headers = HTTPFields()
        headers[.retryAfter] = field
        let behavior = RetryAfterBehavior(serialize: .seconds(5), spacing: .seconds(2)).behavior(
            after: headers, from: url, now: now)
        #expect(behavior == BackoffBehavior(pause: .milliseconds(milliseconds), serialize: .seconds(5), spacing: .seconds(2)))
    }

    @Test func `BKO-1 BKO-7 503 is the signal; 429 too for who asks for it`() {
        func signals(_ signaler: some BackoffSignaler) -> [Int] {
            [200, 404, 429, 500, 503].filter { signaler.isSignal(ResponseHead(status: .init(code: $0)), from: url) }
        }
        #expect(signals(StatusSignaler()) == [503])
        #expect(signals(StatusSignaler.orTooManyRequests) == [429, 503])
    }

    @Test func `BKO-5 a long poll has no attempt timeout, or one below a second, or is a stream`() {
        func isLongPoll(_ timeouts: Timeouts, _ consumption: ResponseConsumption = .none) -> Bool {
            RequestConfiguration(timeouts: timeouts, consumption: consumption).isLongPoll
        }
        #expect(isLongPoll(.init(attempt: nil)) && isLongPoll(.init(attempt: .milliseconds(999))) && isLongPoll(.init(), .stream))
        #expect(!isLongPoll(.init(attempt: .seconds(1))))
    }
}
