package import NetworkLayer

extension SystemThread {
    /// Runs what waits, for input or for another program, on a thread of its own: Swift's tasks have few of them. Where no thread can be
    /// had, one of those few does it all the same.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        run(body, start: start)
    }

    /// - Parameter start: like ``start(_:)``.
    static func run(_ body: @escaping @Sendable () -> Void, start: (@escaping @Sendable () -> Void) -> Int32) {
        if start(body) != 0 { Task.detached { body() } }
    }

    /// What `body` returns, which waits on a thread of its own. Cancelling the task doesn't end it.
    package static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: body()) }
        }
    }
}
