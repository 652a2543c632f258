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
        case .connect, .quic: (.connection, "connecting")
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

extension Request {
    /// What is wrong with one that is still to be made.
    var missingError: NetworkError? {
        guard isMadeByHydrator else { return nil }
        return NetworkError(
            .requestNotProvided, phase: .preparation, type: ErrorType.requestNotProvided,
            message:
                "The request was to be made by hydration, and no hydrator made one: give the operation a hydrator that returns it.")
    }
}

extension NetworkError {
    /// Code 207. What was thrown stands beneath when it is one of ours, and in the sentence otherwise.
    static func hydrationFailed(_ error: any Error, by hydrator: any RequestHydrator) -> NetworkError {
        role(
            "hydrator", Swift.type(of: hydrator), threw: error, .hydrationFailed, ErrorType.hydrationFailed,
            "The request can't be filled in")
    }

    static func invalidHydratedRequest(_ error: NetworkError) -> NetworkError {
        NetworkError(
            .invalidHydratedRequest, phase: .preparation, type: ErrorType.hydrationInvalid,
            message: "The hydrated request can't be sent. \(error.message)", underlying: error)
    }

    static func encodingTypeMismatch(_ encoding: String, with field: String) -> NetworkError {
        NetworkError(
            .contentEncodingMismatch, phase: .preparation, type: ErrorType.contentEncodingMismatch,
            message:
                "The request says Content-Encoding: \(field), but its encoder makes \(encoding); take out one of them.")
    }

    static func encodingFailed(_ error: any Error, by encoder: any ContentEncoder) -> NetworkError {
        role(
            "encoder", Swift.type(of: encoder), threw: error, .contentEncodingFailed, ErrorType.contentEncodingFailed,
            "The body can't be coded as \(encoder.contentEncoding)")
    }

    static func decodingFailed(_ error: any Error, encodings: [String], request: Request) -> NetworkError {
        NetworkError(
            .contentDecodingFailed, phase: .body, type: ErrorType.contentDecodingFailed,
            message: "The body from \(request.target) can't be decoded (\(encodings.joined(separator: ", "))): \(text(error))",
            underlying: NetworkError(wrapping: error, phase: .body))
    }

    static func authorizationFailed(_ error: any Error, by authorizer: any RequestAuthorizer) -> NetworkError {
        role(
            "authorizer", Swift.type(of: authorizer), threw: error, .authorizationFailed, ErrorType.authorizationFailed,
            "The request can't be authorized")
    }

    static func signatureScopeMissing(region: String?, service: String?, host: String) -> NetworkError {
        let missing = [region == nil ? "region" : nil, service == nil ? "service" : nil].compactMap(\.self)
        return signature(
            "The signature needs a \(missing.joined(separator: " and a ")), and the host \(host) names none: name "
                + (missing.count > 1 ? "them." : "it."))
    }

    static let signatureLifetimeInvalid = signature(
        "A signature in the query holds for 1 s to 7 days; give it a time between them.")

    static let bodyNotSignable = signature(
        "The body is a stream that can be read only once, and the signature needs its hash before it is sent; send it from a file or "
            + "from memory.")

    private static func signature(_ message: String) -> NetworkError {
        NetworkError(.authorizationFailed, phase: .preparation, type: ErrorType.authorizationFailed, message: message)
    }

    static func hostBlocked(_ host: String) -> NetworkError {
        NetworkError(
            .hostBlocked, phase: .preparation, type: ErrorType.hostBlocked,
            message: "Requests to \(host) are blocked by the host sanitizer.", details: [.host: host])
    }

    static func hostUnusable(_ host: String, insteadOf old: String) -> NetworkError {
        let problem = host.isEmpty ? "an empty host" : "\"\(host)\", which is no host,"
        return NetworkError(
            .hostCannotBeEmpty, phase: .preparation, type: ErrorType.hostInvalid,
            message: "The host sanitizer gave \(problem) for \(old); let it keep the host, change it or block it.")
    }

    private static func role(
        _ role: String, _ type: Any.Type, threw error: any Error, _ code: Code, _ name: String, _ problem: String
    ) -> NetworkError {
        NetworkError(
            code, phase: .preparation, type: name, message: "\(problem) (\(role) \(type)): \(text(error))",
            underlying: NetworkError(wrapping: error, phase: .preparation))
    }

    private static func text(_ error: any Error) -> String {
        let text = NetworkError(wrapping: error, phase: .preparation).message
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension NetworkError {
    /// - Parameter circle: each would wait for the next, the last for the first.
    static func dependencyCycle(_ circle: [OperationID]) -> NetworkError {
        var numbers = circle.map { "\($0.rawValue)" }
        let first = numbers.first ?? ""
        if numbers.count > 8 { numbers.replaceSubrange(4..<numbers.count - 3, with: ["…"]) }
        let message =
            numbers.count < 2
            ? "Operation \(first) can't wait for itself."
            : "Operation \(first) can't wait for operation \(numbers[1]): they would wait for each other for ever ("
                + (numbers + [first]).joined(separator: " → ") + ")."
        return NetworkError(.dependencyCycle, phase: .queue, type: "queue.dependency.cycle", message: message)
    }

    static func noPlaces(in identifier: String) -> NetworkError {
        NetworkError(
            .invalidQueue, phase: .queue, type: "queue.limit.invalid",
            message: "The queue \"\(identifier)\" can send nothing: its maxConcurrent, or a limit of its client, is below 1.")
    }

    static func queueFull(_ identifier: String, waiting: Int) -> NetworkError {
        NetworkError(
            .queueFull, phase: .queue, type: "queue.full",
            message:
                "The queue \"\(identifier)\" is full: \(waiting) operations wait, as many as it takes; enqueue again when some are over, or raise its maxWaiting."
        )
    }
}

extension NetworkError {
    static func cellularNotAllowed(_ conditions: NetworkConditions, request: Request) -> NetworkError {
        let interface = conditions.interfaces.first { $0.kind == .cellular }.map { ", \($0.name)" } ?? ""
        return NetworkError(
            .cellularNotAllowed, phase: .preparation, type: ErrorType.cellularNotAllowed,
            message:
                "\(request.target) wasn't sent: the only way out is cellular\(interface), and the request doesn't allow that (allowsCellularAccess). Connect by cable or wifi, or allow it."
        )
    }
}
