/// Decides to which host the requests of a client go (SAN-1; TNL's `TNLHostSanitizer`): for every attempt, redirect hops included
/// (SAN-2), unless ``RequestConfiguration/skipsHostSanitization``.
public protocol HostSanitizer: Sendable {
    /// - Parameters:
    ///   - host: of the request's URL, in lower case.
    ///   - isRedirect: whether a server sent us there.
    func sanitize(host: String, of request: Request, isRedirect: Bool) async -> HostDecision
}

/// What a ``HostSanitizer`` says about a host.
public enum HostDecision: Sendable, Hashable {
    /// The host as it is.
    case keep
    /// Another host, and the field `Host` names the old one unless the request has that field.
    case change(to: String)
    /// Another host, which the field `Host` names as well.
    case changeWithoutHostHeader(to: String)
    /// The attempt fails with `hostBlocked`.
    case block
}
