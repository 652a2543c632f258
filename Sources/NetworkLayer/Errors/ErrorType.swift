/// The stable names of ``NetworkError/type``: those of W3C Network Error Logging where it has one, ours in its manner otherwise.
///
/// They never change, so that logs, histories and alarms may be keyed by them. They are open: a name that isn't listed is one that
/// a transport or a program made.
public enum ErrorType {
    // MARK: W3C Network Error Logging, section 6

    public static let nameNotResolved = "dns.name_not_resolved"
    public static let dnsFailed = "dns.failed"
    public static let dnsUnreachable = "dns.unreachable"
    public static let dnsAddressChanged = "dns.address_changed"

    public static let connectTimedOut = "tcp.timed_out"
    public static let connectionClosed = "tcp.closed"
    public static let connectionReset = "tcp.reset"
    public static let connectionRefused = "tcp.refused"
    public static let connectionAborted = "tcp.aborted"
    public static let addressInvalid = "tcp.address_invalid"
    public static let addressUnreachable = "tcp.address_unreachable"
    public static let connectionFailed = "tcp.failed"

    public static let tlsVersionOrCipherMismatch = "tls.version_or_cipher_mismatch"
    public static let clientCertificateBad = "tls.bad_client_auth_cert"
    public static let certificateNameInvalid = "tls.cert.name_invalid"
    public static let certificateDateInvalid = "tls.cert.date_invalid"
    public static let certificateAuthorityInvalid = "tls.cert.authority_invalid"
    public static let certificateInvalid = "tls.cert.invalid"
    public static let certificateRevoked = "tls.cert.revoked"
    public static let pinnedKeyNotInChain = "tls.cert.pinned_key_not_in_cert_chain"
    public static let tlsProtocolError = "tls.protocol.error"
    public static let tlsFailed = "tls.failed"

    public static let httpError = "http.error"
    public static let httpProtocolError = "http.protocol.error"
    public static let responseInvalid = "http.response.invalid"
    public static let redirectLoop = "http.response.redirect_loop"
    public static let httpFailed = "http.failed"

    public static let abandoned = "abandoned"
    public static let unknown = "unknown"

    // MARK: Ours

    public static let secretWithheld = "http.request.secret"
    public static let downgrade = "http.response.redirect.downgrade"
    public static let operationTimedOut = "operation.timed_out"
    public static let attemptTimedOut = "attempt.timed_out"
    public static let idleTimedOut = "idle.timed_out"
    public static let callbackTimedOut = "callback.timed_out"
    public static let hydrationFailed = "hydration.failed"
    public static let hydrationInvalid = "hydration.invalid"
    public static let contentEncodingMismatch = "content.encoding.mismatch"
    public static let contentEncodingFailed = "content.encoding.failed"
    public static let contentDecodingFailed = "content.decoding.failed"
    public static let authorizationFailed = "authorization.failed"
    public static let hostBlocked = "host.blocked"
    public static let hostInvalid = "host.invalid"
    public static let middlewareFailed = "middleware.failed"
    public static let cellularNotAllowed = "network.cellular_not_allowed"
    public static let requestNotProvided = "request.not_provided"
    public static let unsuccessfulStatus = "http.response.unsuccessful"
    public static let cannotDecode = "body.undecodable"
    public static let cannotResume = "body.cannot_resume"
    public static let transformationFailed = "body.untransformable"
    public static let environmentNotSet = "url.environment_not_set"
    public static let invalidURL = "url.invalid"
    public static let invalidParameters = "parameters.invalid"
}
