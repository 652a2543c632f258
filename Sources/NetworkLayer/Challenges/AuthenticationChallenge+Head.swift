import Base
import HTTPTypes

extension AuthenticationChallenge {
    /// A server that offers more schemes than this doesn't want an answer.
    private static let most = 32

    /// What a response asks, the strongest scheme first (RFC 9110, section 11.6.1); nothing unless it is a 401 or 407.
    ///
    /// A 407 counts only where it comes from a proxy: of http, and asked for a URL of http, since what comes through a tunnel is the
    /// server's. It would be told what only the proxy may know.
    ///
    /// - Parameter proxy: `scheme://host:port`, as in ``ConnectionInfo/proxy``.
    static func all(in head: ResponseHead, to request: Request, tls: TLSInfo?, proxy: String?) -> [AuthenticationChallenge] {
        let space: Space
        let values: [String]
        let (host, port): (String?, Int)
        switch head.status.code {
        case 401:
            (space, values) = (.server, head.headers[values: .wwwAuthenticate])
            (host, port) = (request.url.lowercasedHost, request.url.effectivePort)
        case 407:
            guard let proxy = proxy.flatMap({ URL(international: $0) }), proxy.isRequestable, request.url.lowercasedScheme == "http"
            else { return [] }
            (space, values) = (.proxy, head.headers[values: .proxyAuthenticate])
            // As libcurl has it.
            (host, port) = (proxy.lowercasedHost, proxy.port ?? (proxy.lowercasedScheme == "https" ? 443 : 1080))
        default: return []
        }
        guard !values.isEmpty else { return [] }
        let fields = AuthenticateField.parse(values).enumerated().sorted { left, right in
            let (first, second) = (strength(left.element), strength(right.element))
            return first == second ? left.offset < right.offset : first > second
        }
        return fields.prefix(most).map { _, field in
            AuthenticationChallenge(
                space: space, host: host ?? "", port: port, method: method(field),
                realm: field.parameters["realm"], parameters: field.parameters, request: request, head: head,
                certificates: tls?.chain ?? [])
        }
    }

    private static func method(_ field: AuthenticateField) -> Method {
        switch field.scheme {
        case "basic": .basic
        case "bearer": .bearer
        // A scheme that the layer can't answer itself; a handler may know it.
        case "digest": DigestChallenge(field.parameters) == nil ? .other("digest") : .digest
        default: .other(field.scheme)
        }
    }

    /// Basic shows the password to everybody who listens; MD5 is broken, the others aren't (RFC 7616, section 5). Of equals the
    /// one goes first that the server names first.
    private static func strength(_ field: AuthenticateField) -> Int {
        switch method(field) {
        case .basic: 0
        case .other, .clientCertificate: 1
        case .bearer: 2
        case .digest: DigestChallenge(field.parameters)?.algorithm == .md5 ? 3 : 4
        }
    }

    // MARK: What is answered once

    /// What is answered at most once.
    struct Realm: Hashable {
        var space: Space
        var host: String
        var port: Int
        var name: String?
        var isForCertificate: Bool
        /// A nonce that has expired doesn't mean that the credentials were refused (RFC 7616, section 3.3).
        var isStale: Bool

        /// Whether they differ in their names at most.
        func isBeside(_ other: Realm) -> Bool {
            var renamed = self
            renamed.name = other.name
            return renamed == other
        }
    }

    var answeredOnce: Realm {
        Realm(
            space: space, host: host, port: port, name: realm, isForCertificate: method == .clientCertificate,
            isStale: method == .digest && parameters["stale"]?.lowercased() == "true")
    }
}
