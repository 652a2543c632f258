import Base
import HTTPTypes
import NetworkLayer
import RequestCollections

/// The requests that bring a token.
extension OAuth2Definition {
    /// What is sent to the token's URL, without who the client is (RFC 6749, sections 4.1.3, 4.3.2, 4.4.2 and 6; RFC 8628, 3.4).
    enum Exchange: Hashable, Sendable {
        case clientCredentials
        case password(user: String, password: String)
        case code(String, redirect: String, verifier: String)
        case device(String)
        case refresh(String)
    }

    func tokenRequest(_ exchange: Exchange) throws(OAuth2Error) -> Request {
        var parameters: FormParameters
        switch exchange {
        case .clientCredentials:
            parameters = FormParameters([("grant_type", "client_credentials"), ("scope", scope), ("audience", audience)])
        case .password(let user, let password):
            parameters = FormParameters([
                ("grant_type", "password"), ("username", user), ("password", password), ("scope", scope), ("audience", audience),
            ])
        case .code(let code, let redirect, let verifier):
            parameters = FormParameters([
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), ("code_verifier", verifier),
            ])
        case .device(let code):
            parameters = FormParameters([
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code),
            ])
        case .refresh(let token):
            parameters = FormParameters([("grant_type", "refresh_token"), ("refresh_token", token), ("scope", scope)])
        }
        return try request(to: tokenURL, named: "token-url", with: &parameters)
    }

    /// RFC 8628, section 3.1.
    func deviceRequest(to url: String) throws(OAuth2Error) -> Request {
        var parameters = FormParameters([("client_id", clientID), ("scope", scope), ("audience", audience)])
        return try request(to: url, named: "device-url", with: &parameters)
    }

    private func request(
        to text: String, named name: String, with parameters: inout FormParameters
    ) throws(OAuth2Error) -> Request {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        if let clientSecret, !clientSecret.isEmpty {
            switch clientAuthentication {
            case .header:
                // Both are form-encoded first (RFC 6749, section 2.3.1).
                let pair = "\(URLCoding.percentEncoded(clientID)):\(URLCoding.percentEncoded(clientSecret))"
                headers[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
            case .body:
                parameters["client_id"] = clientID
                parameters["client_secret"] = clientSecret
            }
        } else {
            // A public client only says who it is.
            parameters["client_id"] = clientID
        }
        return Request(
            url: try Self.url(text, named: name), method: .post, headers: headers, body: .data(Data(parameters.text.utf8)))
    }

    /// The address that a browser is sent to (RFC 6749, section 4.1.1; RFC 7636, section 4.3). Parameters that it has stay.
    func authorizationURL(_ text: String, redirect: String, state: String, proof: PKCE) throws(OAuth2Error) -> URL {
        let url = try Self.url(text, named: "authorization-url")
        let parameters = FormParameters([
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect), ("scope", scope),
            ("audience", audience), ("state", state), ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
        ])
        let base = url.absoluteString.prefix { $0 != "#" }
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        return try Self.url("\(base)\(separator)\(parameters.text)", named: "authorization-url")
    }

    private static func url(_ text: String, named name: String) throws(OAuth2Error) -> URL {
        guard let url = URL(international: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false
        else { throw OAuth2Error("`\(name)` of oauth2 is no http or https URL: \(text)") }
        return url
    }

    /// What nobody may see.
    var secretTexts: Set<String> {
        var secrets: Set<String> = []
        if let clientSecret { secrets.insert(clientSecret) }
        switch grant {
        case .password(_, let password): secrets.insert(password)
        case .refreshToken(let token): secrets.insert(token)
        case .clientCredentials, .authorizationCode, .deviceCode: break
        }
        return secrets.filter { !$0.isEmpty }
    }
}

/// Parameters in the order in which they are sent, as forms and queries write them (RFC 6749, appendix B).
struct FormParameters: Hashable, Sendable {
    private(set) var pairs: [Pair] = []

    struct Pair: Hashable, Sendable {
        var name: String
        var value: String
    }

    init(_ pairs: [(String, String?)] = []) {
        for (name, value) in pairs { self[name] = value }
    }

    /// Reads `a=1&b=c+d`; the first of a name counts.
    init(parsing text: some StringProtocol) {
        for entry in text.split(separator: "&") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = URLCoding.percentDecoded(parts[0], preservesPluses: false)
            guard !pairs.contains(where: { $0.name == name }) else { continue }
            self[name] = parts.count == 2 ? URLCoding.percentDecoded(parts[1], preservesPluses: false) : ""
        }
    }

    /// What is empty or `nil` isn't sent.
    subscript(name: String) -> String? {
        get { pairs.first { $0.name == name }?.value }
        set {
            pairs.removeAll { $0.name == name }
            if let newValue, !newValue.isEmpty { pairs.append(Pair(name: name, value: newValue)) }
        }
    }

    /// A space is written as `%20`, which every reader of forms takes.
    var text: String {
        pairs.map { "\(URLCoding.percentEncoded($0.name))=\(URLCoding.percentEncoded($0.value))" }.joined(separator: "&")
    }
}
