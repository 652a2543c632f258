import Base
import HTTPTypes
import NetworkLayer
import RequestCollections
import Synchronization
import WebSockets

/// A session that a run opens, with its steps and with what became of them.
final class SessionPlayer: Sendable {
    let socket: WebSocket
    let session: ResolvedSession
    /// What templates of later steps may use.
    let context: NodeContext
    let inbox = SessionInbox()
    let news = SessionNews()
    private let state: Mutex<Played>

    /// What became of the steps.
    struct Played: Sendable {
        var record: SessionRecord
        var checks: [ExpectationResult] = []
        var captured: [String: CapturedValue] = [:]
        var secrets: Set<String> = []
        var failure: RunFailure?
        /// The errors that came in the messages of a subscription.
        var queryErrors: QueryErrors?
    }

    init?(_ resolved: ResolvedRequest, in context: NodeContext, time: any TimeSource) {
        guard let session = resolved.session else { return nil }
        var options = WebSocket.Options()
        options.subprotocols = session.subprotocols
        if let compression = session.settings.compression { options.compression = compression }
        if let close = session.settings.close { options.close = close }
        if let limit = session.settings.limit { options.messageLimit = limit }
        switch session.settings.ping {
        case .after(let duration): options.ping = duration
        case .never: options.ping = nil
        case nil: break
        }
        self.session = session
        self.context = context
        socket = WebSocket(options, target: resolved.request.url.writtenForWebSocket, time: time)
        state = Mutex(Played(record: SessionRecord(opened: time.now)))
    }

    var played: Played { state.withLock { $0 } }

    func change(_ change: (inout Played) -> Void) { state.withLock { change(&$0) } }

    /// Keeps what goes through the session, until it is over.
    func read() async {
        do {
            _ = try await socket.opened()
            let opened = socket.operation?.metrics.attempts.last?.session?.opened
            if let opened { state.withLock { $0.record = SessionRecord(opened: opened) } }
            for try await entry in socket.transcript {
                state.withLock { $0.record.add(entry) }
                news.add(entry)
                guard entry.direction == .received, let message = entry.message else { continue }
                inbox.add(message)
                if session.isSubscription, case .text(let text) = message { await follow(Subscription.Message(text)) }
            }
        } catch {
            // The operation's response carries it.
        }
        inbox.end()
    }

    /// What the protocol of a subscription asks of the client.
    private func follow(_ message: Subscription.Message) async {
        switch message {
        case .ping: try? await socket.send(.text(Subscription.pong))
        case .next(let errors):
            if !errors.isEmpty { state.withLock { $0.queryErrors = QueryErrors(errors, after: $0.queryErrors) } }
        case .error(let errors):
            state.withLock { $0.queryErrors = QueryErrors(errors.isEmpty ? [.null] : errors, after: $0.queryErrors) }
            if !session.hasOwnSteps { socket.close() }
        case .complete: if !session.hasOwnSteps { socket.close() }
        case .other: break
        }
    }

    /// With the transcript as the body, or with that of the answer in place of a session.
    func complete(_ response: inout Response, hiding redactor: Redactor) {
        guard response.info != nil else { return }
        if response.status == .switchingProtocols {
            response.info?.body = .data(played.record.lines(hiding: redactor))
            response.info?.head.headers[.contentType] = "application/jsonl"
        } else if let refusal = socket.refusal {
            response.info?.body = .data(refusal.body)
        }
    }

    /// `the end of the session, closed with 4001 “enough”`
    var ending: String {
        guard let close = socket.closeReport, close.code != 1006 else { return "the end of the connection without a close" }
        let code = close.code == 1005 ? "without a code" : "with \(close.code)"
        return "the end of the session, closed \(code)" + (close.reason.isEmpty ? "" : " “\(close.reason)”")
    }
}
