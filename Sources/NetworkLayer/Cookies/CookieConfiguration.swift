/// Whether a request sends the cookies of a jar, and whether its answers may fill it. Off by default, both.
public struct CookieConfiguration: Sendable, Hashable, Codable {
    /// Which cookies the answers may set (TNL's `cookieAcceptPolicy`).
    public var acceptance: Acceptance
    /// Whether the jar's cookies go out (TNL's `shouldSetCookies`). Behind those that the request has in its own `Cookie` field, and
    /// none of their names.
    public var sends: Bool
    /// One of ``NetworkClient/cookies`` (TNL's `cookieStorage`).
    public var jar: Jar

    /// - Parameter jar: one that isn't there yet is made when it is needed.
    public init(acceptance: Acceptance = .never, sends: Bool = false, jar: Jar = "default") {
        self.acceptance = acceptance
        self.sends = sends
        self.jar = jar
    }

    /// Sends the jar's cookies and keeps those of the answers.
    public static let on = CookieConfiguration(acceptance: .always, sends: true)

    /// Which jar, and what becomes of it. A string literal is the name of one that is kept.
    public enum Jar: Sendable, Hashable, ExpressibleByStringLiteral {
        /// Saved under its name, where ``CookieJars/directory`` says where to.
        case named(String)
        /// Lasts as long as the ``CookieJars``: nothing of it is ever written. No name of a jar that is kept is the name of one of these.
        case inMemory(String)

        public init(stringLiteral name: String) { self = .named(name) }
    }

    /// With the numbers of `NSHTTPCookieAcceptPolicy`, which TNL uses.
    public enum Acceptance: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Every cookie that RFC 6265bis lets a server set.
        case always = 0
        /// None.
        case never = 1
        /// Only from the site of the operation's first request: the redirects to other sites set none.
        case sameSite = 2
    }
}

/// One that is kept is its name; one in memory is `{"inMemory": "name"}`.
extension CookieConfiguration.Jar: Codable {
    private enum Key: String, CodingKey {
        case inMemory
    }

    public init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .named(name)
        } else {
            self = .inMemory(try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .inMemory))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let name):
            var container = encoder.singleValueContainer()
            try container.encode(name)
        case .inMemory(let name):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(name, forKey: .inMemory)
        }
    }
}
