/// Which calls of roles are under way, and since when: the pure rule behind code 205 (TMO-5).
///
/// Time is counted in beats: between two looks at most a second counts, however late the second look comes. So when the whole
/// program stood still (SIGTSTP to SIGCONT, a debugger), no call is blamed for it; while the machine sleeps the monotonic clock
/// stands still by itself.
struct CallbackWatch: Sendable {
    /// How long a call may last, in nanoseconds; `nil`: for ever.
    private(set) var limit: Int64?
    /// What has counted so far; stands still while no call is under way.
    private var counted: Int64 = 0
    private var lastLook = MonotonicTime(nanoseconds: 0)
    private var calls: [Call] = []

    private struct Call: Sendable {
        let number: Int
        let tag: CallbackTag
        let start: Int64
    }

    static let beat: Int64 = 1_000_000_000

    /// - Parameter limit: shorter than a tenth of a second means never, as with every timeout (CFG-1).
    mutating func setLimit(_ limit: Duration?) {
        self.limit = limit.flatMap { $0 >= Timeouts.minimum ? $0.wholeNanoseconds : nil }
    }

    /// Begins a call under a number of the caller's, which no other call under way has.
    mutating func begin(_ number: Int, _ tag: CallbackTag, at time: MonotonicTime) {
        look(at: time)
        calls.append(Call(number: number, tag: tag, start: counted))
    }

    mutating func end(_ number: Int, at time: MonotonicTime) {
        guard !calls.isEmpty else { return }
        look(at: time)
        calls.removeAll { $0.number == number }
    }

    /// Counts the time since the last look.
    mutating func look(at time: MonotonicTime) {
        if !calls.isEmpty { counted += min(max(0, time.nanoseconds &- lastLook.nanoseconds), Self.beat) }
        lastLook = time
    }

    /// Whether a call has lasted too long, as of the last look.
    var isDue: Bool {
        guard let limit, let oldest = calls.first else { return false }
        return counted - oldest.start >= limit
    }

    /// When to look again: at the next beat, or when the oldest call has lasted too long.
    var nextLook: MonotonicTime? {
        guard let limit, let oldest = calls.first else { return nil }
        return MonotonicTime(nanoseconds: lastLook.nanoseconds &+ min(Self.beat, max(0, limit - (counted - oldest.start))))
    }

    /// The calls under way, the longest first.
    var tags: [CallbackTag] {
        calls.map { call in
            var tag = call.tag
            tag.duration = .nanoseconds(counted - call.start)
            return tag
        }
    }
}
