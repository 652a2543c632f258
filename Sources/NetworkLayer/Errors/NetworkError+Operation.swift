import Base
import HTTPTypes

extension NetworkError {
    /// What the source has to put in its place; else where the operation stood, and in brackets who or what cancelled it, be it a
    /// name or a sentence.
    static func cancelled(by source: CancelSource, _ metrics: OperationMetrics, step: PreparationStep?, isClosingBody: Bool)
        -> NetworkError
    {
        if let error = source.overrideError { return error }
        let (phase, activity) = isClosingBody ? (.body, "keeping the body") : whereabouts(metrics, step)
        let place = metrics.enqueued == nil ? "before it was enqueued" : "while \(activity)"
        return NetworkError(
            .cancelled, phase: phase, type: "abandoned", message: "Cancelled \(place) (\(source.description)).",
            cancelSource: source, underlying: source.underlyingError)
    }

    static func noResponse(to request: Request) -> NetworkError {
        NetworkError(
            .protocolViolation, phase: .response, type: "http.response.empty",
            message: "\(request.target) closed without an answer.")
    }

    static func bodyTooLong(limit: Int64, request: Request) -> NetworkError {
        .bodyTooLong("The body from \(request.target) is longer than \(limit) bytes, decoded")
    }

    /// - Parameter length: as its head announces it.
    static func bodyTooLong(_ length: Int64, limit: Int64, request: Request) -> NetworkError {
        .bodyTooLong("The body from \(request.target) has \(length) bytes, and may have \(limit)")
    }

    /// - Parameter fact: a sentence without its end.
    package static func bodyTooLong(_ fact: String) -> NetworkError {
        NetworkError(
            .limitExceeded, phase: .body, type: bodyTooLongType, message: "\(fact); raise the limit if it may be that long.")
    }

    package static let bodyTooLongType = "http.response.body.too_long"

    /// Whether a body was longer than its ``ResponseLimits`` allow: whoever has set them knows how to raise them.
    package var isBodyTooLong: Bool { type == Self.bodyTooLongType }

    /// Codes 202 to 205: which timeout, how long, what it waited for, the calls of roles under way, and the error of the last
    /// attempt.
    static func timedOut(
        _ timeout: Deadlines.Kind, _ timeouts: Timeouts, _ metrics: OperationMetrics, request: Request, step: PreparationStep?,
        callbacks: CallbackWatch, underlying: NetworkError? = nil
    ) -> NetworkError {
        let tags = callbacks.tags
        let (phase, place) = whereabouts(metrics, step)
        let calls = tags.map(\.description).joined(separator: ", ")
        let activity = tags.isEmpty ? place : "\(place), with \(calls) under way"
        let target = (metrics.attempts.last?.request ?? request).target
        let underlying = underlying ?? metrics.attempts.last { $0.error != nil }?.error
        let code: Code
        let type: String
        let message: String
        switch timeout {
        case .operation:
            (code, type) = (.operationTimedOut, "operation.timed_out")
            message =
                "\(target): not done within \(seconds(timeouts.operation)) of being enqueued, stopped while \(activity); raise the operation timeout if it needs longer."
        case .attempt:
            (code, type) = (.attemptTimedOut, "attempt.timed_out")
            message =
                "\(target): no complete answer within \(seconds(timeouts.attempt)), stopped while \(activity); raise the attempt timeout if it needs longer."
        case .idle:
            (code, type) = (.idleTimedOut, "idle.timed_out")
            message =
                "\(target): nothing came or went for \(seconds(timeouts.idle)) while \(activity); raise the idle timeout if the server pauses that long."
        case .callback:
            (code, type) = (.callbackTimedOut, ErrorType.callbackTimedOut)
            let limit = seconds(callbacks.limit.map { .nanoseconds($0) })
            message =
                "\(target): \(calls) didn't return within \(limit), stopped while \(place); let it return sooner, or raise the callback timeout."
        }
        var error = NetworkError(code, phase: phase, type: type, message: message, underlying: underlying)
        if !tags.isEmpty {
            error.details[.timeoutTags] = tags.map { "\($0) (\(seconds($0.duration)))" }.joined(separator: ", ")
        }
        return error
    }

    /// Where an operation stands, for the phase of an error and for people.
    private static func whereabouts(_ metrics: OperationMetrics, _ step: PreparationStep?) -> (Phase, String) {
        guard let attempt = metrics.attempts.last, attempt.end == nil else {
            return switch metrics.state {
            case .waiting(let reason): (.queue, "waiting (\(reason.rawValue))")
            case .waitingToRetry: (.queue, "waiting to retry")
            case .idle where metrics.enqueued != nil: (.queue, "waiting in the queue")
            default: (.preparation, "being prepared" + (step.map { " (\($0.rawValue))" } ?? ""))
            }
        }
        return switch attempt.openPhase?.name {
        case .queue: (.queue, "waiting for a connection")
        case .dns: (.dns, "looking up the name")
        case .connect: (.connection, "connecting")
        case .tls: (.tls, "setting up TLS")
        case .send: (.request, "sending the request")
        case .wait: (.response, "waiting for the first byte of the answer")
        case .receive: (.body, "receiving the body, \(attempt.download.bytes) bytes so far")
        case nil: (.connection, "setting up the connection")
        }
    }

    private static func seconds(_ duration: Duration?) -> String {
        guard let duration else { return "0 s" }
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}

extension Request {
    /// `GET example.org:8080`: what a message names, without the parts of a URL that may hold secrets.
    var target: String {
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(method.rawValue) \(url.host ?? url.absoluteString)\(port)"
    }
}
