import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct RetryRulesTests {
    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private func context(
        _ request: Request = .get("http://a.test/"), status: Int? = nil, retryAfter: String? = nil, error: NetworkError? = nil,
        connected: Bool = true, retries: Int = 0, elapsed: Duration = .zero, random: Double = 0.5
    ) -> RetryContext {
        var metrics = OperationMetrics()
        var attempt = AttemptMetrics(number: 1, kind: .initial, request: request, start: .zero)
        if connected {
            attempt.connection = ConnectionInfo(id: 1, isReused: false, localAddress: "", remoteAddress: "")
        }
        metrics.attempts = [attempt]
        let info = status.map { status in
            var headers: HTTPFields = [:]
            headers[.retryAfter] = retryAfter
            return ResponseInfo(
                finalRequest: request, head: ResponseHead(status: .init(code: status), headers: headers), body: .none)
        }
        return RetryContext(
            operation: OperationID(rawValue: 1),
            response: Response(originalRequest: request, error: error, info: info, metrics: metrics), retryCount: retries,
            elapsed: elapsed, date: Self.date, random: random)
    }

    @Test func `RTY-11 the wait grows by its factor and is anything up to that with full jitter`() {
        let backoff = RetryBackoff()
        #expect(
            (1...7).map { backoff.delay(before: $0, random: 1) }
                == [200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        #expect(backoff.delay(before: 2, random: 0) == .zero)
        #expect(backoff.delay(before: 2, random: 0.5) == .milliseconds(200))
        #expect(RetryBackoff(jitter: .equal).delay(before: 1, random: 0) == .milliseconds(100))
        #expect(RetryBackoff(jitter: .none).delay(before: 1, random: 0) == .milliseconds(200))
        #expect(RetryBackoff().delay(before: .max, random: 1) == .seconds(5))
        let endless = RetryBackoff(first: .seconds(1), max: .seconds(Int64.max), jitter: .none)
        #expect(endless.delay(before: 1000, random: 1) == .seconds(9_000_000_000))
    }

    @Test func `RTY-11 what isn't listed is left to the next policy, and tries come to an end`() {
        let rules = RetryRules(attempts: 2, on: [.statusClass(5)])
        #expect(rules.verdict(on: context(status: 404)) == .abstain)
        #expect(rules.verdict(on: context(error: .reset)) == .abstain)
        #expect(rules.verdict(on: context(status: 500)) == .retry(after: .milliseconds(100), reason: "status 500, try 2 of 2"))
        #expect(rules.verdict(on: context(status: 500, retries: 1)) == .stop(reason: "status 500, after 2 of 2 attempts"))
    }

    @Test func `RTY-11 Retry-After replaces the backoff, within its bound`() {
        let rules = RetryRules(attempts: 3, retryAfter: .honour(atMost: .seconds(60)))
        #expect(
            rules.verdict(on: context(status: 503, retryAfter: "7")) == .retry(after: .seconds(7), reason: "status 503, try 2 of 3")
        )
        #expect(
            rules.verdict(on: context(status: 503, retryAfter: "61"))
                == .stop(reason: "status 503, and the server wants to be asked again after 61 s"))
        let soon = RetryDecision.retry(after: .milliseconds(100), reason: "status 503, try 2 of 3")
        #expect(rules.verdict(on: context(status: 503, retryAfter: "soon")) == soon)
        #expect(RetryRules(retryAfter: .ignore).verdict(on: context(status: 503, retryAfter: "7")) == soon)
    }

    @Test func `RTY-11 a POST that may have had its effect is not sent again`() {
        let post = Request.post("http://a.test/")
        let rules = RetryRules()
        #expect(rules.verdict(on: context(post, error: .reset)) == .stop(reason: "tcp.reset, and POST may have had its effect"))
        #expect(rules.verdict(on: context(post, error: .reset, connected: false)).isRetry)
        #expect(rules.verdict(on: context(post, status: 503)).isRetry)
        #expect(!rules.verdict(on: context(post, status: 502)).isRetry)
        #expect(RetryRules(methods: .all).verdict(on: context(post, error: .reset)).isRetry)
        #expect(!RetryRules(methods: .only([.get])).verdict(on: context(post, status: 503)).isRetry)
    }

    /// A try that was sent on, hop by hop, and ended with a 503.
    private func hops(_ hops: [(HTTPRequest.Method, Int)], before: [(HTTPRequest.Method, Int)] = []) -> RetryContext {
        var metrics = OperationMetrics()
        for (index, hop) in (before + hops).enumerated() {
            let request = Request(url: URL(string: "http://a.test/")!, method: hop.0)
            let kind: AttemptKind = index == 0 ? .initial : index == before.count ? .retry : .redirect
            var attempt = AttemptMetrics(number: index + 1, kind: kind, request: request, start: .zero)
            attempt.connection = ConnectionInfo(id: 1, isReused: false, localAddress: "", remoteAddress: "")
            attempt.head = ResponseHead(status: .init(code: hop.1))
            metrics.attempts.append(attempt)
        }
        let last = metrics.attempts.last!
        return RetryContext(
            operation: OperationID(rawValue: 1),
            response: Response(
                originalRequest: metrics.attempts[0].request, error: nil,
                info: ResponseInfo(finalRequest: last.request, head: last.head!, body: .none), metrics: metrics),
            date: Self.date)
    }

    @Test func `RTY-11 a retry begins with the first hop, so what that may have done counts`() {
        let rules = RetryRules()
        #expect(
            rules.verdict(on: hops([(.post, 303), (.get, 503)])) == .stop(reason: "status 503, and POST may have had its effect"))
        #expect(!rules.verdict(on: hops([(.post, 302), (.get, 503)])).isRetry)
        #expect(!rules.verdict(on: hops([(.patch, 200), (.post, 503)])).isRetry)
        for status in [307, 308, 401, 407, 429, 503] {
            #expect(rules.verdict(on: hops([(.post, status), (.post, 503)])).isRetry, "\(status)")
        }
        #expect(rules.verdict(on: hops([(.get, 303), (.get, 503)])).isRetry)
        #expect(rules.verdict(on: hops([(.put, 303), (.get, 503)])).isRetry)
        // What was before was weighed then.
        #expect(rules.verdict(on: hops([(.post, 503)], before: [(.post, 307), (.post, 503)])).isRetry)
        #expect(!RetryRules(methods: .only([.get])).verdict(on: hops([(.post, 303), (.get, 503)])).isRetry)
        #expect(RetryRules(methods: .only([.get, .post])).verdict(on: hops([(.post, 303), (.get, 503)])).isRetry)
        #expect(RetryRules(methods: .all).verdict(on: hops([(.post, 303), (.get, 503)])).isRetry)
    }

    @Test func `RTY-11 curl's longest time is kept`() {
        var rules = RetryRules.curl(retries: 3)
        #expect(rules.verdict(on: context(status: 500)) == .retry(after: .seconds(1), reason: "status 500, try 2 of 4"))
        rules.maxTime = .seconds(10)
        #expect(
            rules.verdict(on: context(status: 500, elapsed: .seconds(9.5)))
                == .stop(reason: "status 500, and no retry begins after 10 s"))
    }

    @Test(arguments: [
        ("429", RetryCondition.status(429)), ("5xx", .statusClass(5)), ("connection", .kind(.connection)), ("any", .kind(.any)),
        ("6xx", nil), ("xx", nil), ("1000", nil), ("50x", nil), ("", nil), ("cable", nil),
    ])
    func `RTY-11 conditions are read as people write them`(text: String, condition: RetryCondition?) {
        #expect(RetryCondition(text) == condition)
        if let condition { #expect(condition.description == text) }
    }

    @Test func `RTY-8 certificates that were refused are never retried`() {
        for code in [NetworkError.Code.certificateRejected, .pinMismatch, .clientCertificateFailed] {
            let error = NetworkError(code, phase: .tls, type: "tls.cert", message: "")
            for kind in RetryCondition.Kind.allCases { #expect(!kind.matches(error)) }
            #expect(RetryRules.tnlStandard.verdict(on: context(error: error)) == .abstain)
        }
    }

    @Test func `RTY-7 RTY-8 RTY-9 TNL's standard: GET after a 503 and errors that usually pass, by Linux's numbers`() {
        let standard = RetryRules.tnlStandard
        #expect(standard.verdict(on: context(status: 503)).isRetry)
        #expect(standard.verdict(on: context(error: .reset)).isRetry)
        #expect(standard.verdict(on: context(status: 500)) == .abstain)
        #expect(!standard.verdict(on: context(.post("http://a.test/"), status: 503)).isRetry)
        let errnos = standard.on.compactMap { if case .errno(let number) = $0 { number } else { nil } }
        #expect(Set(errnos) == [32, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113])
        var error = NetworkError(.transportFailed, phase: .connection, type: "unknown", message: "")
        #expect(standard.verdict(on: context(error: error)) == .abstain)
        error.systemErrno = 104
        #expect(standard.verdict(on: context(error: error)).isRetry)
    }

    @Test func `RTY-7 a 200 is not retried although it is listed`() {
        var machine = RetryTests.machine { $0.retry = [RetryRules(on: [.status(200)], methods: .all)] }
        machine.connect()
        machine.succeed()
        #expect(machine.state == .succeeded)
    }

    @Test func `RTY-11 a budget allows a share of the requests and a few always, and forgets`() {
        var account = RetryBudget.Account(RetryBudget(share: 0.2, window: .seconds(10), minimumPerSecond: 0.1))
        var answers = [account.tryWithdraw(at: .zero), account.tryWithdraw(at: .zero)]
        for _ in 0..<5 { account.payIn(at: .zero) }
        answers += [account.tryWithdraw(at: .zero), account.tryWithdraw(at: .zero)]
        answers.append(account.tryWithdraw(at: MonotonicTime.zero + .seconds(10)))
        #expect(answers == [true, false, true, false, true])
    }

    @Test(arguments: 0..<10)
    func `RTY-11 whenever requests and retries come, a window has no more retries than its budget`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let budget = RetryBudget(
                share: Double.random(in: 0...1, using: &random), window: .seconds(10),
                minimumPerSecond: Double.random(in: 0...0.5, using: &random))
            var account = RetryBudget.Account(budget)
            var now = MonotonicTime.zero
            // What a plain list says: when, and 1 for a retry.
            var retries: [Int64] = []
            var requests: [Int64] = []
            for _ in 0..<100 {
                now = now + .milliseconds(Int.random(in: 0...700, using: &random))
                let second = now.nanoseconds / 1_000_000_000
                if Bool.random(using: &random) {
                    account.payIn(at: now)
                    requests.append(second)
                    continue
                }
                let paidIn = Double(requests.count { $0 > second - 10 }) * budget.share + budget.minimumPerSecond * 10
                let taken = retries.count { $0 > second - 10 }
                let isGranted = account.tryWithdraw(at: now)
                guard isGranted == (paidIn - Double(taken) >= 1 - 1e-6) else {
                    Issue.record("\(taken) retries were made of \(paidIn), and another was \(isGranted), seed \(seed)")
                    return
                }
                if isGranted { retries.append(second) }
            }
        }
    }

    @Test func `RTY-1 configurations that differ in their policy differ`() {
        var (one, two) = (RequestConfiguration(), RequestConfiguration())
        one.retry = [RetryRules(), RetryRules(attempts: 5)]
        #expect(one != two)
        two.retry = [RetryPolicies([RetryRules(), RetryRules(attempts: 5)])]
        #expect(one == two)
        #expect(one.hashValue == two.hashValue)
    }
}
