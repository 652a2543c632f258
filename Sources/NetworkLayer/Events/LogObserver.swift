import Base
import HTTPTypes
public import Logging

/// Tells a logger of swift-log what operations do (LOG-1, GLB-14): one of the observers of a client or a queue.
///
///     client.addObserver(LogObserver(Logger(label: "api"), detail: .verbose))
///
/// | level   | what                                                                      |
/// |---------|---------------------------------------------------------------------------|
/// | error   | an operation that failed                                                  |
/// | notice  | a retry, and a silent re-send                                             |
/// | info    | an operation that succeeded or was cancelled, with its status and its time  |
/// | debug   | each attempt and its end; verbose: the request as a curl command, headers |
/// | trace   | each state and every other event                                          |
///
/// The metadata: `operation`, its number; `attempt`; `host`; and `status`, of what an attempt or the operation ended with. A text is made
/// only where the logger's level asks for it, so that a quiet logger costs next to nothing.
public struct LogObserver: NetworkObserver {
    private let logger: Logger
    private let lines: LogLines

    /// - Parameters:
    ///   - logger: its level says what is written, and can be another for each observer.
    ///   - redaction: of header fields, and of passwords in URLs.
    public init(_ logger: Logger, detail: Detail = .brief, redaction: Redaction = .standard) {
        self.logger = logger
        self.lines = LogLines(detail: detail, redaction: redaction)
    }

    /// How much a line says.
    public enum Detail: String, Sendable, Hashable, CaseIterable {
        /// One line for each event.
        case brief
        /// Also heads, curl commands and short text bodies of requests; TermiNetwork's `verbose` (TN-17).
        case verbose
    }

    public func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        let level = LogLines.level(of: event.kind)
        guard level >= logger.logLevel, let line = lines.line(for: event, of: operation) else { return }
        var metadata: Logger.Metadata = ["operation": "\(operation.id.rawValue)"]
        if let attempt = event.attempt { metadata["attempt"] = "\(attempt)" }
        if let host = (operation.currentRequest ?? operation.originalRequest).url.lowercasedHost { metadata["host"] = "\(host)" }
        if let status = event.status(of: operation) { metadata["status"] = "\(status.code)" }
        logger.log(level: level, "\(line)", metadata: metadata)
    }
}

extension NetworkEvent {
    /// That of what ended.
    fileprivate func status(of operation: RequestOperation) -> HTTPResponse.Status? {
        switch kind {
        case .attemptEnded(let attempt): attempt.head?.status
        case .completed: operation.metrics.attempts.last?.head?.status
        default: nil
        }
    }
}

/// What ``LogObserver`` writes for an event, as text.
struct LogLines: Sendable, Hashable {
    var detail: LogObserver.Detail
    var redaction: Redaction

    static func level(of kind: NetworkEvent.Kind) -> Logger.Level {
        switch kind {
        case .completed(.failed, _): .error
        case .completed: .info
        case .resent, .leftoverDropped: .notice
        case .attemptStarted(.retry, _): .notice
        case .attemptStarted, .attemptEnded: .debug
        default: .trace
        }
    }

    /// - Returns: `nil` where there is nothing worth a line.
    func line(for event: NetworkEvent, of operation: RequestOperation) -> String? {
        switch event.kind {
        case .enqueued(let queue, _, _): "enqueued in \(queue): \(target(operation.originalRequest))"
        case .transition(let from, let to): "\(from) → \(to)"
        case .attemptStarted(let kind, let request): started(kind, request, of: operation)
        case .leftoverDropped(let bytes):
            "took another connection: this server sent \(bytes == 1 ? "1 byte" : "\(bytes) bytes") after its answer"
        case .resent: "sent again, because the connection it had was dead"
        case .attemptEnded(let attempt): ended(attempt)
        case .completed(let state, let error): completed(state, error, operation.metrics)
        case .connectionAcquired(let info): "\(info.isReused ? "reuses" : "opened") connection \(info.id) to \(info.remoteAddress)"
        case .uploadProgress(let progress): "sent \(Self.text(progress))"
        case .downloadProgress(let progress): "received \(Self.text(progress))"
        case .redirect(let hop): "redirect to \(hop.location): \(hop.decision.rawValue)"
        default: nil
        }
    }

    // MARK: Attempts

    private func started(_ kind: AttemptKind, _ request: Request, of operation: RequestOperation) -> String {
        var line = "\(kind.rawValue): \(target(request))"
        guard detail == .verbose else { return line }
        let tls = operation.configuration.transport.tls
        line += "\npinning: \(tls.pins(of: request.url.lowercasedHost ?? "").isEmpty ? "no" : "yes")"
        line += "\n" + CurlCommand.text(for: redaction.request(request))
        return line
    }

    private func ended(_ attempt: AttemptMetrics) -> String {
        let result = attempt.error?.message ?? attempt.head.map { "\($0.status.code)" } ?? "nothing"
        var line = "attempt \(attempt.number) \(attempt.disposition?.rawValue ?? "ended"): \(result)"
        if let duration = attempt.duration { line += " in \(Self.text(duration))" }
        guard detail == .verbose, let head = attempt.head else { return line }
        for (name, value) in redaction.fields(head.headers).sorted(by: { $0.key < $1.key }) { line += "\n\(name): \(value)" }
        line += "\n\(attempt.bytes.responseBody) bytes of body, \(attempt.bytes.decodedResponseBody) decoded"
        return line
    }

    // MARK: The end

    private func completed(_ state: RequestOperation.State, _ error: NetworkError?, _ metrics: OperationMetrics) -> String {
        var line = "\(state)"
        if let attempt = metrics.attempts.last {
            line += ": \(target(attempt.request))"
            if let head = attempt.head { line += " \(head.status.code)" }
        }
        if let total = metrics.total { line += " in \(Self.text(total))" }
        if metrics.attempts.count > 1 { line += ", \(metrics.attempts.count) attempts" }
        if let error { line += ": \(error.message)" }
        return line
    }

    // MARK: Text

    private func target(_ request: Request) -> String {
        "\(request.method.rawValue) \(redaction.url(request.url).absoluteString)"
    }

    /// `1.5 ms`: three digits that count, so that lines stay short.
    static func text(_ duration: Duration) -> String {
        let microseconds = duration.wholeMicroseconds
        switch microseconds {
        case ..<1000: return "\(microseconds) µs"
        case ..<1_000_000: return "\(microseconds / 1000).\(microseconds % 1000 / 100) ms"
        default: return "\(microseconds / 1_000_000).\(microseconds % 1_000_000 / 100_000) s"
        }
    }

    private static func text(_ progress: TransferProgress) -> String {
        progress.expected.map { "\(progress.bytes) of \($0) bytes" } ?? "\(progress.bytes) bytes"
    }
}
