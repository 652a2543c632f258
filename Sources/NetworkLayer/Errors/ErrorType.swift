/// The stable names of ``NetworkError/type``: those of W3C Network Error Logging where it has one, ours in its manner otherwise.
///
/// They never change, so that logs, histories and alarms may be keyed by them. They are open: a name that isn't listed is one that
/// a transport or a program made.
package enum ErrorType {
    // MARK: W3C Network Error Logging, section 6

    /// The DNS server answered, but has no address for the name.
    package static let nameNotResolved = "dns.name_not_resolved"
    /// Asking for the address failed for another reason, such as no answer in time.
    package static let dnsFailed = "dns.failed"

    /// No TCP connection was there in time.
    package static let connectTimedOut = "tcp.timed_out"
    /// The server closed the TCP connection.
    package static let connectionClosed = "tcp.closed"
    /// The TCP connection was reset.
    package static let connectionReset = "tcp.reset"
    /// The server refused the TCP connection.
    package static let connectionRefused = "tcp.refused"
    /// The IP address isn't valid, or there is no Unix socket at its path.
    package static let addressInvalid = "tcp.address_invalid"
    /// The IP address can't be reached.
    package static let addressUnreachable = "tcp.address_unreachable"
    /// The TCP connection failed for another reason.
    package static let connectionFailed = "tcp.failed"

    /// The two sides have no version of TLS or no cipher in common.
    package static let tlsVersionOrCipherMismatch = "tls.version_or_cipher_mismatch"
    /// The certificate of the client is missing, can't be used, or was refused.
    package static let clientCertificateBad = "tls.bad_client_auth_cert"
    /// The server's certificate is for other names.
    package static let certificateNameInvalid = "tls.cert.name_invalid"
    /// The server's certificate isn't valid yet, or not any more.
    package static let certificateDateInvalid = "tls.cert.date_invalid"
    /// The server's certificate was signed by an authority that isn't trusted.
    package static let certificateAuthorityInvalid = "tls.cert.authority_invalid"
    /// The server's certificate isn't valid for another reason.
    package static let certificateInvalid = "tls.cert.invalid"
    /// The server's certificate has been revoked.
    package static let certificateRevoked = "tls.cert.revoked"
    /// None of the pinned keys is in the server's chain.
    package static let pinnedKeyNotInChain = "tls.cert.pinned_key_not_in_cert_chain"
    /// One side broke the protocol of TLS.
    package static let tlsProtocolError = "tls.protocol.error"
    /// TLS failed for another reason.
    package static let tlsFailed = "tls.failed"

    /// One side broke the protocol of HTTP.
    package static let httpProtocolError = "http.protocol.error"
    /// The response can't be processed: it is empty, too short, or wrongly coded, for example.
    package static let responseInvalid = "http.response.invalid"
    /// There were more redirects than are followed.
    package static let redirectLoop = "http.response.redirect_loop"

    /// The transfer was given up before it was complete.
    package static let abandoned = "abandoned"
    /// None of the others fits.
    package static let unknown = "unknown"

    // MARK: Ours

    /// A secret would have gone to an origin that it isn't for.
    package static let secretWithheld = "http.request.secret"
    /// A redirect led from https to http, and wasn't followed.
    package static let downgrade = "http.response.redirect.downgrade"
    /// The operation took longer than its timeout.
    package static let operationTimedOut = "operation.timed_out"
    /// An attempt took longer than its timeout.
    package static let attemptTimedOut = "attempt.timed_out"
    /// Nothing arrived for as long as the idle timeout.
    package static let idleTimedOut = "idle.timed_out"
    /// A callback took longer than its timeout.
    package static let callbackTimedOut = "callback.timed_out"
    /// A hydrator threw an error.
    package static let hydrationFailed = "hydration.failed"
    /// What a hydrator returned isn't a request that can be sent.
    package static let hydrationInvalid = "hydration.invalid"
    /// The encoder doesn't fit the request's `Content-Encoding`.
    package static let contentEncodingMismatch = "content.encoding.mismatch"
    /// A ``ContentEncoder`` threw an error.
    package static let contentEncodingFailed = "content.encoding.failed"
    /// A body could not be decoded by its ``ContentDecoder``.
    package static let contentDecodingFailed = "content.decoding.failed"
    /// An authorizer or a signer failed, or a proxy asks for credentials.
    package static let authorizationFailed = "authorization.failed"
    /// The host sanitizer blocks the host.
    package static let hostBlocked = "host.blocked"
    /// The host sanitizer returned an empty host, or a text that is no host.
    package static let hostInvalid = "host.invalid"
    /// A ``RequestMiddleware`` threw an error.
    package static let middlewareFailed = "middleware.failed"
    /// The way out is a modem's, which the request doesn't allow.
    package static let cellularNotAllowed = "network.cellular_not_allowed"
    /// The operation has no request.
    package static let requestNotProvided = "request.not_provided"
    /// The status isn't one of success: ``Response/requireSuccess()``.
    package static let unsuccessfulStatus = "http.response.unsuccessful"
    /// A ``ResponseDecoder`` could not read the body.
    package static let cannotDecode = "body.undecodable"
    /// A streamed body broke off and can't be continued.
    package static let cannotResume = "body.cannot_resume"
    /// A ``Transformer`` could not make its value.
    package static let transformationFailed = "body.untransformable"
    /// A path is relative, and there is no environment to resolve it.
    package static let environmentNotSet = "url.environment_not_set"
    /// The URL isn't one that a request can go to.
    package static let invalidURL = "url.invalid"
    /// Parameters have no form in the place where they were to go.
    package static let invalidParameters = "parameters.invalid"
}
