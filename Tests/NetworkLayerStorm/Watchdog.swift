import Glibc
import NetworkLayer
import Synchronization

/// Ends the program with status 3 when it isn't over in time, and says what it waits for: a storm that stands still would otherwise only
/// be a test that never ends.
final class Watchdog: Sendable {
    private let isOver = Mutex(false)

    /// - Parameter report: a line for each thing that is still open. It is asked on a thread of its own, whatever the others are doing.
    init(limit: Duration, report: @escaping @Sendable () -> [String]) {
        let status = SystemThread.start { [self] in
            sleep(UInt32(limit.components.seconds))
            guard !isOver.withLock({ $0 }) else { return }
            let text = (["network-storm: stood still after \(limit)"] + report()).joined(separator: "\n") + "\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            exit(3)
        }
        precondition(status == 0, "no thread for the watchdog")
    }

    func end() { isOver.withLock { $0 = true } }
}
