import Synchronization
import TerminalUI

/// What happens on other threads, on its way to the loop: in order, and taken all at once.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case event(ExplorerEvent)
        /// Something that only the main thread can do, found out on another.
        case effect(ExplorerEffect)
    }

    private let waker: any TerminalWaker
    private let state = Mutex(State())

    private struct State {
        var messages: [Message] = []
        var isAwake = false
        var isQuiet = false
    }

    init(waker: any TerminalWaker) {
        self.waker = waker
    }

    func post(_ event: ExplorerEvent) { post(.event(event)) }

    /// May be called on any thread. Only the first message since the loop last looked wakes it.
    func post(_ message: Message) {
        let wakes = state.withLock { state in
            state.messages.append(message)
            guard !state.isAwake, !state.isQuiet else { return false }
            state.isAwake = true
            return true
        }
        if wakes { waker.wake() }
    }

    /// - Parameter isQuiet: messages don't wake the loop: it comes by itself soon, to draw.
    /// - Returns: whether there is mail already.
    func prepareToWait(isQuiet: Bool) -> Bool {
        state.withLock { state in
            state.isAwake = false
            state.isQuiet = isQuiet
            return !state.messages.isEmpty
        }
    }

    func drain() -> [Message] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }
}
