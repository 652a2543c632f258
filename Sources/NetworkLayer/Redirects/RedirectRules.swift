import Base
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
        guard Self.isRedirect(head.status), let location = Self.location(of: head), !location.isEmpty else { return .none }
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
        if let scheme = target.lowercasedScheme, !configuration.schemes.contains(scheme) {
            return fail(hop, .redirectSchemeRefused(hop.location, allowed: configuration.schemes))
        }
        if hop.isDowngrade, configuration.refusesDowngrade { return fail(hop, .redirectDowngradeRefused(hop.location)) }

        let (next, withheld) = self.request(after: request, status: head.status, at: target)
        hop.describe(next, after: request)
        hop.withheld = withheld
        if let refusal = secretRefusal(of: next, after: request, to: target) {
            // What comes back in it must not be written down either.
            hop.location = refusal.redactor.text(hop.location)
            return fail(hop, refusal.error)
        }
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
        let target = decided.url
        if let refusal = secretRefusal(of: decided, after: request, to: target) { return fail(hop, refusal.error) }
        return .follow(hop, decided)
    }

    /// Where there are several fields the first counts, as in browsers and curl: together they would be a URL that nobody wrote.
    /// Bytes that are no text are percent-encoded: the next request asks for just these.
    static func location(of head: ResponseHead) -> String? {
        guard let field = head.headers.first(where: { $0.name == .location }) else { return nil }
        return field.withUnsafeBytesOfValue { bytes in
            if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil { return field.value }
            return URLCoding.percentEncoded(bytes) { $0 < 0x80 }
        }
    }

    private func fail(_ hop: RedirectHop, _ error: NetworkError) -> Verdict { .fail(hop.with(.failed), error) }

    // MARK: The request of the next hop

    /// The next request: method, body and fields after RFC 9110, sections 15.4.2 to 15.4.9, secrets after where they may go.
    private func request(
        after request: Request, status: HTTPResponse.Status, at target: URL
    ) -> (Request, withheld: [RedirectHop.Withheld]) {
        var next = request
        next.url = keepsCredentials(from: request.url, to: target) ? target.withUser(of: request.url) : target
        let staysPost = request.method == .post && configuration.postingStatuses.contains(status.code)
        next.method = staysPost ? .post : Self.method(after: request.method, status: status)
        if next.method != request.method {
            next.body = .none
            for name in Self.contentFields { next.headers[name] = nil }
            next.secrets.removeUses { $0 == .body }
        }
        // What is secret in an address goes to nobody else.
        if configuration.setsReferer, !request.secrets.uses.contains(where: { $0.part == .url }) {
            next.headers[.referer] = Self.referer(request.url)
        }
        // The new URL is the server's, whatever stood in the old one.
        next.secrets.removeUses { $0 == .url }
        let withheld = keepsCredentials(from: request.url, to: target) ? [] : withhold(from: &next, at: target)
        if !Self.isSameAuthority(request.url, target) { next.headers[Self.host] = nil }
        return (next, withheld)
    }

    /// RFC 9110, section 10.1.3: without name, password and fragment.
    private static func referer(_ url: URL) -> String? {
        var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true)
        parts?.user = nil
        parts?.password = nil
        // RFC 3986, section 6.2.3.
        if parts?.path.isEmpty == true { parts?.path = "/" }
        parts?.fragment = nil
        return parts?.string
    }

    // MARK: Secrets

    /// Takes out of a request that leaves its origin the fields with a secret in them that may not go there; which they are, the value
    /// says (``RequestSecrets``). Of a value that nobody said anything about the name does.
    ///
    /// The next hop starts from what is left. So what was once taken out stays out, also when the chain returns to the first host:
    /// the server in between decides about the URL, and must not decide about the credentials as well. Browsers do it so (Fetch,
    /// section 4.4, "HTTP-redirect fetch"); curl sends them again to the first host, and Go did until CVE-2024-45336.
    private func withhold(from next: inout Request, at target: URL) -> [RedirectHop.Withheld] {
        let origin = Origin(target)
        var withheld: [RedirectHop.Withheld] = []
        var seen: Set<HTTPField.Name> = []
        for name in next.headers.map(\.name) where seen.insert(name).inserted {
            let part = RequestSecrets.Part.header(name.canonicalName)
            let uses = next.secrets.uses.filter { $0.part == part }
            let refusing = origin.map { next.secrets.withheld(part, from: $0) } ?? uses
            guard !refusing.isEmpty || uses.isEmpty && Self.credentialFields.contains(name) else { continue }
            next.headers[name] = nil
            next.secrets.removeUses { $0 == part }
            withheld.append(.init(name.rawName, of: refusing))
        }
        return withheld
    }

    /// Why a redirect isn't followed that would carry a secret out in another way than in a field, which could be left out.
    private func secretRefusal(
        of next: Request, after request: Request, to target: URL
    ) -> (error: NetworkError, redactor: Redactor)? {
        guard !keepsCredentials(from: request.url, to: target), let origin = Origin(target) else { return nil }
        let redactor = request.secrets.redactor(ofThoseWithheldFrom: origin).union(Redactor(request.ownCredentials))
        if redactor.finds(in: target.absoluteString) { return (.redirectCarriesSecret(to: origin), redactor) }
        let uses = next.secrets.withheld(.body, from: origin)
        // Without its secrets it would be a different body.
        return uses.isEmpty ? nil : (.redirectBodySecret(uses.map(\.name), to: origin), redactor)
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

    /// Fields that are credentials by their names.
    private static let credentialFields: Set<HTTPField.Name> = Set(Redaction.standard.names.compactMap { HTTPField.Name($0) })

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
        // A server of WebSockets may name its own scheme (RFC 6455, section 3).
        let isWebSocket = ["ws://", "wss://"].contains { location.lowercased().hasPrefix($0) }
        let location = isWebSocket ? "http" + location.dropFirst(2) : location
        guard let target = URL(international: location, relativeTo: base)?.absoluteURL, target.isRequestable else { return nil }
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
        guard let left = Origin(left), let right = Origin(right) else { return false }
        return left == right
    }
}

extension Request {
    /// The credentials in its own fields and URL, also those that nobody said to be secret: what came in no other way than ours, and
    /// comes back in the address of another server, was put there.
    fileprivate var ownCredentials: Set<String> {
        var texts: Set<String> = []
        for name in [HTTPField.Name.authorization, .proxyAuthorization] {
            for value in headers[values: name] {
                let credentials = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
                texts.insert(credentials)
                guard value.lowercased().hasPrefix("basic "), let data = Data(base64Encoded: credentials) else { continue }
                texts.insert(Credential(String(decoding: data, as: UTF8.self)).password)
            }
        }
        if let password = url.password(percentEncoded: false) { texts.insert(password) }
        return texts
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
                "The server redirects to \"\(location)\", which is no http or https URL; follow no redirects to see the answer.")
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

    static func redirectSchemeRefused(_ location: String, allowed: Set<String>) -> NetworkError {
        NetworkError(
            .redirectFailed, phase: .response, type: "http.response.redirect.scheme",
            message: allowed.isEmpty
                ? "The server redirects to \(location), and no redirect may be followed."
                : "The server redirects to \(location), and only \(allowed.sorted().joined(separator: " and ")) may be followed.")
    }

    static func redirectCarriesSecret(to origin: Origin) -> NetworkError {
        NetworkError(
            .secretWithheld, phase: .response, type: ErrorType.secretWithheld,
            message:
                "The server redirects to \(origin) with a secret of this request in the address, which is not for \(origin); "
                + "nothing was sent there. If it may have it, let credentials follow redirects.")
    }

    static func redirectBodySecret(_ names: [String], to origin: Origin) -> NetworkError {
        var seen: Set<String> = []
        let names = names.filter { seen.insert($0).inserted }.joined(separator: ", ")
        return NetworkError(
            .secretWithheld, phase: .response, type: ErrorType.secretWithheld,
            message:
                "The server wants the same body at \(origin), and \(names) in it is not for \(origin); "
                + "nothing was sent there. If it may have it, let credentials follow redirects.")
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

extension URL {
    /// With the name and password of another URL, unless this one has its own: they are credentials as a field is. A relative `Location`
    /// keeps them by RFC 3986, and an absolute one must not lose them.
    fileprivate func withUser(of other: URL) -> URL {
        guard let user = other.user(percentEncoded: true), self.user() == nil,
            var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true)
        else { return self }
        parts.percentEncodedUser = user
        parts.percentEncodedPassword = other.password(percentEncoded: true)
        return parts.url ?? self
    }
}
