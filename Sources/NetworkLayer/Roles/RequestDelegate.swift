import Base
public import HTTPTypes

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

/// Fills a request in just before it is sent (HYD-1; TNL's `TNLRequestHydrater`): resolves templates, signs, adds a body.
public protocol RequestHydrator: Sendable {
    /// Called for every attempt but redirect hops, each time with the original request: a retry may get a fresh token.
    ///
    /// - Returns: the request to go on with, which is validated again; `nil` keeps the original.
    /// - Throws: whatever it likes; the operation then fails with `hydrationFailed`, and isn't retried.
    func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request?
}

/// Gives a request its `Authorization`, as the last step of its preparation (AUT-1; TNL's `TNLRequestAuthorizer`).
public protocol RequestAuthorizer: Sendable {
    /// - Parameter request: as it will be sent, its final host included, so that a signature covers what the server sees.
    /// - Throws: whatever it likes; the operation then fails with `authorizationFailed`, and isn't retried.
    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization
}

/// What becomes of the field `Authorization`.
public enum Authorization: Sendable, Hashable {
    /// The field stays as it is in the request, present or absent.
    case unchanged
    /// Takes it out.
    case remove
    /// The whole value: `Bearer …`.
    case set(String)

    /// A token (RFC 6750).
    public static func bearer(_ token: String) -> Authorization { .set("Bearer \(token)") }

    /// User and password (RFC 7617), which whoever sees the request can read.
    public static func basic(user: String, password: String) -> Authorization {
        .set("Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
}

extension Request {
    /// The request, with this `Authorization`: `.get(url).authorized(.bearer(token))`.
    public func authorized(_ authorization: Authorization) -> Request {
        with { request in
            switch authorization {
            case .unchanged: break
            case .remove: request.headers[.authorization] = nil
            case .set(let value): request.headers[.authorization] = value
            }
        }
    }
}

/// Decides about a redirect under the policy `delegate` (TNL's `TNLRequestRedirecter`).
public protocol RedirectDecider: Sendable {
    /// - Parameters:
    ///   - proposed: the request that would be sent next, methods rewritten and credentials dropped by the rules.
    ///   - response: the 3xx.
    /// - Returns: the request to send next, or `nil` to end with the 3xx as the response.
    func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request?
}

/// Follows one operation, and may take its time over it (EVT-1; TNL's `TNLRequestEventHandler`).
///
/// It hears every event in order, one after the other, each after the observers have (OBS-1), but it doesn't hold the operation
/// up: only ``readyToEnqueue(_:isRetry:)`` does. The operation's ``RequestOperation/response`` is there once the handler has
/// returned from `completed`. A call that lasts longer than ``NetworkClient/Settings/callbackTimeout`` fails the operation with
/// `callbackTimedOut` (TMO-5).
public protocol RequestEventHandler: Sendable {
    /// Hears one event; the next comes when it returns.
    func handle(_ event: NetworkEvent, of operation: RequestOperation) async

    /// The last step before an attempt that isn't a redirect hop: it may take time, and name operations that must end first
    /// (EVT-2).
    func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation]
}

extension RequestEventHandler {
    public func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation] { [] }
}

/// Gives header fields to every request of a client (HDR-1): `defaults < request < overrides`, name by name.
///
/// A class, because adding it again moves it to the end of the line instead of asking it twice. Among providers the last added
/// wins.
public protocol HeaderProvider: AnyObject, Sendable {
    /// Fields for names that the request doesn't have.
    ///
    /// - Parameters:
    ///   - original: the request as the caller made it.
    ///   - request: the request as it has been prepared so far.
    func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields

    /// Fields that replace those of the request that have the same names.
    func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields
}

extension HeaderProvider {
    public func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { [:] }
    public func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { [:] }
}

/// A ``HeaderProvider`` whose fields are always the same.
public final class FixedHeaders: HeaderProvider {
    private let defaults: HTTPFields
    private let overrides: HTTPFields

    /// - Parameters:
    ///   - defaults: count where a request doesn't have the field.
    ///   - overrides: replace a request's own.
    public init(defaults: HTTPFields = [:], overrides: HTTPFields = [:]) {
        self.defaults = defaults
        self.overrides = overrides
    }

    /// - Parameter defaults: by names that are written out, as for `HTTPFields(_:)`.
    public convenience init(defaults: [String: String]) {
        self.init(defaults: HTTPFields(defaults))
    }

    public func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { defaults }
    public func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields { overrides }
}

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
