import FoundationEssentials
import HTTPTypes

/// What a 3xx means for an operation: followed where and how, refused, or an error (section 1.8).
struct RedirectRules: Sendable {
    var configuration: RedirectConfiguration
    /// Whether there is a ``RedirectDecider``; without one the policy `delegate` is `always`.
    var hasDelegate = false

    enum Verdict: Hashable {
        /// The response is final.
        case none
        case refuse(RedirectHop)
        case follow(RedirectHop, Request)
        /// The delegate says; the hop stands as it will be when it says yes.
        case ask(RedirectHop, Request)
        case fail(RedirectHop, NetworkError)
    }

    /// - Parameter hops: how many redirects were followed before, since the first attempt or the last retry.
    func verdict(on head: ResponseHead, to request: Request, hops: Int) -> Verdict {
        guard Self.isRedirect(head.status), let location = head.headers[.location], !location.isEmpty else { return .none }
        let target = Self.resolve(location, against: request.url)
        var hop = RedirectHop(location: target?.absoluteString ?? location, decision: .followed)
        hop.isDowngrade = target.map { Self.isDowngrade(from: request.url, to: $0) } ?? false
        switch configuration.policy {
        case .never: return .refuse(hop.with(.refusedByPolicy))
        case .sameHost:
            if let target, !Self.isSameHost(request.url, target) { return .refuse(hop.with(.refusedByPolicy)) }
        case .always, .delegate: break
        }
        guard let target else { return fail(hop, .redirectTargetInvalid(location)) }
        if hops >= configuration.limit { return fail(hop, .redirectLimitReached(configuration.limit, next: hop.location)) }
        if hop.isDowngrade, configuration.refusesDowngrade { return fail(hop, .redirectDowngradeRefused(hop.location)) }

        let next = self.request(after: request, status: head.status, at: target)
        hop.describe(next, after: request)
        if !next.body.isReplayable { return fail(hop, .redirectBodyNotReplayable(head.status, location: hop.location)) }
        return configuration.policy == .delegate && hasDelegate ? .ask(hop, next) : .follow(hop, next)
    }

    /// The verdict after the delegate has spoken; what it returns is checked like a request of a caller's.
    func verdict(onDecision decided: Request?, about hop: RedirectHop, from request: Request) -> Verdict {
        guard let decided else { return .refuse(hop.with(.refusedByDelegate)) }
        var hop = hop
        hop.describe(decided, after: request)
        if let error = decided.validationError { return fail(hop, error) }
        if !decided.body.isReplayable, decided.body == request.body {
            return fail(hop, .redirectBodyNotReplayable(nil, location: hop.location))
        }
        return .follow(hop, decided)
    }

    private func fail(_ hop: RedirectHop, _ error: NetworkError) -> Verdict { .fail(hop.with(.failed), error) }

    // MARK: The request of the next hop

    /// The next request: method, body and fields after RFC 9110, sections 15.4.2 to 15.4.9, credentials after the configuration.
    private func request(after request: Request, status: HTTPResponse.Status, at target: URL) -> Request {
        var next = request
        next.url = target
        next.method = Self.method(after: request.method, status: status)
        if next.method != request.method {
            next.body = .none
            for name in Self.contentFields { next.headers[name] = nil }
        }
        if !keepsCredentials(from: request.url, to: target) {
            for name in Self.credentialFields { next.headers[name] = nil }
        }
        if !Self.isSameAuthority(request.url, target) { next.headers[Self.host] = nil }
        return next
    }

    /// RDR-4:
    ///
    /// | status   | POST | HEAD | other |
    /// |----------|------|------|-------|
    /// | 301, 302 | GET  | HEAD | keeps |
    /// | 303      | GET  | HEAD | GET   |
    /// | 307, 308 | POST | HEAD | keeps |
    static func method(after method: HTTPRequest.Method, status: HTTPResponse.Status) -> HTTPRequest.Method {
        switch status.code {
        case 301, 302: method == .post ? .get : method
        case 303: method == .head ? .head : .get
        default: method
        }
    }

    func keepsCredentials(from source: URL, to target: URL) -> Bool {
        switch configuration.keepCredentials {
        case .always: true
        case .sameHost: Self.isSameHost(source, target)
        case .sameOrigin: Self.isSameOrigin(source, target)
        }
    }

    private static let credentialFields: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]

    /// What describes a body (RFC 9110, section 15.4, and the fields of section 8 and of transfers).
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .transferEncoding,
        .trailer, .expect, .lastModified, HTTPField.Name("Digest")!, HTTPField.Name("Content-Digest")!,
        HTTPField.Name("Repr-Digest")!,
    ]

    private static let host = HTTPField.Name("Host")!

    // MARK: Where to

    static func isRedirect(_ status: HTTPResponse.Status) -> Bool {
        switch status.code {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// `Location` as a reference relative to the request's URL (RFC 3986, section 5), which hands down its fragment when the
    /// reference has none (RFC 9110, section 10.2.2).
    ///
    /// - Returns: `nil` for what isn't an http or https URL with a host.
    static func resolve(_ location: String, against base: URL) -> URL? {
        guard let target = URL(string: location, relativeTo: base)?.absoluteURL, target.isRequestable else { return nil }
        guard target.fragment == nil, let fragment = base.absoluteURL.fragment(percentEncoded: true) else { return target }
        return URL(string: target.absoluteString + "#" + fragment) ?? target
    }

    private static func isDowngrade(from source: URL, to target: URL) -> Bool {
        source.lowercasedScheme == "https" && target.lowercasedScheme == "http"
    }

    private static func isSameHost(_ left: URL, _ right: URL) -> Bool {
        left.lowercasedHost == right.lowercasedHost
    }

    private static func isSameAuthority(_ left: URL, _ right: URL) -> Bool {
        isSameHost(left, right) && left.effectivePort == right.effectivePort
    }

    static func isSameOrigin(_ left: URL, _ right: URL) -> Bool {
        isSameAuthority(left, right) && left.lowercasedScheme == right.lowercasedScheme
    }
}

extension RedirectHop {
    fileprivate func with(_ decision: Decision) -> RedirectHop {
        var hop = self
        hop.decision = decision
        return hop
    }

    /// Notes what `next` leaves out and does differently.
    fileprivate mutating func describe(_ next: Request, after request: Request) {
        newMethod = next.method == request.method ? nil : next.method.rawValue
        var seen: Set<HTTPField.Name> = []
        droppedHeaders = request.headers.compactMap { field in
            guard seen.insert(field.name).inserted, !next.headers.contains(field.name) else { return nil }
            return field.name.rawName
        }
    }
}

extension NetworkError {
    static func redirectTargetInvalid(_ location: String) -> NetworkError {
        NetworkError(
            .redirectFailed, phase: .response, type: "http.response.redirect.invalid",
            message:
                "The server redirects to \"\(location)\", which is no http or https URL; set redirects to never to see the answer.")
    }

    static func redirectLimitReached(_ limit: Int, next location: String) -> NetworkError {
        NetworkError(
            .tooManyRedirects, phase: .response, type: "http.response.redirect_loop",
            message: "Stopped after \(limit) redirects, before \(location); raise the limit of redirects if this is no loop.")
    }

    static func redirectDowngradeRefused(_ location: String) -> NetworkError {
        NetworkError(
            .redirectFailed, phase: .response, type: "http.response.redirect.downgrade",
            message: "The server redirects from https to \(location), and the request refuses to leave TLS.")
    }

    static func redirectBodyNotReplayable(_ status: HTTPResponse.Status?, location: String) -> NetworkError {
        let cause = status.map { "A \($0.code) asks for" } ?? "The redirect asks for"
        return NetworkError(
            .redirectFailed, phase: .request, type: "http.request.body.not_replayable",
            message:
                "\(cause) the same body at \(location), but the body is a stream that can be read only once; send it from a file or from memory."
        )
    }
}
