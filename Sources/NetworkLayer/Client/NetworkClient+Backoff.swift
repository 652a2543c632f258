public import Base
public import HTTPTypes

extension NetworkClient {
    /// When hosts are left alone for a while; disabled at first. It holds for operations that are enqueued from now on; another
    /// mode also ends all pauses there are (BKO-1).
    public var backoff: BackoffRules {
        get { backoffGate.rules }
        set { backoffGate.rules = newValue }
    }

    /// Reports that a host asked a program that doesn't use this library for a pause: our requests to the host observe it as well
    /// (BKO-6).
    ///
    /// - Parameter host: instead of the URL's, where the two differ.
    public func signalBackoff(from url: URL, host: String? = nil, headers: HTTPFields = [:]) {
        let rules = backoff
        guard let key = rules.key(of: url, host: host) else { return }
        backoffGate.signal(key, rules.behavior.behavior(after: headers, from: url, now: time.date))
    }

    /// Waits as one of our requests would, for something that doesn't use this library (BKO-6). Returns at once when nothing is to
    /// be waited for, and when the task is cancelled.
    ///
    /// - Parameter isLongPoll: whether it waits, but is not to hold up others.
    /// - Returns: its place; those behind it go on when it is ended.
    public func passBackoff(to url: URL, host: String? = nil, isLongPoll: Bool = false) async -> BackoffPass {
        let pass = BackoffPass(gate: backoffGate, ticket: backoffGate.makeForeignTicket())
        guard backoffGate.isOn else { return pass }
        let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
        backoffGate.join(pass.ticket, url, host: host, isLongPoll: isLongPoll) { answer in
            if answer == .pass { continuation.finish() }
        }
        for await _ in answers {}
        if Task.isCancelled { pass.end() }
        return pass
    }
}

/// A place among the requests to a host that go out one after the other. It ends with ``end()``, or when nobody holds it.
public final class BackoffPass: Sendable {
    private let gate: BackoffGate
    let ticket: Backoff.Ticket

    init(gate: BackoffGate, ticket: Backoff.Ticket) {
        self.gate = gate
        self.ticket = ticket
    }

    deinit {
        end()
    }

    /// The request is over; a second time does nothing.
    public func end() {
        gate.leave(ticket)
    }
}
