import Synchronization
import WebSockets

/// The messages that came and that no step has taken yet. One task asks it at a time.
final class SessionInbox: Sendable {
    private struct State {
        var messages: [WebSocket.Message] = []
        var bytes = 0
        /// The number of the first of them, from 0 over all that came.
        var first = 0
        /// Whether anybody will ask for more.
        var isWanted = true
        var isOver = false
        /// The number of the first message that came too late for the step that waits.
        var tooLate: Int?
        var waiter: CheckedContinuation<Void, Never>?

        func answer(from number: Int) -> Next? {
            let index = max(number, first) - first
            if index < messages.count, tooLate.map({ first + index < $0 }) ?? true {
                return .message(messages[index], number: first + index)
            }
            return isOver ? .over : tooLate == nil ? nil : .late
        }
    }

    enum Next {
        case message(WebSocket.Message, number: Int)
        /// The session has ended.
        case over
        /// The time for it is over.
        case late
    }

    /// What waits; the oldest beyond are forgotten, but for the last one.
    static let most = (messages: 1_000, bytes: 16 << 20)

    private let state = Mutex(State())

    func add(_ message: WebSocket.Message) {
        change { state in
            guard state.isWanted else { return }
            state.messages.append(message)
            state.bytes += message.bytes
            while state.messages.count > Self.most.messages || state.bytes > Self.most.bytes && state.messages.count > 1 {
                state.bytes -= state.messages.removeFirst().bytes
                state.first += 1
            }
        }
    }

    /// No step will take any more.
    func close() {
        change {
            $0.isWanted = false
            $0.messages = []
        }
    }

    func end() { change { $0.isOver = true } }

    func beginWaiting() { change { $0.tooLate = nil } }

    /// Whether the time for it is over, also while there are messages that came before.
    var isLate: Bool { state.withLock { $0.tooLate != nil } }

    func endWaiting() { change { $0.tooLate = $0.first + $0.messages.count } }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.waiter.take()
        }?.resume()
    }

    /// - Parameter number: of the first message that counts.
    func next(from number: Int) async -> Next {
        while true {
            let next = state.withLock { $0.answer(from: number) }
            if let next { return next }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.answer(from: number) != nil { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// A step has taken it.
    func remove(_ number: Int) {
        state.withLock { state in
            guard number >= state.first, number - state.first < state.messages.count else { return }
            // Those behind it have other numbers now; the next step begins at the first again.
            state.bytes -= state.messages.remove(at: number - state.first).bytes
        }
    }
}

extension WebSocket.Message {
    fileprivate var bytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
