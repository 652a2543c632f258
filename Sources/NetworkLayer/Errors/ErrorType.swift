/// The stable names of ``NetworkError/type``: those of W3C Network Error Logging where it has one, ours in its manner otherwise.
///
/// They never change, so that logs, histories and alarms may be keyed by them. They are open: a name that isn't listed is one that
/// a transport or a program made.
package enum ErrorType {
    // MARK: W3C Network Error Logging, section 6

    package static let nameNotResolved = "dns.name_not_resolved"
    /// Asking for the address failed for another reason, such as no answer in time.
    package static let dnsFailed = "dns.failed"

    package static let connectTimedOut = "tcp.timed_out"
    package static let connectionClosed = "tcp.closed"
    package static let connectionReset = "tcp.reset"
    package static let connectionRefused = "tcp.refused"
    package static let addressInvalid = "tcp.address_invalid"
    package static let addressUnreachable = "tcp.address_unreachable"
    package static let connectionFailed = "tcp.failed"

    package static let tlsVersionOrCipherMismatch = "tls.version_or_cipher_mismatch"
    package static let clientCertificateBad = "tls.bad_client_auth_cert"
    package static let certificateNameInvalid = "tls.cert.name_invalid"
    package static let certificateDateInvalid = "tls.cert.date_invalid"
    package static let certificateAuthorityInvalid = "tls.cert.authority_invalid"
    package static let certificateInvalid = "tls.cert.invalid"
    package static let certificateRevoked = "tls.cert.revoked"
    package static let pinnedKeyNotInChain = "tls.cert.pinned_key_not_in_cert_chain"
    package static let tlsProtocolError = "tls.protocol.error"
    package static let tlsFailed = "tls.failed"

    package static let httpProtocolError = "http.protocol.error"
    /// The response can't be processed: it is empty, too short, or wrongly coded, for example.
    package static let responseInvalid = "http.response.invalid"
    package static let redirectLoop = "http.response.redirect_loop"

    package static let abandoned = "abandoned"
    package static let unknown = "unknown"

    // MARK: Ours

    package static let secretWithheld = "http.request.secret"
    package static let downgrade = "http.response.redirect.downgrade"
    package static let operationTimedOut = "operation.timed_out"
    package static let attemptTimedOut = "attempt.timed_out"
    package static let idleTimedOut = "idle.timed_out"
    package static let callbackTimedOut = "callback.timed_out"
    package static let hydrationFailed = "hydration.failed"
    package static let hydrationInvalid = "hydration.invalid"
    package static let contentEncodingMismatch = "content.encoding.mismatch"
    package static let contentEncodingFailed = "content.encoding.failed"
    package static let contentDecodingFailed = "content.decoding.failed"
    package static let authorizationFailed = "authorization.failed"
    package static let hostBlocked = "host.blocked"
    package static let hostInvalid = "host.invalid"
    package static let middlewareFailed = "middleware.failed"
    package static let cellularNotAllowed = "network.cellular_not_allowed"
    package static let requestNotProvided = "request.not_provided"
    package static let unsuccessfulStatus = "http.response.unsuccessful"
    package static let cannotDecode = "body.undecodable"
    package static let cannotResume = "body.cannot_resume"
    package static let transformationFailed = "body.untransformable"
    package static let environmentNotSet = "url.environment_not_set"
    package static let invalidURL = "url.invalid"
    package static let invalidParameters = "parameters.invalid"
}
