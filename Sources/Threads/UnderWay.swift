package import NetworkLayer

/// How many things are under way, to wait until there are none.
///
/// Sendable, unchecked: `count` is only touched with the lock of `condition` held.
package final class UnderWay: @unchecked Sendable {
    private let condition = MonotonicCondition()
    private var count = 0

    package init() {}

    /// One more has begun.
    package func enter() {
        condition.lock()
        count += 1
        condition.unlock()
    }

    /// One of them has ended.
    package func leave() {
        condition.lock()
        precondition(count > 0, "more has ended than was begun")
        count -= 1
        if count == 0 { condition.broadcast() }
        condition.unlock()
    }

    /// Blocks until nothing is under way.
    package func wait() {
        condition.lock()
        while count > 0 { condition.wait() }
        condition.unlock()
    }

    /// Blocks until nothing is under way, or the deadline has passed.
    ///
    /// - Returns: whether nothing is.
    package func wait(until deadline: MonotonicTime) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while count > 0 { if !condition.wait(until: deadline) { return count == 0 } }
        return true
    }
}
