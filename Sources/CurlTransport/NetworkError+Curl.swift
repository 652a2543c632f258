import HTTPTypes
import NetworkLayer

/// What the transport itself objects to. What libcurl reports is in ``CurlFailure``.
extension NetworkError {
    static func invalid(_ message: String) -> NetworkError {
        NetworkError(.invalidRequest, phase: .preparation, type: "unknown", message: message)
    }

    static func unsupported(_ message: String) -> NetworkError {
        NetworkError(.unsupported, phase: .preparation, type: "unknown", message: message)
    }

    static func bodyReadFailed(_ message: String, errno: Int32? = nil) -> NetworkError {
        NetworkError(.bodyReadFailed, phase: .request, type: "abandoned", message: message, systemErrno: errno)
    }

    static func limitExceeded(_ message: String, phase: Phase) -> NetworkError {
        NetworkError(
            .limitExceeded, phase: phase, type: "http.response.invalid",
            message: "\(message) Raise the limit if that is expected.")
    }

    static func bodyNotTaken(from target: String, kept: Int64) -> NetworkError {
        NetworkError(
            .limitExceeded, phase: .body, type: "http.response.body.not_taken",
            message: "More than \(kept) bytes of the body from \(target) came while nobody took them: other requests on its "
                + "connection (HTTP/2) had to go on. Take the body sooner, or send the request over a connection of its own, such as by HTTP/1.1."
        )
    }

    static func tooManyFields(from target: String) -> NetworkError {
        NetworkError(
            .limitExceeded, phase: .response, type: "http.response.invalid",
            message: "\(target) sent a head, or trailers, of more than \(HTTPFields.limit) lines, and nobody reads so many.")
    }

    static func cancelled(in phase: Phase) -> NetworkError {
        NetworkError(.cancelled, phase: phase, type: "abandoned", message: "The request was cancelled.")
    }

    static func resendRefused(to target: String, method: String) -> NetworkError {
        NetworkError(
            .resendRefused, phase: .request, type: "tcp.closed",
            message: "\(target) closed the kept connection without an answer, and \(method) was not sent a second time: "
                + "the server may have acted on it. Check, then send it again.")
    }

    static func requestDropped(by target: String, times: Int) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .request, type: "tcp.closed",
            message:
                "\(target) dropped the request \(times) times, each time on another connection, without an answer. Is it shutting down?"
        )
    }

    static func answeredBeforeBody(by target: String) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .body, type: ErrorType.httpProtocolError,
            message:
                "\(target) answered before it had the whole request, and takes no more of it; whether its answer is whole, this libcurl "
                + "(\(CurlBehaviour.present.versionText)) doesn't say. Send the request by HTTP/1.1, or install libcurl 8.5.0 or later."
        )
    }

    static func headCutOff(by target: String, after count: Int64) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .response, type: "http.response.headers.truncated",
            message: "\(target) closed the connection in the middle of the answer's head, after \(count) bytes.")
    }

    static func gzipCutOff(by target: String, after count: Int64) -> NetworkError {
        NetworkError(
            .contentDecodingFailed, phase: .body, type: "http.response.body.truncated",
            message: "The body from \(target) ends in the middle of its gzip stream, after \(count) bytes, decoded.")
    }

    static func contentLengthInvalid(_ value: String, from target: String) -> NetworkError {
        NetworkError(
            .protocolViolation, phase: .response, type: "http.response.headers.invalid_content_length",
            message: "\(target) sent a Content-Length that does not say how long the body is: \(value).")
    }

    static func noFinalAnswer(from target: String) -> NetworkError {
        NetworkError(
            .protocolViolation, phase: .response, type: "http.response.invalid",
            message: "\(target) sent interim answers (1xx) and no final one.")
    }

    static func closedAfterInterim(by target: String) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .response, type: "http.response.invalid.empty",
            message: "\(target) closed the connection after interim answers (1xx), without a final one.")
    }

    static func libraryFailed(_ text: String) -> NetworkError {
        NetworkError(.transportFailed, phase: .preparation, type: "unknown", message: "libcurl did not take the request: \(text).")
    }
}
