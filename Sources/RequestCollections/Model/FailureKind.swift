package import NetworkLayer

/// Kinds of failure by the names that `retry: { on: … }`, `expect: { error: … }` and `mock: { error: … }` use.
package enum FailureKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// One of the four timeouts.
    case timeout
    /// The name can't be looked up.
    case dns
    /// No connection, or it broke before the response was whole.
    case connection
    /// TLS, certificates, pins.
    case tls
    /// The server broke the protocol: no HTTP, a broken encoding, redirects without end.
    case `protocol`
    /// A limit of ours: the size of a head or body.
    case limit
    case authentication
    case cancelled
    /// Everything else.
    case other

    package init(_ error: NetworkError) {
        switch error.code {
        case _ where error.type == ErrorType.httpProtocolError: self = .protocol
        case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: self = .timeout
        case .nameNotResolved, .proxyNotResolved: self = .dns
        case .cannotConnect, .notConnected, .connectionLost, .resendRefused: self = .connection
        case .tlsFailed, .certificateRejected, .pinMismatch, .clientCertificateFailed: self = .tls
        case .protocolViolation, .contentDecodingFailed, .tooManyRedirects, .redirectFailed: self = .protocol
        case .limitExceeded: self = .limit
        case .authorizationFailed: self = .authentication
        case .cancelled: self = .cancelled
        default: self = .other
        }
    }

    /// The kind, as far as ``NetworkError/type`` tells it: nothing more is kept of former runs.
    package init(type: String) {
        switch type {
        case ErrorType.httpProtocolError: self = .protocol
        case ErrorType.abandoned: self = .cancelled
        case NetworkError.bodyTooLongType: self = .limit
        case _ where type.hasSuffix("timed_out"): self = .timeout
        case _ where type.hasPrefix("dns."): self = .dns
        case _ where type.hasPrefix("tcp."): self = .connection
        case _ where type.hasPrefix("tls."): self = .tls
        case _ where type.hasPrefix("http.response."): self = .protocol
        case _ where type.hasPrefix("authorization"): self = .authentication
        default: self = .other
        }
    }
}
