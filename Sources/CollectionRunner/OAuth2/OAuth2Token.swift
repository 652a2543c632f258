package import Base

/// An access token, and what gets the next one.
package struct OAuth2Token: Hashable, Sendable, Codable {
    package var accessToken: String
    package var refreshToken: String?
    /// The scope that was granted, when the server says that it is another.
    package var scope: String?
    /// When it was issued, by the wall clock, since it is compared with times of other days.
    package var issued: Date
    /// `nil`: until a server refuses it.
    package var expires: Date?

    package init(
        accessToken: String, refreshToken: String? = nil, scope: String? = nil, issued: Date, expires: Date? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.scope = scope
        self.issued = issued
        self.expires = expires
    }

    /// Whether it will do for a request that is sent now.
    ///
    /// A token that lives an hour counts as expired half a minute early, so that it doesn't expire on the way; a short-lived one
    /// by a tenth of its life.
    func isFresh(at date: Date) -> Bool {
        guard let expires else { return true }
        return date < expires - min(Self.margin, expires.timeIntervalSince(issued) / 10)
    }

    static let margin: TimeInterval = 30
}

extension OAuth2Token: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    package var description: String { "OAuth2Token(expires: \(expires.map { "\($0)" } ?? "unknown"))" }

    package var customMirror: Mirror { Mirror(self, children: ["expires": expires as Any]) }
}

/// What is to be done for somebody who wants a token.
enum TokenStep: Hashable, Sendable {
    case use(OAuth2Token)
    case refresh(with: String)
    /// The whole grant.
    case grant

    /// - Parameters:
    ///   - token: the one that is there.
    ///   - refused: an access token that a server didn't take, whatever its time says.
    init(having token: OAuth2Token?, refused: String?, at date: Date) {
        if let token, token.isFresh(at: date), token.accessToken != refused {
            self = .use(token)
        } else if let refresh = token?.refreshToken {
            self = .refresh(with: refresh)
        } else {
            self = .grant
        }
    }
}
