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
}
