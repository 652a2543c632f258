import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps runs that are over.
package protocol RunRecorder: Sendable {
    /// - Returns: the run's number.
    @discardableResult
    func record(_ run: FinishedRun) throws(HistoryError) -> Int64
}

extension History: RunRecorder {}

/// A history that is opened when it is first needed, by whoever needs it: a program that shows a screen first doesn't wait for it.
package final class LazyHistory: RunRecorder {
    package let path: String
    private let complain: @Sendable (HistoryError) -> Void
    private let state = Mutex(State.closed)

    private enum State {
        case closed
        case open(History)
        /// It is said once; after that nothing is kept.
        case failed(HistoryError)
    }

    package init(path: String, complain: @escaping @Sendable (HistoryError) -> Void = { _ in }) {
        self.path = path
        self.complain = complain
    }

    /// Whether there is a file already; asks without making one.
    package var isThere: Bool { access(path, F_OK) == 0 }

    /// - Returns: `nil` when it can't be opened.
    package func open() -> History? {
        let (history, failure): (History?, HistoryError?) = state.withLock { state in
            switch state {
            case .open(let history): return (history, nil)
            case .failed: return (nil, nil)
            case .closed:
                do throws(HistoryError) {
                    let history = try History(path: path)
                    state = .open(history)
                    return (history, nil)
                } catch {
                    state = .failed(error)
                    return (nil, error)
                }
            }
        }
        if let failure { complain(failure) }
        return history
    }

    @discardableResult
    package func record(_ run: FinishedRun) throws(HistoryError) -> Int64 {
        guard let history = open() else { throw HistoryError("the history \(path) can't be opened") }
        return try history.record(run)
    }
}
