import NetworkLayer
import Synchronization

/// Runs blocks one after another, in the order in which they come, beside whoever gives them. They may wait for as long as they like.
///
/// Its thread is there only while there are blocks: a queue that is at rest costs nothing, and wakes nobody. The thread holds the queue,
/// so blocks that were given are run even when nobody else refers to it any more; only the end of the program loses them.
package final class SerialQueue: Sendable {
    private let state = Mutex(State())

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// Whether there is a thread, which looks for what waits before it ends.
        var hasThread = false
    }

    package init() {}

    /// Runs the block once all that came before are done.
    package func async(_ block: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(block)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { SystemThread.run { self.work() } }
    }

    /// Returns when everything that was given before is done; not to be called from a block.
    package func wait() {
        guard state.withLock({ $0.hasThread }) else { return }
        let before = UnderWay()
        before.enter()
        async { before.leave() }
        before.wait()
    }

    private func work() {
        while var blocks = next() {
            // What a block holds goes away before the next one runs.
            while let block = blocks.popLast() { block() }
        }
    }

    /// - Returns: what waits, the first block last; `nil`: nothing, and the thread ends.
    private func next() -> [@Sendable () -> Void]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.hasThread = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting.reversed()
        }
    }
}
