import RequestCollections

/// What the requests of a collection want, and what of that is allowed, as it was found out last.
struct CollectionTrust: Hashable, Sendable {
    let standing: TrustStanding
    /// The wants of each request and of those sent before it; requests that want nothing are left out.
    private(set) var wants: [RequestID: [NotedWant]] = [:]
    /// The requests that want something that isn't allowed.
    private(set) var openRequests: Set<RequestID> = []
    /// How many different things that is.
    private(set) var openCount = 0

    init(_ standing: TrustStanding, wants: [RequestID: [NotedWant]]) {
        self.standing = standing
        self.wants = wants
        var open: Set<Want> = []
        for (request, wants) in wants {
            let notAllowed = standing.trust.open(wants)
            guard !notAllowed.isEmpty else { continue }
            openRequests.insert(request)
            open.formUnion(notAllowed.map(\.want))
        }
        openCount = open.count
    }
}

/// What a person has said about a collection.
struct TrustStanding: Hashable, Sendable {
    var trust: Trust
    /// What was allowed, with what it was wanted for.
    var allowed: [Want: String]

    init(_ trust: Trust, allowed: [Want: String] = [:]) {
        self.trust = trust
        self.allowed = allowed
    }
}

/// What was found out about a collection.
struct TrustFinding: Sendable {
    var collection: String
    var standing: TrustStanding
    var subject: Subject

    enum Subject: Sendable {
        /// What is wanted is as it was.
        case standing
        /// What one request wants; empty where it wants nothing.
        case request(RequestID, [NotedWant])
        case collection([RequestID: [NotedWant]])
    }

    init(_ collection: String, _ standing: TrustStanding, _ subject: Subject = .standing) {
        self.collection = collection
        self.standing = standing
        self.subject = subject
    }
}
