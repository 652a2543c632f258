/// Who takes part in one operation; every role is optional. TNL's `TNLRequestDelegate`, as a struct of roles (EVT-1): one type
/// may play several of them.
///
/// Every call of a role is awaited for at most ``NetworkClient/Settings/callbackTimeout``; what it answers later is dropped.
public struct RequestDelegate: Sendable {
    public var hydrator: (any RequestHydrator)?
    public var authorizer: (any RequestAuthorizer)?
    public var redirects: (any RedirectDecider)?
    public var challenges: (any ChallengeHandler)?
    /// Called in the middle of a handshake, and so not awaited.
    public var trust: (any ServerTrustHandler)?
    public var events: (any RequestEventHandler)?

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
