import Synchronization

/// An interrupt that several wait for, or that comes from elsewhere than the terminal.
final class Interruption: Sendable {
    private let state = Mutex(State())

    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var hasHappened = false
    }

    /// - Returns: while it lives, the handler is called.
    func add(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
        let (number, hasHappened) = state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            return (state.last, state.hasHappened)
        }
        if hasHappened { handler() }
        return Registration { [weak self] in self?.state.withLock { $0.handlers[number] = nil } }
    }

    func happen() {
        let handlers = state.withLock { state in
            state.hasHappened = true
            return state.handlers.values
        }
        for handler in handlers { handler() }
    }

    private final class Registration: Sendable {
        private let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
}
