package import NetworkLayer

extension ManualTimeSource {
    /// Waits until an operation waits to retry, moves the clock on by the delay, and returns when the retry has begun.
    package func pass(_ delay: Duration, beforeRetryOf operation: RequestOperation) async {
        let begun = { operation.events(from: 0).count { $0.kind == .retryStarted } }
        let before = begun()
        while operation.state != .waitingToRetry { await Task.yield() }
        advance(by: delay)
        // The state changes before the alarm is set, and one that is set too late rings with the next step of the clock.
        while begun() == before, !operation.state.isFinal {
            await Task.yield()
            advance(by: .zero)
        }
    }

    /// Moves the clock on, and rings what is set too late as well, until the operation is over.
    package func advance(by duration: Duration, toEndOf operation: RequestOperation) async {
        advance(by: duration)
        while !operation.state.isFinal {
            await Task.yield()
            advance(by: .zero)
        }
    }
}
