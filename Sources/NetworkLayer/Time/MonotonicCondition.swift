import Base

/// A lock, and a condition to wait for with the lock held. A deadline is on the monotonic clock, so that nobody who sets the wall clock
/// moves it.
///
/// Sendable, unchecked: both pointers stay the same, and what they point to is made for many threads.
package final class MonotonicCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if os(Linux)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }
    package func unlock() { pthread_mutex_unlock(mutex) }

    /// Wakes one thread that waits.
    package func signal() { pthread_cond_signal(condition) }
    /// Wakes all threads that wait.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Gives the lock up until it is woken, which may also happen for no reason.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// - Returns: `false` when the deadline has passed.
    package func wait(until deadline: MonotonicTime) -> Bool {
        #if canImport(Darwin)
            // Its conditions know the wall clock alone, or a time from now.
            let wait = max(0, deadline.nanoseconds - SystemTimeSource.now.nanoseconds)
        #else
            let wait = deadline.nanoseconds
        #endif
        let (seconds, nanoseconds) = wait.quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: .init(seconds), tv_nsec: .init(nanoseconds))
        #if canImport(Darwin)
            return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
            return pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }
}
