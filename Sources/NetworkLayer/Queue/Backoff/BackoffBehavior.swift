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
