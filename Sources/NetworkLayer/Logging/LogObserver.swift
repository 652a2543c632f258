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

extension Logger.Level {
    /// The severity of syslog (RFC 5424, section 6.2.1), which TNL's loggers use: 0 emergency … 7 debug.
    public var syslogSeverity: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
