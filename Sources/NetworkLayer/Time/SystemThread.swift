import Base

/// Threads of the system, which nobody waits for. Every C library has its own idea of what a thread's number is.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own, which signals don't reach: see ``blockSignals()``.
    ///
    /// - Returns: 0, or the `errno` for which there is no such thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        // A thread inherits what is blocked: so there is no moment in which a signal might reach it.
        let before = blockSignals()
        let status = pthread_create(
            &thread, nil,
            { argument in
                let argument: UnsafeMutableRawPointer? = argument
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        restoreSignals(before)
        guard status == 0 else {
            box.release()
            return status
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
        return 0
    }

    /// Runs what waits, for input or for another program, on a thread of its own: Swift's tasks have few of them. Where no thread can be
    /// had, one of those few does it all the same.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        if start(body) != 0 { Task.detached { body() } }
    }

    /// What `body` returns, which waits on a thread of its own. Cancelling the task doesn't end it.
    package static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: body()) }
        }
    }

    /// The number of the calling thread; never 0.
    package static var current: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Signals are for the program's own threads: none reaches the calling one any more, a `SIGPIPE` of its own included. Only those that
    /// a fault of its own brings still do: blocked, they would end the program before Swift's backtrace is written.
    ///
    /// - Returns: what was blocked before.
    private static func blockSignals() -> sigset_t {
        var signals = sigset_t()
        var before = sigset_t()
        sigfillset(&signals)
        for fault in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        return before
    }

    private static func restoreSignals(_ signals: sigset_t) {
        var signals = signals
        pthread_sigmask(SIG_SETMASK, &signals, nil)
    }
}

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

    package func signal() { pthread_cond_signal(condition) }
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
