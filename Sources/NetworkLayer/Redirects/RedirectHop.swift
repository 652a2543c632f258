/// What a redirect changed, or why it wasn't followed.
public struct RedirectHop: Sendable, Hashable, Codable {
    /// `Location`, resolved against the URL of the request (RFC 9110, section 10.2.2); as it was received when it isn't a URL.
    public package(set) var location: String
    /// Whether the redirect was followed, and who refused it otherwise.
    public package(set) var decision: Decision
    /// The names of fields that the next request leaves out: credentials across origins, content fields with a dropped body.
    package var droppedHeaders: [String]
    /// The credentials that the next request doesn't send to the other server.
    package var withheld: [Withheld]
    /// The method of the next request, when it is another (RDR-4).
    package var newMethod: String?
    package var isDowngrade: Bool

    package init(
        location: String, decision: Decision, droppedHeaders: [String] = [], withheld: [Withheld] = [],
        newMethod: String? = nil, isDowngrade: Bool = false
    ) {
        self.location = location
        self.decision = decision
        self.droppedHeaders = droppedHeaders
        self.withheld = withheld
        self.newMethod = newMethod
        self.isDowngrade = isDowngrade
    }

    /// Something secret that stays behind.
    package struct Withheld: Sendable, Hashable, Codable {
        /// A field's name, or how the transport would have said it: `digest`, `client certificate`.
        package var part: String
        /// What the secrets in it are called, and where they may go; empty for a part that is secret by its nature.
        package var secrets: [String]
        /// The origins that those secrets may go to, as text; in no fixed relation to the order of ``secrets``.
        package var origins: [String]

        /// A part that was left out, with the names (never the values) of the secrets in it.
        package init(_ part: String, secrets: [String] = [], origins: [String] = []) {
            self.part = part
            self.secrets = secrets
            self.origins = origins
        }

        init(_ part: String, of uses: [RequestSecrets.Use]) {
            self.init(part)
            for use in uses {
                if !secrets.contains(use.name) { secrets.append(use.name) }
                for origin in use.origins.map(\.description) where !origins.contains(origin) { origins.append(origin) }
            }
        }
    }

    /// What became of a redirect. The raw values are what JSON holds.
    public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
        /// Another attempt goes to where it leads.
        case followed
        /// The policy is `never`, or `sameHost` and the host another.
        case refusedByPolicy
        /// The ``RedirectDecider`` didn't want it: the 3xx is the response.
        case refusedByDelegate
        /// The limit of hops, a downgrade, a body that can't be sent again, or no URL to go to: the attempt fails.
        case failed
    }
}

extension RedirectHop.Withheld: CustomStringConvertible {
    /// `X-Shop (token, for https://api.example.com)`
    package var description: String {
        secrets.isEmpty ? part : "\(part) (\(secrets.joined(separator: ", ")), for \(origins.joined(separator: ", ")))"
    }
}

extension RedirectHop {
    /// The dropped fields that aren't withheld, but have no meaning any more.
    package var otherDroppedHeaders: [String] {
        let names = Set(withheld.map { $0.part.lowercased() })
        return droppedHeaders.filter { !names.contains($0.lowercased()) }
    }
}
