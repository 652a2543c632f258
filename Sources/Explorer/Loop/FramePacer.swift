import NetworkLayer

/// When to draw: at once after a key, and at most once in 16 ms for everything else. A value: times in, decisions out.
///
/// At rest it asks for no wake-up, so that the loop sleeps until something happens.
struct FramePacer: Hashable, Sendable {
    static let interval: Duration = .milliseconds(16)

    private var lastFrame: MonotonicTime?
    private var isDue = false
    private var isUrgent = false

    init() {}

    /// - Parameter isUrgent: a user waits for it: after a key, a click or a change of the size.
    mutating func changed(isUrgent: Bool) {
        isDue = true
        if isUrgent { self.isUrgent = true }
    }

    /// How long until the next frame; `nil`: there is nothing to draw.
    func delay(at now: MonotonicTime) -> Duration? {
        guard isDue else { return nil }
        guard !isUrgent, let lastFrame else { return .zero }
        return max(.zero, lastFrame + FramePacer.interval - now)
    }

    mutating func drew(at time: MonotonicTime) {
        lastFrame = time
        isDue = false
        isUrgent = false
    }
}
