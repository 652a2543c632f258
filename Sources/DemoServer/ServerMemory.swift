import Synchronization

/// What the server remembers from one request to the next. Keys come from clients, so each table has a limit.
final class ServerMemory: Sendable {
    /// Entries in one table; a table that is full starts again.
    static let limit = 10_000

    let port: UInt16
    let secondPort: UInt16
    /// Those that speak TLS.
    let tlsPorts: Set<UInt16>
    private let state = Mutex(State())

    private struct State {
        var calls: [String: Int] = [:]
        /// The highest count seen with each nonce that was given out (RFC 7616, section 3.4: `nc`).
        var nonces: [String: Int] = [:]
        /// By their hashes.
        var queries: [String: String] = [:]
    }

    init(port: UInt16, secondPort: UInt16, tlsPorts: Set<UInt16>) {
        self.port = port
        self.secondPort = secondPort
        self.tlsPorts = tlsPorts
    }

    /// Counts a call of `key`.
    ///
    /// - Parameter period: after this many calls the key starts again, so that a demo can be repeated.
    /// - Returns: the number of this call, from 1 to `period`.
    func call(of key: String, period: Int) -> Int {
        state.withLock { state in
            if state.calls.count >= Self.limit { state.calls = [:] }
            let number = state.calls[key, default: 0] + 1
            state.calls[key] = number >= period ? nil : number
            return number
        }
    }

    func keep(query: String, hash: String) {
        state.withLock { state in
            if state.queries.count >= Self.limit { state.queries = [:] }
            state.queries[hash] = query
        }
    }

    func query(hash: String) -> String? { state.withLock { $0.queries[hash] } }

    func makeNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let nonce = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        state.withLock { state in
            if state.nonces.count >= Self.limit { state.nonces = [:] }
            state.nonces[nonce] = 0
        }
        return nonce
    }

    /// - Returns: whether the nonce is ours and this count is higher than every earlier one: not a replay.
    func use(nonce: String, count: Int) -> Bool {
        state.withLock { state in
            guard let highest = state.nonces[nonce], count > highest else { return false }
            state.nonces[nonce] = count
            return true
        }
    }
}
