public import Base
public import HTTPTypes

/// What the rate limit fields of an answer say: of draft-ietf-httpapi-ratelimit-headers, and of its older form, which most servers send.
///
///     RateLimit: "hour";r=0;t=30          RateLimit-Remaining: 0      X-RateLimit-Remaining: 0
///                                         RateLimit-Reset: 30         X-RateLimit-Reset: 30
///
/// Of several policies the one with the least left counts.
public struct RateLimitFields: Sendable, Hashable {
    /// How many more requests the server will answer now.
    public var remaining: Int
    /// Seconds until there are more; `nil` when the server doesn't say.
    public var reset: Int?

    /// Values that did not come from header fields, such as those of a test.
    public init(remaining: Int, reset: Int? = nil) {
        self.remaining = remaining
        self.reset = reset
    }

    /// `nil` when the server says nothing that can be read.
    public init?(_ headers: HTTPFields) {
        let items = headers[values: Self.combined].flatMap { $0.pieces(at: ",") }.compactMap(Self.item)
        if let item = items.min(by: { ($0.remaining, -($0.reset ?? 0)) < ($1.remaining, -($1.reset ?? 0)) }) {
            self = item
            return
        }
        for (remaining, reset) in Self.older {
            guard let left = headers[remaining].flatMap(Self.number) else { continue }
            self.init(remaining: left, reset: headers[reset].flatMap(Self.number))
            return
        }
        return nil
    }

    /// One item of the structured field: a name and its parameters.
    private static func item(_ text: Substring) -> RateLimitFields? {
        var remaining: Int?
        var reset: Int?
        for parameter in text.pieces(at: ";").dropFirst() {
            guard let halves = parameter.halves(at: "=") else { continue }
            switch halves.before.filter({ $0 != " " }) {
            case "r": remaining = number(String(halves.behind))
            case "t": reset = number(String(halves.behind))
            default: break
            }
        }
        return remaining.map { RateLimitFields(remaining: $0, reset: reset) }
    }

    private static func number(_ text: String) -> Int? {
        let digits = text.filter { $0 != " " }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static let combined = name("RateLimit")
    private static let older = [
        (name("RateLimit-Remaining"), name("RateLimit-Reset")), (name("X-RateLimit-Remaining"), name("X-RateLimit-Reset")),
    ]

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a field name") }
        return name
    }
}

/// An answer that says that no request is left asks for a pause, whatever its status; and so does what `other` says (BKO-7).
public struct RateLimitSignaler: BackoffSignaler {
    /// The signaler that is asked when the rate limit fields don't say that nothing is left.
    public var other: any BackoffSignaler

    /// By default, statuses 429 and 503 are signals too.
    public init(or other: any BackoffSignaler = StatusSignaler.orTooManyRequests) {
        self.other = other
    }

    public func isSignal(_ head: ResponseHead, from url: URL) -> Bool {
        RateLimitFields(head.headers)?.remaining == 0 || other.isSignal(head, from: url)
    }
}

/// `Retry-After` says how long, then the rate limit fields; in either way of ``RetryAfterBehavior``.
public struct RateLimitBehavior: BackoffBehaviorProvider {
    /// Computes the pause when there is a `Retry-After`, and also when no field says anything: then it is one second.
    public var retryAfter: RetryAfterBehavior

    /// - Parameter retryAfter: also supplies the `serialize` and `spacing` of every answer.
    public init(_ retryAfter: RetryAfterBehavior = .init()) {
        self.retryAfter = retryAfter
    }

    public func behavior(after headers: HTTPFields, from url: URL, now: Date) -> BackoffBehavior {
        var behavior = retryAfter.behavior(after: headers, from: url, now: now)
        if headers[.retryAfter] == nil, let limit = RateLimitFields(headers), limit.remaining == 0, let reset = limit.reset {
            behavior.pause = RetryAfterBehavior.pause(Double(reset))
        }
        return behavior
    }
}
