/// How a request shows who sends it. All texts may have templates.
package enum AuthDefinition: Hashable, Sendable, Codable {
    case none
    /// The authentication of the nearest folder that sets one.
    case inherit
    case basic(user: String, password: String)
    case bearer(String)
    case digest(user: String, password: String)
    /// The user may have a domain: `DOMAIN\user`.
    case ntlm(user: String, password: String)
    /// Kerberos, with the tickets that the machine has.
    case negotiate
    case apiKey(APIKeyDefinition)
    case awsSigV4(AWSSigV4Definition)
    case oauth2(OAuth2Definition)
    /// Name and password for the URL's host from a netrc file; `nil` for `~/.netrc`.
    case netrc(path: String?)
}

/// A key that stands in a header, a parameter or a cookie.
package struct APIKeyDefinition: Hashable, Sendable, Codable {
    package var name: String
    package var value: String
    package var place: Place

    package init(name: String, value: String, place: Place = .header) {
        self.name = name
        self.value = value
        self.place = place
    }

    package enum Place: String, Hashable, Sendable, Codable, CaseIterable {
        case header, query, cookie
    }
}

/// Amazon's signature, version 4.
package struct AWSSigV4Definition: Hashable, Sendable, Codable {
    package var accessKey: String
    package var secretKey: String
    package var sessionToken: String?
    /// `nil`: from the host's name.
    package var region: String?
    package var service: String?
    /// `aws:amz` unless given; see ``AWSSignature/provider``.
    package var provider: String?
    /// For how long a signature in the URL's query holds; `nil`: it stands in header fields.
    package var expires: Duration?

    package init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String? = nil, service: String? = nil,
        provider: String? = nil, expires: Duration? = nil
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
        self.provider = provider
        self.expires = expires
    }
}

/// OAuth 2: where a token comes from (RFC 6749, RFC 7636, RFC 8628).
package struct OAuth2Definition: Hashable, Sendable, Codable {
    package var grant: Grant
    package var tokenURL: String
    package var clientID: String
    package var clientSecret: String?
    /// How the client shows who it is to the token's URL.
    package var clientAuthentication: ClientAuthentication
    /// Separated by spaces.
    package var scope: String?
    package var audience: String?

    package init(
        grant: Grant, tokenURL: String, clientID: String, clientSecret: String? = nil,
        clientAuthentication: ClientAuthentication = .header, scope: String? = nil, audience: String? = nil
    ) {
        self.grant = grant
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.clientAuthentication = clientAuthentication
        self.scope = scope
        self.audience = audience
    }

    package enum Grant: Hashable, Sendable, Codable {
        case clientCredentials
        case password(user: String, password: String)
        /// With PKCE, and a listener of our own on 127.0.0.1; `redirect` when the client is registered with one address.
        case authorizationCode(authorizationURL: String, redirect: String?)
        case deviceCode(deviceURL: String)
        case refreshToken(String)

        package enum Name: String, Hashable, Sendable, CaseIterable {
            case clientCredentials = "client-credentials"
            case password
            case authorizationCode = "authorization-code"
            case deviceCode = "device-code"
            case refreshToken = "refresh-token"
        }

        package var kind: Name {
            switch self {
            case .clientCredentials: .clientCredentials
            case .password: .password
            case .authorizationCode: .authorizationCode
            case .deviceCode: .deviceCode
            case .refreshToken: .refreshToken
            }
        }

        /// As the file writes it.
        package var name: String { kind.rawValue }
    }

    package enum ClientAuthentication: String, Hashable, Sendable, Codable, CaseIterable {
        /// Basic authentication (RFC 6749, section 2.3.1).
        case header
        case body
    }
}
