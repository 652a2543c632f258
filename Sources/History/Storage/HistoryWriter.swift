import Base
import NetworkLayer

/// Keeps many runs without holding them up: a thread of its own writes what has come together, all of it in one transaction.
///
///     keep(run) ─> waiting (at most 128, or 8 MiB of bodies) ─> History.record([…]) ─> the file
///
/// A run waits for others for a fifth of a second at most, so a program that is killed loses what came in that time, and the batch that
/// was being written. After ``close()`` all is in the file.
///
/// Sendable, unchecked: its variables are only touched with the lock of `condition` held.
package final class HistoryWriter: RunRecorder, @unchecked Sendable {
    private let history: History
    /// Signalled for each change.
    private let condition = MonotonicCondition()
    private var waiting: [FinishedRun] = []
    private var waitingBytes = 0
    private var isStarted = false
    private var isClosing = false
    private var isOver = false
    /// Why a run isn't kept; the first one.
    private var problem: HistoryError?

    private enum Limits {
        static let runs = 128
        static let bytes = 8 << 20
        static let wait = Duration.milliseconds(200)
    }

    package init(_ history: History) {
        self.history = history
    }

    private var isFull: Bool { waiting.count >= Limits.runs || waitingBytes >= Limits.bytes }

    /// Waits while as much waits already as may: a disk that is slower than the network must not fill the memory.
    ///
    /// - Returns: the number of a run that failed, which is written at once: whoever looks at it wants to look it up.
    package func keep(_ run: FinishedRun) throws(HistoryError) -> Int64? {
        if run.isFailed { return try keepNow(run) }
        condition.lock()
        defer { condition.unlock() }
        while isFull, !isOver { condition.wait() }
        guard !isClosing else { throw HistoryError("the history \(history.path) is closed already") }
        waiting.append(run)
        waitingBytes += run.response.info?.body.count ?? 0
        if !isStarted { start() }
        // The thread looks after the first one; after that only when enough is there.
        if waiting.count == 1 || isFull { condition.broadcast() }
        return nil
    }

    /// Keeps the run after those that wait already.
    private func keepNow(_ run: FinishedRun) throws(HistoryError) -> Int64 {
        condition.lock()
        let (isClosing, earlier) = (isClosing, waiting)
        if !isClosing { (waiting, waitingBytes) = ([], 0) }
        condition.broadcast()
        condition.unlock()
        guard !isClosing else { throw HistoryError("the history \(history.path) is closed already") }
        if !earlier.isEmpty { try history.record(earlier) }
        return try history.record(run)
    }

    /// Writes what waits. Nothing can be kept afterwards.
    ///
    /// - Throws: why not all runs are kept: the first reason.
    package func close() throws(HistoryError) {
        condition.lock()
        isClosing = true
        condition.broadcast()
        while isStarted, !isOver { condition.wait() }
        let problem = problem
        condition.unlock()
        if let problem { throw problem }
    }

    // MARK: The thread

    private func start() {
        isStarted = true
        let error = SystemThread.start { self.run() }
        precondition(error == 0, "no thread for the history: \(String(cString: strerror(error)))")
    }

    private func run() {
        while let runs = nextBatch() {
            do throws(HistoryError) {
                try history.record(runs)
            } catch {
                condition.lock()
                problem = problem ?? error
                condition.unlock()
            }
        }
    }

    /// - Returns: `nil` when there is nothing more to come.
    private func nextBatch() -> [FinishedRun]? {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        // A failed run may take along what waits.
        repeat {
            while waiting.isEmpty, !isClosing { condition.wait() }
            let deadline = SystemTimeSource.now + Limits.wait
            while !isFull, !isClosing, condition.wait(until: deadline) {}
        } while waiting.isEmpty && !isClosing
        isOver = waiting.isEmpty
        defer { (waiting, waitingBytes) = ([], 0) }
        return isOver ? nil : waiting
    }
}
