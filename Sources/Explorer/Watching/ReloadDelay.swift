/// When to read a collection again: once it has been quiet for a moment, because programs write in several steps, and at the latest some
/// time after the first change. A value: times in, decisions out.
struct ReloadDelay: Hashable, Sendable {
    static let quiet: Duration = .milliseconds(60)
    static let patience: Duration = .milliseconds(400)

    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?

    /// - Returns: whether this is the first change since the files were last read.
    mutating func changed(at now: ContinuousClock.Instant) -> Bool {
        last = now
        guard first == nil else { return false }
        first = now
        return true
    }

    /// How long until it is time; zero: now. `nil`: nothing has changed.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let first, let last else { return nil }
        return max(.zero, min(now.duration(to: last + Self.quiet), now.duration(to: first + Self.patience)))
    }

    mutating func read() {
        first = nil
        last = nil
    }
}
