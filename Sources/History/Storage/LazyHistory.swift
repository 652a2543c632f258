import Base
import Synchronization

/// Keeps runs that are over.
package protocol RunRecorder: Sendable {
    /// - Returns: the run's number; `nil` when it is written later.
    func keep(_ run: FinishedRun) throws(HistoryError) -> Int64?
}

extension History: RunRecorder {
    package func keep(_ run: FinishedRun) throws(HistoryError) -> Int64? { try record(run) }
}

/// A history that is opened when it is first needed, by whoever needs it: a program that shows a screen first doesn't wait for it.
/// One that couldn't be opened is tried again when it is next needed: a full disk has room again.
package final class LazyHistory: RunRecorder {
    package let path: String
    private let state = Mutex(State.closed)

    private enum State {
        case closed
        case open(History)
    }

    package init(path: String) {
        self.path = path
    }

    /// Whether there is a file already; asks without making one.
    package var isThere: Bool { access(path, F_OK) == 0 }

    package func open() throws(HistoryError) -> History {
        try state.withLock { state throws(HistoryError) in
            if case .open(let history) = state { return history }
            let history = try History(path: path)
            state = .open(history)
            return history
        }
    }

    package func keep(_ run: FinishedRun) throws(HistoryError) -> Int64? { try open().record(run) }
}
