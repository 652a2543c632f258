import Base
public import HTTPTypes

/// The standard policy: what to retry on, how often, and how long to wait. What `retry:` in a collection and curl's
/// `--retry` become.
public struct RetryRules: Sendable, Hashable {
    /// The most tries, the first included; hops of redirects don't count.
    public var attempts: Int
    /// What is worth another try.
    public var on: Set<RetryCondition>
    /// Which requests may be sent twice.
    public var methods: Methods
    /// How long to wait before each retry.
    public var backoff: RetryBackoff
    /// Whether the server's `Retry-After` replaces the backoff.
    public var retryAfter: RetryAfterRule
    /// No retry that would begin later than this after the operation was enqueued (curl's `--retry-max-time`); `nil`: only the
    /// operation timeout counts.
    public var maxTime: Duration?

    /// Three tries in all by default, of what can be sent again without harm, with the waits of ``RetryBackoff``.
    public init(
        attempts: Int = 3, on conditions: Set<RetryCondition> = RetryRules.usual, methods: Methods = .safely,
        backoff: RetryBackoff = .init(), retryAfter: RetryAfterRule = .honour(), maxTime: Duration? = nil
    ) {
        self.attempts = attempts
        self.on = conditions
        self.methods = methods
        self.backoff = backoff
        self.retryAfter = retryAfter
        self.maxTime = maxTime
    }

    /// What passes by itself, usually.
    public static let usual: Set<RetryCondition> = [
        .kind(.connection), .kind(.timeout), .kind(.dns), .status(408), .status(429), .status(502), .status(503), .status(504),
    ]

    /// curl's `--retry NUMBER`: timeouts, names, and 408, 429, 500, 502, 503, 504, 522 and 524, with any method; a second at
    /// first, twice as long each time, ten minutes at most. Unlike curl's also a body that broke off, where the rest will do.
    package static func curl(retries: Int) -> RetryRules {
        RetryRules(
            attempts: retries + 1,
            on: [
                .brokenBody, .kind(.timeout), .kind(.dns), .status(408), .status(429), .status(500), .status(502), .status(503),
                .status(504),
                .status(522), .status(524),
            ],
            methods: .all, backoff: RetryBackoff(first: .seconds(1), factor: 2, max: .seconds(600), jitter: .none),
            retryAfter: .honour(atMost: .seconds(600)))
    }

    /// TNL's `standardConfiguration` (RTY-7): GET after a 503, and after the errors that usually pass (RTY-8, RTY-9). Not among them: unknown
    /// failures, refused certificates, and what only telephones have (roaming off, call is active, data not allowed).
    ///
    /// | NSURLError                                  | code                                                         |
    /// |---------------------------------------------|--------------------------------------------------------------|
    /// | timedOut −1001                              | `connectTimedOut`, `idleTimedOut`, `attemptTimedOut`         |
    /// | cannotFindHost −1003, dnsLookupFailed −1006 | `nameNotResolved`, `proxyNotResolved`                        |
    /// | cannotConnectToHost −1004                   | `cannotConnect`                                              |
    /// | networkConnectionLost −1005                 | `connectionLost`, a stream of HTTP/2 that broke off included; `resendRefused` |
    /// | httpTooManyRedirects −1007                  | `tooManyRedirects`                                           |
    /// | resourceUnavailable −1008                   | `protocolViolation`: an answer that can't be read            |
    /// | notConnectedToInternet −1009                | `notConnected`                                               |
    /// | redirectToNonExistentLocation −1010         | `redirectFailed`                                             |
    /// | secureConnectionFailed −1200                | `tlsFailed`                                                  |
    ///
    /// TNL's `defaultConfiguration`, GET after a 503 alone, is `RetryRules(on: [.status(503)], methods: .only([.get]))`.
    public static let tnlStandard: RetryRules = {
        let codes: [NetworkError.Code] = [
            .connectTimedOut, .idleTimedOut, .attemptTimedOut, .nameNotResolved, .proxyNotResolved, .cannotConnect, .connectionLost,
            .resendRefused, .tooManyRedirects, .protocolViolation, .notConnected, .redirectFailed, .tlsFailed,
        ]
        let errnos = [
            EPIPE, ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED, ECONNRESET, ENOBUFS, EISCONN, ENOTCONN, ESHUTDOWN, ETOOMANYREFS,
            ETIMEDOUT, ECONNREFUSED, EHOSTDOWN, EHOSTUNREACH,
        ]
        let conditions = codes.map(RetryCondition.code) + errnos.map(RetryCondition.errno) + [.status(503)]
        return RetryRules(on: Set(conditions), methods: .only([.get]))
    }()

    /// Which requests may be sent a second time.
    public enum Methods: Sendable, Hashable {
        /// Idempotent ones (RFC 9110, section 9.2.2). Others when no server can have acted: no connection was there yet, or it
        /// said 401, 407, 429 or 503, or sent us on with 307 or 308. A retry goes out from the start again, so this counts for the
        /// hops of redirects that led to the last answer, too.
        case safely
        /// Every request, whatever its server may have done already.
        case all
        /// These, on every hop.
        case only(Set<HTTPRequest.Method>)
    }

    /// What `Retry-After` means (RFC 9110, section 10.2.3).
    public enum RetryAfterRule: Sendable, Hashable {
        /// It replaces the backoff. A server that asks for more than this isn't asked again.
        case honour(atMost: Duration = .seconds(300))
        /// The backoff counts alone.
        case ignore
    }
}

extension RetryRules: RetryPolicy {
    public func decide(_ context: RetryContext) async -> RetryDecision { verdict(on: context) }

    func verdict(on context: RetryContext) -> RetryDecision {
        let status = context.status?.code
        guard on.contains(where: { $0.matches(context.error, status: status, isResumable: context.isResumable) })
        else { return .abstain }
        let cause = context.error?.type ?? "status \(status.map(String.init) ?? "unknown")"
        guard allowsMethod(context) else {
            return .stop(reason: "\(cause), and \(context.methodOfTry.rawValue) may have had its effect")
        }
        let tries = context.retryCount + 1
        guard tries < attempts else {
            return .stop(
                reason: tries == 1 ? "\(cause), and one attempt is allowed" : "\(cause), after \(tries) of \(attempts) attempts")
        }
        var delay = backoff.delay(before: tries, random: context.random)
        if case .honour(let most) = retryAfter, let asked = context.retryAfter, asked.isValid {
            let seconds = asked.delay(from: context.date)
            guard seconds <= most.inSeconds else {
                return .stop(reason: "\(cause), and the server wants to be asked again after \(Self.text(seconds: seconds))")
            }
            delay = .milliseconds(Int64(max(0, seconds) * 1000))
        }
        delay = max(delay, RetryDecision.minimumDelay)
        if let maxTime, context.elapsed + delay > maxTime {
            return .stop(reason: "\(cause), and no retry begins after \(Self.text(seconds: maxTime.inSeconds))")
        }
        return .retry(after: delay, reason: "\(cause), try \(tries + 1) of \(attempts)")
    }

    private func allowsMethod(_ context: RetryContext) -> Bool {
        switch methods {
        case .all: true
        case .only(let methods): context.response.methodsOfTry.isSubset(of: methods)
        case .safely: context.canStartOver()
        }
    }

    private static func text(seconds: Double) -> String {
        seconds.rounded() == seconds && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

/// How long to wait before each retry: `first * factor^(retry - 1)`, at most `max`, then jitter.
///
///     200 ms, factor 2:   1st retry 200 ms    2nd 400 ms    3rd 800 ms    6th and later 5 s
public struct RetryBackoff: Sendable, Hashable, Codable {
    /// 200 ms by default.
    public var first: Duration
    /// 2 by default; at 1 or less all waits are as the first.
    public var factor: Double
    /// 5 s by default.
    public var max: Duration
    /// Full by default.
    public var jitter: Jitter

    /// 200 ms, doubled with each retry up to 5 s, and anything below that by chance.
    public init(
        first: Duration = .milliseconds(200), factor: Double = 2, max: Duration = .seconds(5), jitter: Jitter = .full
    ) {
        self.first = first
        self.factor = factor
        self.max = max
        self.jitter = jitter
    }

    /// How much of the wait is left to chance, so that clients that failed together don't come back together.
    public enum Jitter: String, Sendable, Hashable, Codable, CaseIterable {
        /// Anything from nothing to the whole wait.
        case full
        /// Half of it at least.
        case equal
        /// The whole wait, nothing left to chance.
        case none
    }

    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - random: in `0..<1`.
    public func delay(before retry: Int, random: Double) -> Duration {
        var wait = first.inSeconds
        var step = 1
        // One by one: it ends at the limit, where a power would overflow.
        while step < retry, factor > 1, wait > 0, wait < max.inSeconds {
            wait *= factor
            step += 1
        }
        wait = Swift.min(wait, max.inSeconds)
        switch jitter {
        case .full: wait *= random
        case .equal: wait *= 0.5 + random / 2
        case .none: break
        }
        return .nanoseconds(Int64(Swift.min(Swift.max(0, wait), 9e9) * 1e9))
    }
}
