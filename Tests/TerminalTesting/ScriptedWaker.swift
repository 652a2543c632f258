import Foundation
import TerminalUI

/// Wakes a thread that waits here. Safe to share: all its state is guarded by the condition.
final class ScriptedWaker: TerminalWaker, @unchecked Sendable {
    private let condition = NSCondition()
    private var isAwake = false

    init() {}

    package func wake() {
        condition.withLock {
            isAwake = true
            condition.signal()
        }
    }

    /// Until somebody wakes, or for so long.
    ///
    /// - Returns: whether somebody did.
    func wait(timeout: Duration?) -> Bool {
        condition.withLock {
            let deadline = timeout.map {
                Date(timeIntervalSinceNow: Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18)
            }
            while !isAwake {
                guard let deadline else {
                    condition.wait()
                    continue
                }
                if !condition.wait(until: deadline) { break }
            }
            defer { isAwake = false }
            return isAwake
        }
    }
}
