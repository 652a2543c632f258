import NetworkLayer
import TerminalUI

/// Keeps keys from what was not there yet when they were pressed.
///
/// What comes up by itself takes no key in its first moment, unless somebody waits for it: the last key asked for it, and no
/// other has been pressed since.
struct KeyboardGuard: Sendable {
    /// How long a key may have been on its way from the eye to the hand.
    static let pause: Duration = .milliseconds(300)
    /// Whoever has pressed no key for so long isn't typing.
    private static let rest: Duration = .seconds(1)

    private var lastKey: MonotonicTime?
    private var isAwaiting = false
    private var quietUntil: MonotonicTime?

    /// A key was pressed, or something pasted or clicked.
    ///
    /// - Parameter asking: something was asked for that will be answered.
    mutating func typed(at time: MonotonicTime, asking: Bool) {
        lastKey = time
        isAwaiting = asking
    }

    /// The keyboard belongs to something else now, and no key made it so.
    mutating func changedHands(at time: MonotonicTime) {
        guard let lastKey, !isAwaiting, time - lastKey < Self.rest else { return }
        quietUntil = time + Self.pause
    }

    /// Whether what is typed now was meant for what was there before.
    func isQuiet(at time: MonotonicTime) -> Bool { quietUntil.map { time < $0 } ?? false }
}

extension TerminalEvent {
    /// Whether a person typed the key and it reaches something on the screen.
    var isTyped: Bool {
        switch self {
        case .key, .paste: true
        case .mouse(let event): event.action == .press || event.action == .doubleClick
        case .resize, .resumed, .ground, .terminate: false
        }
    }
}

extension ExplorerEffect {
    /// Whoever asks for it waits for what comes of it.
    var hasAnswer: Bool {
        switch self {
        case .send, .sendWhatIf, .answer, .save, .changeTree, .revertTree, .compareRuns, .loadPastRun, .loadCollection,
            .copyRequest:
            true
        default: false
        }
    }
}

extension Overlay {
    var question: Question? { if case .question(let form) = self { form.question } else { nil } }
}
