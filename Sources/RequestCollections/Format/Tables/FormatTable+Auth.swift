/// How a request shows who sends it.
extension FormatTable {
    static let auth = FormatShape.either([.oneOf(AuthKind.all.filter(\.isWord).map(\.name)), .keys(auths)])

    static let auths: FormatTable = {
        let kinds = AuthKind.all.filter { !$0.fields.isEmpty }
        return FormatTable("auth", kinds.map { FormatKey($0.name, $0.shape, $0.help) }, .exactlyOne(of: kinds.map(\.name)))
    }()
}

extension AuthDefinition {
    package var kind: AuthKind {
        switch self {
        case .none: .none
        case .inherit: .inherit
        case .basic: .basic
        case .bearer: .bearer
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        case .apiKey: .apiKey
        case .awsSigV4: .awsSigV4
        case .oauth2: .oauth2
        case .netrc: .netrc
        }
    }
}

extension AuthKind {
    /// In the order in which they are offered.
    package static let all = [inherit, none, basic, bearer, digest, apiKey, oauth2, awsSigV4, ntlm, negotiate, netrc]

    package static let inherit = AuthKind(word: "inherit", .inherit)
    package static let none = AuthKind(word: "none", .none)
    package static let negotiate = AuthKind(word: "negotiate", .negotiate, "Kerberos, with the tickets that this machine has")

    package static let basic = credentials(
        "basic", { .basic(user: $0.user, password: $0.password) },
        { if case .basic(let user, let password) = $0 { Credentials(user: user, password: password) } else { nil } },
        "Name and password.")

    package static let digest = credentials(
        "digest", { .digest(user: $0.user, password: $0.password) },
        { if case .digest(let user, let password) = $0 { Credentials(user: user, password: password) } else { nil } },
        "Name and password, not sent in the clear.")

    package static let ntlm = credentials(
        "ntlm", { .ntlm(user: $0.user, password: $0.password) },
        { if case .ntlm(let user, let password) = $0 { Credentials(user: user, password: password) } else { nil } },
        "Windows domains; the user may be `DOMAIN\\user`.")

    private struct Credentials {
        var user = ""
        var password = ""
    }

    private static func credentials(
        _ name: String, _ embed: @escaping @Sendable (Credentials) -> AuthDefinition,
        _ value: @escaping @Sendable (AuthDefinition) -> Credentials?, _ help: String
    ) -> AuthKind {
        AuthKind(
            name, Credentials(), embed, value,
            [.text("user", \.user, "The name."), .text("password", \.password, isSecret: true, "The password.")],
            shown: { $0.user },
            help)
    }

    package static let bearer = AuthKind(
        "bearer", takesMap: false, "", AuthDefinition.bearer, { if case .bearer(let token) = $0 { token } else { nil } },
        [.text("token", \.self, isSecret: true, "The token.")], "A token.")

    package static let netrc = AuthKind(
        "netrc", takesMap: false, isWord: true, String?.none, AuthDefinition.netrc,
        { if case .netrc(let path) = $0 { path } else { nil } },
        [.optional("path", \.self, isPath: true, "The file.")], shown: { $0 },
        "Name and password from a netrc file, relative to this file.")

    package static let apiKey = AuthKind(
        "api-key", APIKeyDefinition(name: "X-Api-Key", value: ""), AuthDefinition.apiKey,
        { if case .apiKey(let key) = $0 { key } else { nil } },
        [
            .text("name", \.name, label: "key name", isRequired: true, "The header's, parameter's or cookie's name."),
            .text("value", \.value, label: "API key", isSecret: true, isRequired: true, "The key."),
            .choice("in", \.place, "Where it stands; `header` unless given."),
        ], shown: { "\($0.place.rawValue) \($0.name)" }, "A key in a header, parameter or cookie.")

    package static let awsSigV4 = AuthKind(
        "aws-sigv4", AWSSigV4Definition(accessKey: "", secretKey: ""), AuthDefinition.awsSigV4,
        { if case .awsSigV4(let keys) = $0 { keys } else { nil } },
        [
            .text("access-key", \.accessKey, isRequired: true, "The access key's id."),
            .text("secret-key", \.secretKey, isSecret: true, isRequired: true, "The secret access key."),
            .optional("session-token", \.sessionToken, isSecret: true, "The token of temporary credentials."),
            .optional("region", \.region, "Such as `eu-central-1`; from the host's name unless given."),
            .optional("service", \.service, "Such as `s3`; from the host's name unless given."),
            .duration(
                "expires", \.expires,
                "Signs in the URL's query (a presigned URL) instead of headers, for so long, at most `7d`."),
            .optional(
                "provider", \.provider, "Whose signatures, as curl's `--aws-sigv4` names them; `aws:amz` unless given."),
        ], shown: { $0.accessKey }, "Amazon's signatures.")

    package static let oauth2 = AuthKind(
        "oauth2", OAuth2Definition(grant: .clientCredentials, tokenURL: "", clientID: ""), AuthDefinition.oauth2,
        { if case .oauth2(let oauth2) = $0 { oauth2 } else { nil } },
        [
            .choice("grant", \.grantName, "How a token is got; `client-credentials` unless given."),
            .optional(
                "authorization-url", \.authorizationURL, if: { $0.grantName == .authorizationCode },
                "Where a person agrees, with `authorization-code`."),
            .optional(
                "device-url", \.deviceURL, if: { $0.grantName == .deviceCode },
                "Where a device's code comes from, with `device-code`."
            ),
            .text("token-url", \.tokenURL, label: "token URL", isRequired: true, "Where tokens come from."),
            .text("client-id", \.clientID, isRequired: true, "The client's name."),
            .optional("client-secret", \.clientSecret, isSecret: true, "Its secret."),
            .choice("client-auth", \.clientAuthentication, "Where name and secret go; `header` unless given."),
            .optional("user", \.user, if: { $0.grantName == .password }, "With the grant `password`."),
            .optional("password", \.password, isSecret: true, if: { $0.grantName == .password }, "With the grant `password`."),
            .optional(
                "redirect", \.redirect, if: { $0.grantName == .authorizationCode },
                "The address the client is registered with, on 127.0.0.1 or localhost."),
            .optional(
                "refresh-token", \.refreshToken, isSecret: true, if: { $0.grantName == .refreshToken },
                "With the grant `refresh-token`."),
            scope,
            .optional("audience", \.audience, "Whom the token is for."),
        ],
        rules: [
            .requiredBy(
                "grant",
                [
                    nil: ["client-secret"], "client-credentials": ["client-secret"], "password": ["user", "password"],
                    "authorization-code": ["authorization-url"], "device-code": ["device-url"], "refresh-token": ["refresh-token"],
                ])
        ], shown: { "\($0.grant.name) of \($0.tokenURL)" }, "OAuth 2.")

    private static let scope: AuthFieldRow<OAuth2Definition> = {
        var row = AuthFieldRow<OAuth2Definition>.optional(
            "scope", \.scope, shape: .either([.text, .list(.text)]), "What the token is for.")
        row.read = { $0.items?.compactMap(\.text).joined(separator: " ") ?? $0.text ?? "" }
        return row
    }()
}

// What a grant alone has; another one hasn't it, and doesn't take it.

extension OAuth2Definition {
    fileprivate var grantName: Grant.Name {
        get { grant.kind }
        set {
            guard newValue != grantName else { return }
            switch newValue {
            case .clientCredentials: grant = .clientCredentials
            case .password: grant = .password(user: "", password: "")
            case .authorizationCode: grant = .authorizationCode(authorizationURL: "", redirect: nil)
            case .deviceCode: grant = .deviceCode(deviceURL: "")
            case .refreshToken: grant = .refreshToken("")
            }
        }
    }

    fileprivate var user: String? {
        get { if case .password(let user, _) = grant { user } else { nil } }
        set { if case .password(_, let password) = grant { grant = .password(user: newValue ?? "", password: password) } }
    }

    fileprivate var password: String? {
        get { if case .password(_, let password) = grant { password } else { nil } }
        set { if case .password(let user, _) = grant { grant = .password(user: user, password: newValue ?? "") } }
    }

    fileprivate var authorizationURL: String? {
        get { if case .authorizationCode(let url, _) = grant { url } else { nil } }
        set {
            if case .authorizationCode(_, let redirect) = grant {
                grant = .authorizationCode(authorizationURL: newValue ?? "", redirect: redirect)
            }
        }
    }

    fileprivate var redirect: String? {
        get { if case .authorizationCode(_, let redirect) = grant { redirect } else { nil } }
        set {
            if case .authorizationCode(let url, _) = grant { grant = .authorizationCode(authorizationURL: url, redirect: newValue) }
        }
    }

    fileprivate var deviceURL: String? {
        get { if case .deviceCode(let url) = grant { url } else { nil } }
        set { if case .deviceCode = grant { grant = .deviceCode(deviceURL: newValue ?? "") } }
    }

    fileprivate var refreshToken: String? {
        get { if case .refreshToken(let token) = grant { token } else { nil } }
        set { if case .refreshToken = grant { grant = .refreshToken(newValue ?? "") } }
    }
}
