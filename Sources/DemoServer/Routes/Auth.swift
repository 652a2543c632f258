import Base

extension RouteTable {
    /// What the routes below accept unless the query says otherwise.
    private static let standardUser = "ada"
    private static let standardPassword = "lovelace"
    private static let standardToken = "turnstone-demo-token"

    static let auth: [Route] = [
        Route(
            methods: [], "/auth/basic", "Basic",
            "Wants user ada with password lovelace, or those of the query (RFC 7617).", try: "/auth/basic?user=u&password=p"
        ) { request in
            let (user, password) = account(request)
            let given = credentials("basic", request).flatMap { Data(base64Encoded: $0) }
            guard let given, given == Data("\(user):\(password)".utf8) else {
                return challenge(
                    [#"Basic realm="turnstone demo", charset="UTF-8""#], "Send user \(user) and its password with basic.")
            }
            return welcome(user, "basic")
        },
        Route(
            methods: [], "/auth/bearer", "Bearer", "Wants the token turnstone-demo-token, or that of the query (RFC 6750).",
            try: "/auth/bearer?token=t"
        ) { request in
            let token = request.query["token"] ?? standardToken
            guard let given = credentials("bearer", request) else {
                return challenge([#"Bearer realm="turnstone demo""#], "Send a bearer token. POST /auth/token gives one.")
            }
            guard given == token else {
                let text = #"Bearer realm="turnstone demo", error="invalid_token", error_description="not the token of this route""#
                return challenge([text], "That is another token.")
            }
            return welcome("bearer of the token", "bearer")
        },
        Route(
            methods: [], "/auth/digest", "Digest",
            "Wants user ada with password lovelace, or those of the query, as a digest (RFC 7616). algorithm: SHA-256 or MD5; both are offered if it doesn't say.",
            try: "/auth/digest?algorithm=MD5"
        ) { request in
            try digestReply(request)
        },
        Route(
            methods: ["POST"], "/auth/token", "A token for a password",
            "Takes user and password, ada and lovelace, as a form or as JSON, and answers with an access_token for /auth/bearer."
        ) { request in
            let body = String(decoding: try await request.body.collect(limit: 10_000), as: UTF8.self)
            let isForm = request.head["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true
            let given = isForm ? formAccount(body) : try? JSONDecoder().decode(Account.self, from: Data(body.utf8))
            guard let given, given == Account(user: standardUser, password: standardPassword) else {
                return .problem(403, "The user is \(standardUser), the password \(standardPassword).")
            }
            let fields = [Field("Cache-Control", "no-store")]
            return .json(["access_token": .string(standardToken), "token_type": "Bearer", "expires_in": 3600], fields: fields)
        },
    ]

    private struct Account: Decodable, Equatable {
        var user: String
        var password: String
    }

    private static func formAccount(_ body: String) -> Account? {
        let items = QueryItems(parsing: body)
        guard let user = items["user"], let password = items["password"] else { return nil }
        return Account(user: user, password: password)
    }

    private static func account(_ request: DemoRequest) -> (user: String, password: String) {
        (request.query["user"] ?? standardUser, request.query["password"] ?? standardPassword)
    }

    /// What follows the scheme in `Authorization`.
    private static func credentials(_ scheme: String, _ request: DemoRequest) -> String? {
        guard let parts = request.head["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            String(parts[0]).equalsIgnoringCase(scheme)
        else { return nil }
        return String(parts[1]).trimmed
    }

    private static func welcome(_ user: String, _ scheme: String) -> Reply {
        .json(["authenticated": true, "user": .string(user), "scheme": .string(scheme)])
    }

    private static func challenge(_ challenges: [String], _ message: String) -> Reply {
        .problem(401, message, fields: challenges.map { Field("WWW-Authenticate", $0) })
    }

    private static func digestReply(_ request: DemoRequest) throws -> Reply {
        let (user, password) = account(request)
        var algorithms = DigestAuthentication.Algorithm.allCases
        if request.query["algorithm"] != nil {
            let name = try request.choice("algorithm", of: algorithms.map(\.rawValue))
            algorithms = algorithms.filter { $0.rawValue == name }
        }
        let verdict = credentials("digest", request).map { given in
            DigestAuthentication(parsing: given).verify(
                method: request.head.method, target: request.head.target, user: user, password: password, algorithms: algorithms,
                memory: request.memory)
        }
        switch verdict {
        case .right: return welcome(user, "digest")
        case .wrong(let why): return challenge(offers(algorithms, request, isStale: false), why)
        case .stale: return challenge(offers(algorithms, request, isStale: true), "That nonce is not in use any more.")
        case nil: return challenge(offers(algorithms, request, isStale: false), "Send user \(user) and its password as a digest.")
        }
    }

    private static func offers(_ algorithms: [DigestAuthentication.Algorithm], _ request: DemoRequest, isStale: Bool) -> [String] {
        algorithms.map { algorithm in
            "Digest realm=\"\(DigestAuthentication.realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), "
                + "nonce=\"\(request.memory.makeNonce())\", opaque=\"turnstone\"" + (isStale ? ", stale=true" : "")
        }
    }
}
