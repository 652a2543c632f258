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
