import Base
import HTTPTypes

/// A server's Digest challenge, and what answers it (RFC 7616).
struct DigestChallenge: Sendable, Hashable {
    var realm: String
    var nonce: String
    var opaque: String?
    var algorithm: Algorithm
    /// Whether one more nonce is used by the same client for all its requests: `MD5-sess`, `SHA-256-sess`.
    var isSession: Bool
    var protection: Protection
    var hashesUserName: Bool
    /// Whether the server names its algorithm; one that doesn't may not know the parameter (RFC 7616, section 3.4: it is repeated).
    var namesAlgorithm: Bool
    /// Whether names and passwords are UTF-8, which only a server that knows RFC 7616 says.
    var isUTF8: Bool

    enum Algorithm: String, CaseIterable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case sha512Truncated256 = "SHA-512-256"
    }

    /// What of a request goes into the answer; the server's `qop`.
    enum Protection: String {
        /// Method and target.
        case authentication = "auth"
        /// The body, too.
        case integrity = "auth-int"
        /// As in RFC 2069, for a server that names none.
        case none = ""
    }

    /// - Parameter parameters: of the challenge, names in lower case.
    /// - Returns: `nil` for what this can't answer: another algorithm, or no nonce.
    init?(_ parameters: [String: String]) {
        guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { return nil }
        var name = parameters["algorithm"]?.uppercased() ?? Algorithm.md5.rawValue
        isSession = name.hasSuffix("-SESS")
        if isSession { name.removeLast(5) }
        guard let algorithm = Algorithm(rawValue: name) else { return nil }
        let offered = parameters["qop"]?.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        if let offered {
            // Where both are offered, the one that any body can be sent with.
            guard let protection = [Protection.authentication, .integrity].first(where: { offered.contains($0.rawValue) }) else {
                return nil
            }
            self.protection = protection
        } else {
            protection = .none
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = parameters["opaque"]
        hashesUserName = parameters["userhash"]?.lowercased() == "true"
        namesAlgorithm = parameters["algorithm"] != nil
        isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
    }

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - target: of the request line: path and query.
    ///   - body: needed for `auth-int` only.
    ///   - clientNonce: anything that nobody can foresee.
    ///   - count: how many requests the nonce has been used for, this one included.
    func answer(
        _ credential: Credential, method: HTTPRequest.Method, target: String, body: Data = Data(), clientNonce: String,
        count: Int = 1
    ) -> String {
        var secret = hash("\(credential.user):\(realm):\(credential.password)")
        if isSession { secret = hash("\(secret):\(nonce):\(clientNonce)") }
        var action = "\(method.rawValue):\(target)"
        if protection == .integrity { action += ":\(hash(body))" }
        let digits = String(count, radix: 16)
        let hexadecimalCount = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let response =
            protection == .none
            ? hash("\(secret):\(nonce):\(hash(action))")
            : hash("\(secret):\(nonce):\(hexadecimalCount):\(clientNonce):\(protection.rawValue):\(hash(action))")

        var fields = [userName(credential.user), "realm=\(Self.quote(realm))", "nonce=\(Self.quote(nonce))"]
        fields += ["uri=\(Self.quote(target))", "response=\"\(response)\""]
        if namesAlgorithm { fields.append("algorithm=\(algorithm.rawValue)\(isSession ? "-sess" : "")") }
        if let opaque { fields.append("opaque=\(Self.quote(opaque))") }
        if protection != .none {
            fields += ["qop=\(protection.rawValue)", "nc=\(hexadecimalCount)"]
        }
        if protection != .none || isSession { fields.append("cnonce=\(Self.quote(clientNonce))") }
        if hashesUserName { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// Hashed where the server wants it so (section 3.4.4); by RFC 8187 what a quoted string can't hold. Servers older than that know
    /// only the latter's bytes as they are, as curl sends them.
    private func userName(_ user: String) -> String {
        if hashesUserName { return "username=\"\(hash("\(user):\(realm)"))\"" }
        guard user.utf8.contains(where: { $0 >= 0x80 && isUTF8 || $0 < 0x20 || $0 == 0x7F }) else {
            return "username=\(Self.quote(user))"
        }
        let encoded = user.utf8.reduce(into: "") { text, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                text.append(character)
            } else {
                text += "%" + [byte].hexadecimal.uppercased()
            }
        }
        return "username*=UTF-8''\(encoded)"
    }

    private func hash(_ text: String) -> String { hash(Data(text.utf8)) }

    private func hash(_ data: Data) -> String {
        let function: DigestFunction =
            switch algorithm {
            case .md5: .md5
            case .sha256: .sha256
            case .sha512Truncated256: .sha512Truncated256
            }
        return function.hash(data).hexadecimal
    }

    private static func quote(_ text: String) -> String {
        "\"" + text.escaping("\"", "\\") + "\""
    }
}

/// A challenge that was answered, to answer for the next request to the same place before it asks (section 3.3's `nc`).
struct DigestSession: Sendable, Hashable {
    var challenge: DigestChallenge
    var credential: Credential
    var clientNonce: String
    var space: AuthenticationChallenge.Space
    /// The URL of the server that asked.
    var url: URL
    fileprivate(set) var count = 0

    init(
        _ challenge: DigestChallenge, _ credential: Credential, clientNonce: String, space: AuthenticationChallenge.Space, url: URL
    ) {
        self.challenge = challenge
        self.credential = credential
        self.clientNonce = clientNonce
        self.space = space
        self.url = url
    }

    /// - Returns: whether it could: an answer that covers the body needs the body at hand.
    mutating func authorize(_ request: inout Request) -> Bool {
        let body: Data
        switch request.body {
        case .none: body = Data()
        case .data(let data): body = data
        default:
            guard challenge.protection != .integrity else { return false }
            body = Data()
        }
        count += 1
        request.headers[space.field] = challenge.answer(
            credential, method: request.method, target: request.url.requestTarget, body: body, clientNonce: clientNonce,
            count: count)
        return true
    }
}

extension DigestSession {
    /// Takes the nonce that an answer names for the next request, so that the server needn't ask again (RFC 7616, section 3.5). A key
    /// that was made for the whole session stays.
    mutating func note(_ headers: HTTPFields) {
        guard !challenge.isSession, let value = headers[space.infoField],
            let nonce = AuthenticateField.parse(["Digest \(value)"]).first?.parameters["nextnonce"], nonce != challenge.nonce
        else { return }
        challenge.nonce = nonce
        count = 0
    }
}

extension AuthenticationChallenge.Space {
    /// Where the answer goes.
    var field: HTTPField.Name { self == .server ? .authorization : .proxyAuthorization }
    /// What the server says once its challenge has been answered.
    var infoField: HTTPField.Name {
        HTTPField.Name(self == .server ? "Authentication-Info" : "Proxy-Authentication-Info")!
    }
}

extension URL {
    /// As it stands in the request line (RFC 9112, section 3.2.1), to the byte.
    var requestTarget: String {
        let text = absoluteString
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let rest = Substring(text.unicodeScalars[start...].drop { !"/?#".unicodeScalars.contains($0) }.prefix { $0 != "#" })
        return rest.begins(with: "/") ? String(rest) : "/" + rest
    }
}
