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

    static func tooManyFields(from target: String) -> NetworkError {
        NetworkError(
            .limitExceeded, phase: .response, type: "http.response.invalid",
            message: "\(target) sent heads and trailers of more than \(HTTPFields.limit) lines, and nobody reads so many.")
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

    static func headCutOff(by target: String, after count: Int64) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .response, type: "http.response.headers.truncated",
            message: "\(target) closed the connection in the middle of the answer's head, after \(count) bytes.")
    }

    static func codingCutOff(by target: String, after count: Int64) -> NetworkError {
        NetworkError(
            .contentDecodingFailed, phase: .body, type: "http.response.body.truncated",
            message: "The body from \(target) ends in the middle of its compressed data, after \(count) bytes, decoded.")
    }

    static func undecodable(from target: String, _ reason: String) -> NetworkError {
        NetworkError(
            .contentDecodingFailed, phase: .body, type: "http.response.invalid.content_decoding",
            message: "The body from \(target) can't be decoded: \(reason). Send it without compression to see the bytes.")
    }

    static func contentLengthInvalid(from target: String) -> NetworkError {
        NetworkError(
            .protocolViolation, phase: .response, type: "http.response.headers.invalid_content_length",
            message: "\(target) sent a Content-Length that does not say how long the body is.")
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

    static func pinMismatch(by host: String) -> NetworkError {
        NetworkError(
            .pinMismatch, phase: .tls, type: "tls.cert.pinned_key_not_in_cert_chain",
            message: "\(host) showed a certificate that none of the pins matches. If the server's was renewed, renew the pin.")
    }

    static func serverNotTrusted(_ host: String, because objection: String?) -> NetworkError {
        NetworkError(
            .certificateRejected, phase: .tls, type: ErrorType.certificateInvalid,
            message: "The certificate of \(host) was refused by who was asked about it\(objection.map { " (\($0))" } ?? "").",
            details: [.host: host])
    }

    static func libraryFailed(_ text: String) -> NetworkError {
        NetworkError(.transportFailed, phase: .preparation, type: "unknown", message: "libcurl did not take the request: \(text).")
    }
}
