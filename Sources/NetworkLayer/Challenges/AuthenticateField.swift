import Base
import HTTPTypes

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.6.1).
struct AuthenticateField: Hashable {
    /// In lower case.
    var scheme: String
    /// What stands in place of parameters, with some schemes.
    var token68: String?
    /// Names in lower case, values without their quotes. Of a name that comes twice, which is forbidden, the first counts.
    var parameters: [String: String] = [:]

    /// All challenges of the values of such fields, in order. What isn't a challenge is passed over, to the next comma.
    static func parse(_ values: [String]) -> [AuthenticateField] {
        var fields: [AuthenticateField] = []
        for value in values {
            var parser = Parser(Array(value.utf8))
            fields += parser.challenges()
        }
        return fields
    }

    /// The comma both parts challenges and parameters of one, so only what follows a word says what the word is: `=` makes it the
    /// name of a parameter, anything else the scheme of another challenge. Behind a scheme a word with nothing but `=` and a
    /// comma after it is a token68.
    private struct Parser {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func challenges() -> [AuthenticateField] {
            var challenges: [AuthenticateField] = []
            while true {
                skip { $0 == Self.comma || Self.isSpace($0) }
                guard position < bytes.count else { return challenges }
                let start = position
                if !challenges.isEmpty, let (name, value) = parameter() {
                    let last = challenges.count - 1
                    if challenges[last].parameters[name] == nil, challenges[last].token68 == nil {
                        challenges[last].parameters[name] = value
                    }
                    continue
                }
                position = start
                guard let scheme = token() else {
                    skip { $0 != Self.comma }
                    continue
                }
                var challenge = AuthenticateField(scheme: scheme.lowercased())
                if skip(while: Self.isSpace) > 0 { challenge.token68 = token68() }
                if challenge.token68 == nil, position < bytes.count, bytes[position] != Self.comma {
                    let start = position
                    if let (name, value) = parameter() { challenge.parameters[name] = value } else { position = start }
                }
                challenges.append(challenge)
            }
        }

        /// `name = value`, with spaces around the equals sign, as the grammar's BWS allows.
        private mutating func parameter() -> (String, String)? {
            guard let name = token() else { return nil }
            skip(while: Self.isSpace)
            guard position < bytes.count, bytes[position] == Self.equals else { return nil }
            position += 1
            skip(while: Self.isSpace)
            guard position < bytes.count else { return (name.lowercased(), "") }
            return (name.lowercased(), bytes[position] == Self.quote ? quotedString() : token() ?? "")
        }

        /// RFC 9110, section 5.6.4. One that nobody closes ends with the field.
        private mutating func quotedString() -> String {
            position += 1
            var text: [UInt8] = []
            while position < bytes.count, bytes[position] != Self.quote {
                if bytes[position] == Self.backslash, position + 1 < bytes.count { position += 1 }
                text.append(bytes[position])
                position += 1
            }
            position += 1
            return String(decoding: text, as: UTF8.self)
        }

        /// Consumes a token68 only where the challenge ends behind it, and nothing otherwise.
        private mutating func token68() -> String? {
            let start = position
            guard skip(while: Self.isToken68) > 0 else { return nil }
            skip { $0 == Self.equals }
            let end = position
            skip(while: Self.isSpace)
            guard position == bytes.count || bytes[position] == Self.comma else {
                position = start
                return nil
            }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        private mutating func token() -> String? {
            let start = position
            guard skip(while: Self.isTokenCharacter) > 0 else { return nil }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        @discardableResult
        private mutating func skip(while isTaken: (UInt8) -> Bool) -> Int {
            let start = position
            while position < bytes.count, isTaken(bytes[position]) { position += 1 }
            return position - start
        }

        private static let comma = UInt8(ascii: ",")
        private static let equals = UInt8(ascii: "=")
        private static let quote = UInt8(ascii: "\"")
        private static let backslash = UInt8(ascii: "\\")

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: false
            }
        }

        /// RFC 9110, section 5.6.2.
        private static func isTokenCharacter(_ byte: UInt8) -> Bool {
            isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }

        private static func isToken68(_ byte: UInt8) -> Bool {
            isAlphanumeric(byte) || "-._~+/".utf8.contains(byte)
        }
    }
}

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
