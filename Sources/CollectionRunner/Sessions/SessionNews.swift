import Synchronization
import WebSockets

/// What went through a session and nobody has looked at yet: the newest of it.
final class SessionNews: Sendable {
    private struct State {
        /// Somebody will look.
        var isKept = false
        var entries: [WebSocket.Entry] = []
        var bytes = 0
    }

    static let most = (entries: 20_000, bytes: 4 << 20)

    private let state = Mutex(State())

    func keep() { state.withLock { $0.isKept = true } }

    func add(_ entry: WebSocket.Entry) {
        state.withLock { state in
            guard state.isKept else { return }
            state.entries.append(entry)
            state.bytes += entry.bytes
            // A quarter at a time: what stays is moved.
            guard state.entries.count > Self.most.entries / 4 * 5 || state.bytes > Self.most.bytes / 4 * 5 else { return }
            var dropped = 0
            while state.entries.count - dropped > Self.most.entries || state.bytes > Self.most.bytes,
                dropped < state.entries.count - 1
            {
                state.bytes -= state.entries[dropped].bytes
                dropped += 1
            }
            state.entries.removeFirst(dropped)
        }
    }

    func take(atMost limit: Int) -> [WebSocket.Entry] {
        state.withLock { state in
            let taken = Array(state.entries.prefix(limit))
            state.entries.removeFirst(taken.count)
            for entry in taken { state.bytes -= entry.bytes }
            return taken
        }
    }
}
