/// What became of a challenge.
public struct ChallengeReport: Sendable, Hashable, Codable {
    /// Whether the server or a proxy asked.
    public var space: AuthenticationChallenge.Space
    /// The host that asked; for a proxy its own.
    public var host: String
    /// ``AuthenticationChallenge/Method/name``
    public var method: String
    /// What the credentials were for; `nil` when the challenge named no realm.
    public var realm: String?
    /// What became of it.
    public var decision: Decision

    /// A report about a challenge of `host`; the server's, unless `space` says otherwise.
    public init(
        space: AuthenticationChallenge.Space = .server, host: String, method: String, realm: String? = nil, decision: Decision
    ) {
        self.space = space
        self.host = host
        self.method = method
        self.realm = realm
        self.decision = decision
    }

    init(_ challenge: AuthenticationChallenge, _ decision: Decision) {
        self.init(
            space: challenge.space, host: challenge.host, method: challenge.method.name, realm: challenge.realm, decision: decision)
    }

    /// The ways in which a challenge can end. The raw values are what JSON holds.
    public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
        /// The request goes out again with credentials.
        case answered
        /// No handler had credentials that fit: the 401 or 407 is the response.
        case unanswered
        /// The credentials had been shown for this realm, and it asks again: the 401 or 407 is the response.
        case repeated
        /// There were credentials, but the body can't be sent a second time: the 401 or 407 is the response.
        case bodyNotReplayable
        /// A handler ended the operation.
        case cancelled
    }
}
