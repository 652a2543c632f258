/// Who takes part in one operation; every role is optional. TNL's `TNLRequestDelegate`, as a struct of roles (EVT-1): one type
/// may play several of them.
///
/// Every call of a role is awaited for at most ``NetworkClient/Settings/callbackTimeout``; what it answers later is dropped.
public struct RequestDelegate: Sendable {
    /// Fills the request in, before every attempt that isn't a redirect hop.
    public var hydrator: (any RequestHydrator)?
    /// Signs it, last of all.
    public var authorizer: (any RequestAuthorizer)?
    /// Counts with the redirect policy `delegate`.
    public var redirects: (any RedirectDecider)?
    /// Is asked before the client's handlers.
    public var challenges: (any ChallengeHandler)?
    /// Called in the middle of a handshake, and so not awaited.
    public var trust: (any ServerTrustHandler)?
    /// Hears every event, and may take its time.
    public var events: (any RequestEventHandler)?

    /// Nobody takes part who isn't named.
    public init(
        hydrator: (any RequestHydrator)? = nil, authorizer: (any RequestAuthorizer)? = nil,
        redirects: (any RedirectDecider)? = nil, challenges: (any ChallengeHandler)? = nil, trust: (any ServerTrustHandler)? = nil,
        events: (any RequestEventHandler)? = nil
    ) {
        self.hydrator = hydrator
        self.authorizer = authorizer
        self.redirects = redirects
        self.challenges = challenges
        self.trust = trust
        self.events = events
    }
}
