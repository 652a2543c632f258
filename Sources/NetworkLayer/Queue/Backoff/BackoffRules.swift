public import Base
public import HTTPTypes

/// When a host is left alone for a while, and for how long (GLB-7). See ``NetworkClient/backoff``.
public struct BackoffRules: Sendable {
    /// Which requests a signal holds back; `disabled` by default.
    public var mode: Mode
    /// Decides which answers are signals: by default those with status 503, as in TNL.
    public var signaler: any BackoffSignaler
    /// Decides how long a signal's pause lasts: by default ``RetryAfterBehavior``.
    public var behavior: any BackoffBehaviorProvider
    /// Whether a signal concerns the host that was asked first, and not the one that answered after redirects.
    public var usesOriginalHost: Bool

    /// Rules that hold nothing back unless `mode` says so.
    public init(
        mode: Mode = .disabled, signaler: any BackoffSignaler = StatusSignaler(),
        behavior: any BackoffBehaviorProvider = RetryAfterBehavior(), usesOriginalHost: Bool = false
    ) {
        self.mode = mode
        self.signaler = signaler
        self.behavior = behavior
        self.usesOriginalHost = usesOriginalHost
    }

    /// Which requests a signal holds back.
    public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// No answer asks for a pause; TNL's default.
        case disabled
        /// Those to the same host.
        case host
        /// Those to the same host and path.
        case hostAndPath
    }

    /// `example.org`, or `example.org/people/1`, in lower case; `nil` when disabled, or when there is no host.
    func key(of url: URL, host: String? = nil) -> String? {
        guard mode != .disabled, let host = host?.lowercased() ?? url.lowercasedHost, !host.isEmpty else { return nil }
        guard mode == .hostAndPath else { return host }
        return host + (url.path.isEmpty ? "/" : url.path.lowercased())
    }
}

/// Says whether an answer asks for a pause (BKO-1). Asked for every head, so it must be quick.
public protocol BackoffSignaler: Sendable {
    /// Whether the answer that begins with this head asks for a pause.
    ///
    /// - Parameter url: of the request that it answers.
    func isSignal(_ head: ResponseHead, from url: URL) -> Bool
}

/// Says how long the pause is, and what comes after (BKO-2).
public protocol BackoffBehaviorProvider: Sendable {
    /// - Parameter now: the wall clock, for fields that hold a date.
    func behavior(after headers: HTTPFields, from url: URL, now: Date) -> BackoffBehavior
}

/// Certain statuses are the signal: 503 alone, as in TNL, or any others.
public struct StatusSignaler: BackoffSignaler, Hashable {
    /// The status codes that are signals; an empty set makes no answer one.
    public var statuses: Set<Int>

    /// 503 alone, unless other codes are given.
    public init(_ statuses: Set<Int> = [503]) {
        self.statuses = statuses
    }

    /// 503, and 429 as RFC 6585 has it.
    package static let orTooManyRequests = StatusSignaler([429, 503])

    public func isSignal(_ head: ResponseHead, from url: URL) -> Bool { statuses.contains(head.status.code) }
}

/// `Retry-After` says how long, TNL's way:
///
///     none or unreadable: 1 s     0: 100 ms     7: 7 s     more than 10 s, "go away": 1 s
public struct RetryAfterBehavior: BackoffBehaviorProvider, Hashable {
    /// How long, after the pause, requests go out one after the other; zero: not at all (TNL's `serializeDuration`).
    public var serialize: Duration
    /// The least time from the start of one such request to the start of the next (TNL's `serialDelayDuration`).
    public var spacing: Duration

    static let fallback = Duration.seconds(1)
    static let least = Duration.milliseconds(100)
    static let most = Duration.seconds(10)

    /// By default only the pause itself: nothing is serialized.
    public init(serialize: Duration = .zero, spacing: Duration = .zero) {
        self.serialize = serialize
        self.spacing = spacing
    }

    public func behavior(after headers: HTTPFields, from url: URL, now: Date) -> BackoffBehavior {
        let asked = headers[.retryAfter].map { RetryAfter($0, receivedAt: now) }
        let seconds = asked?.isValid == true ? asked?.delay(from: now) : nil
        return BackoffBehavior(pause: Self.pause(seconds), serialize: serialize, spacing: spacing)
    }

    static func pause(_ seconds: Double?) -> Duration {
        guard let seconds else { return fallback }
        let pause = Duration.seconds(min(max(seconds, 0), 1000))
        return pause > most ? fallback : max(pause, least)
    }
}

/// What follows a backoff signal (BKO-2). All zero: nothing.
public struct BackoffBehavior: Sendable, Hashable {
    /// No request with the same key goes out before this is over.
    public var pause: Duration
    /// From the signal on, requests with the same key go out one after the other for so long.
    public var serialize: Duration
    /// The least time between the starts of two requests that go out one after the other.
    public var spacing: Duration

    /// A pause after which requests are free again, unless `serialize` says for how long they go out singly.
    public init(pause: Duration, serialize: Duration = .zero, spacing: Duration = .zero) {
        self.pause = pause
        self.serialize = serialize
        self.spacing = spacing
    }

    /// No pause and no line: the signal has no effect.
    public static let none = BackoffBehavior(pause: .zero)

    var isEffective: Bool { pause > .zero || serialize > .zero }
}
