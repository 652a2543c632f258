import Base
import HTTPTypes
import Synchronization

/// The steps from a request as it was given to one that can be sent (section 1.2 of the reference), in their order. Every attempt
/// takes all of them but a redirect hop, for which only the host is looked at again (PRE-2).
public enum PreparationStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The original request: codes 101 to 103.
    case validation
    /// ``RequestDelegate/hydrator``: code 207.
    case hydration
    /// What the hydrator made: code 208, with what is wrong beneath.
    case revalidation
    /// What is odd about the configuration is said in `configurationWarning`, and does no harm.
    case configuration
    /// ``NetworkClient/addHeaderProvider(_:)``.
    case headers
    /// Names the decoders of the configuration, unless the request names what it accepts.
    case acceptEncoding
    /// ``ContentCoding/encoder``: codes 213 and 214.
    case contentEncoding
    /// ``NetworkClient/setHostSanitizer(_:)``: codes 301 and 9901.
    case hostSanitizer
    /// ``RequestDelegate/authorizer``: code 216.
    case authorization
    /// ``RequestEventHandler/readyToEnqueue(_:isRetry:)``.
    case readyToEnqueue
}

/// Settings that contradict each other (step 5 of section 1.2). Nothing fails for it.
public enum ConfigurationWarning: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attempt timeout is shorter than the idle timeout, so the idle timeout never comes.
    case attemptTimeoutShorterThanIdle
    /// The operation timeout is shorter than the attempt timeout, so the attempt timeout never comes.
    case operationTimeoutShorterThanAttempt
    /// Redirects are left to a delegate that isn't there: they are followed.
    case redirectDeciderMissing

    /// One sentence for people.
    package var message: String {
        switch self {
        case .attemptTimeoutShorterThanIdle: "The attempt timeout is shorter than the idle timeout, which therefore never passes."
        case .operationTimeoutShorterThanAttempt:
            "The operation timeout is shorter than the attempt timeout, which therefore never passes."
        case .redirectDeciderMissing: "Redirects are left to a delegate, and there is none: they are followed."
        }
    }

    /// How much shorter a timeout may be: a twentieth of a second (TNL's figure).
    private static let tolerance = Duration.milliseconds(50)

    static func all(of configuration: RequestConfiguration, hasRedirectDecider: Bool) -> [ConfigurationWarning] {
        let timeouts = configuration.timeouts
        var warnings: [ConfigurationWarning] = []
        let attempt = Timeouts.limit(timeouts.attempt)
        if timeouts.idleMode != .disabled, isShorter(attempt, than: Timeouts.limit(timeouts.idle)) {
            warnings.append(.attemptTimeoutShorterThanIdle)
        }
        if isShorter(Timeouts.limit(timeouts.operation), than: attempt) { warnings.append(.operationTimeoutShorterThanAttempt) }
        if configuration.redirects.policy == .delegate, !hasRedirectDecider { warnings.append(.redirectDeciderMissing) }
        return warnings
    }

    /// Timeouts that mean never are neither shorter nor longer than anything worth a word.
    private static func isShorter(_ left: Duration?, than right: Duration?) -> Bool {
        guard let left, let right else { return false }
        return right - left > tolerance
    }
}

extension Request {
    /// The request as a host sanitizer wants it (SAN-1), and how it was before; `nil` when nothing changes.
    func sanitized(
        _ decision: HostDecision
    ) throws(NetworkError) -> (Request, RequestOperation.StateMachine.Sanitized)? {
        let (host, addsHost): (String, Bool)
        switch decision {
        case .keep: return nil
        case .block: throw .hostBlocked(url.lowercasedHost ?? "")
        case .change(let new): (host, addsHost) = (new, headers[Self.host] == nil)
        case .changeWithoutHostHeader(let new): (host, addsHost) = (new, false)
        }
        guard host.lowercased() != url.lowercasedHost else { return nil }
        let (moved, authority) = url.replacingHost(by: host)
        guard let moved else { throw .hostUnusable(host, insteadOf: url.lowercasedHost ?? "") }
        var request = self
        request.url = moved
        if addsHost { request.headers[Self.host] = authority }
        return (request, .init(url: url, addsHostHeader: addsHost))
    }

    /// Takes ``sanitized(_:)`` back.
    func before(_ sanitized: RequestOperation.StateMachine.Sanitized?) -> Request {
        guard let sanitized else { return self }
        var request = self
        request.url = sanitized.url
        if sanitized.addsHostHeader { request.headers[Self.host] = nil }
        return request
    }

    private static let host = HTTPField.Name("Host")!
}

extension URL {
    /// The URL with another host, and the old host with its port as the field `Host` has it; no URL when the host can't be one.
    fileprivate func replacingHost(by host: String) -> (URL?, authority: String) {
        let text = absoluteString
        guard let colon = text.firstIndex(of: ":") else { return (nil, "") }
        let start = text[colon...].dropFirst(3).startIndex
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let hostStart = text[start..<end].lastIndex(of: "@").map(text.index(after:)) ?? start
        let authority = text[hostStart..<end]
        let afterAddress = authority.lastIndex(of: "]") ?? hostStart
        let portStart = authority[afterAddress...].lastIndex(of: ":") ?? end
        // An address of IPv6 has two colons at least; one would be a port, which isn't ours to change.
        let written = host.count { $0 == ":" } > 1 && !host.hasPrefix("[") ? "[\(host)]" : host
        let moved = URL(string: text[..<hostStart] + written + text[portStart...])
        // What isn't a host would have become something else of the URL.
        let bare = written.hasPrefix("[") ? String(written.dropFirst().dropLast()) : written
        guard let moved, moved.isRequestable, moved.lowercasedHost == bare.lowercased() else { return (nil, String(authority)) }
        return (moved, String(authority))
    }
}

extension RequestOperation {
    /// ``originalRequest`` as the hydrator made it, or as it is without one, for the latest attempt that no redirect led to; `nil` before (REQ-7).
    public var hydratedRequest: Request? { core.withLock { $0.machine.hydratedRequest } }

    /// ``hydratedRequest`` as all steps of preparation made it; `nil` before the first attempt.
    public var preparedRequest: Request? {
        core.withLock { $0.machine.metrics.attempts.last { $0.kind == .initial || $0.kind == .retry }?.request }
    }

    /// The request of the attempt under way, or of the last one: ``preparedRequest``, or where a redirect led.
    public var currentRequest: Request? { core.withLock { $0.machine.metrics.attempts.last?.request } }
}
