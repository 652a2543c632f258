/// Whether a request sends the cookies of a jar, and whether its answers may fill it. Off by default, both.
public struct CookieConfiguration: Sendable, Hashable, Codable {
    /// Which cookies the answers may set (TNL's `cookieAcceptPolicy`).
    public var acceptance: Acceptance
    /// Whether the jar's cookies go out (TNL's `shouldSetCookies`). Behind those that the request has in its own `Cookie` field, and
    /// none of their names.
    public var sends: Bool
    /// The name of a jar of ``NetworkClient/cookies`` (TNL's `cookieStorage`).
    public var jar: String

    /// - Parameter jar: one that isn't there yet is made when it is needed.
    public init(acceptance: Acceptance = .never, sends: Bool = false, jar: String = "default") {
        self.acceptance = acceptance
        self.sends = sends
        self.jar = jar
    }

    /// Sends the jar's cookies and keeps those of the answers.
    public static let on = CookieConfiguration(acceptance: .always, sends: true)

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
