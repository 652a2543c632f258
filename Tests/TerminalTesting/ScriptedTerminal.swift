package import TerminalUI

/// A terminal that plays a script: what is typed when, and what is seen at each point.
///
/// A step is performed when the program waits for events: so each sees everything that the steps before have led to.
/// A program that waits when the script has ended, or too long for what never comes, gets `.terminate`, so that a test ends
/// that has gone wrong.
@MainActor
package final class ScriptedTerminal: Terminal {
    package enum Step {
        /// The wait returns these.
        case events([TerminalEvent])
        /// Called before the program goes on; looks at `frame`.
        case look(@MainActor (ScriptedTerminal) -> Void)
        /// Waits on, for wakes and deadlines, until the condition holds.
        case until(@MainActor (ScriptedTerminal) -> Bool)
    }

    package var size: Size
    package let colorDepth: ColorDepth
    package var waker: any TerminalWaker { alarm }
    package private(set) var frames: [Frame] = []
    /// Every call but `draw` and `waitForEvents`, in order.
    package private(set) var log: [String] = []
    package private(set) var waits: [Duration?] = []
    package private(set) var didRunOut = false
    private var steps: [Step]
    /// For programs that hang, not for slow machines.
    private let deadline: ContinuousClock.Instant
    private let alarm = ScriptedWaker()

    package init(
        size: Size = Size(columns: 80, rows: 24), colorDepth: ColorDepth = .palette, steps: [Step] = [],
        patience: Duration = .seconds(10)
    ) {
        self.size = size
        self.colorDepth = colorDepth
        self.steps = steps
        deadline = .now + patience
    }

    package var frame: Frame? { frames.last }
    package var text: String { frame?.text ?? "" }

    package func draw(_ frame: Frame) {
        frames.append(frame)
    }

    package func waitForEvents(timeout: Duration?) -> [TerminalEvent] {
        waits.append(timeout)
        while let step = steps.first {
            switch step {
            case .events(let events):
                steps.removeFirst()
                for case .resize(let size) in events { self.size = size }
                return events
            case .look(let body):
                steps.removeFirst()
                body(self)
            case .until(let condition):
                if condition(self) {
                    steps.removeFirst()
                } else {
                    let patience = ContinuousClock.now < deadline ? deadline - ContinuousClock.now : .zero
                    let isWoken = alarm.wait(timeout: min(timeout ?? patience, patience))
                    guard isWoken || ContinuousClock.now < deadline else { return giveUp() }
                    return []
                }
            }
        }
        return giveUp()
    }

    private func giveUp() -> [TerminalEvent] {
        didRunOut = true
        steps = []
        return [.terminate(signal: 15)]
    }

    package func invalidate() { log.append("invalidate") }
    package func leave() { log.append("leave") }
    package func enter() { log.append("enter") }
    package func suspend() { log.append("suspend") }
    package func copyToClipboard(_ text: String) -> Bool {
        log.append("copy \(text)")
        return true
    }
}
