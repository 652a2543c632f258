import NetworkLayer

/// A key of the collection format.
///
/// One table, ``FormatTable``, feeds the checks of the reader, their sentences, and what is generated from the format.
struct FormatKey: Sendable {
    let name: String
    let takes: FormatShape
    /// What it does, for people who write collections.
    let doc: String

    init(_ name: String, _ takes: FormatShape, _ doc: String) {
        self.name = name
        self.takes = takes
        self.doc = doc
    }
}

/// What may stand behind a key.
indirect enum FormatShape: Sendable {
    /// Any scalar but `null`, with templates.
    case text
    /// The same for people only: braces mean nothing in it.
    case prose
    case integer
    case boolean
    /// `200ms 3s 1m 1h`, or `never`; at least 100 ms, because the network layer takes less for never (CFG-1).
    case timeout
    case duration
    /// A duration, or `100ms..2s`.
    case durationRange
    /// A number that may have a point.
    case number
    /// A whole number in a range.
    case count(ClosedRange<Int>)
    /// What a request is tried again after: `503`, `5xx`, `timeout`.
    case retryTrigger
    /// What a value of the response must be.
    case matcher(MatcherKind)
    /// A matcher for the body's text, or a map of filters with a matcher each.
    case bodyMatcher
    /// Bytes, with `KB MB GB KiB MiB GiB` or without.
    case byteCount
    case oneOf([String])
    /// A map of named values; `null` removes, a list repeats, `{ value:, enabled: }` can be off.
    case rows
    /// A map of the parts of a multipart body.
    case parts
    case list(FormatShape)
    case named(FormatShape)
    case keys(FormatTable)
    case either([FormatShape])
    /// Folders and requests by name.
    case nodes
    case anything
}

/// The keys of one kind of map.
final class FormatTable: Sendable {
    /// As in "key of a request".
    let subject: String
    let keys: [FormatKey]
    private let byName: [String: FormatKey]

    init(_ subject: String, _ keys: [FormatKey]) {
        self.subject = subject
        self.keys = keys
        byName = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(_ name: String) -> FormatKey? { byName[name] }

    /// Whether a value is a map without an unknown key.
    func knowsAllKeys(of node: YAMLNode) -> Bool {
        node.pairs?.allSatisfy { $0.key.text.flatMap { byName[$0] } != nil } ?? false
    }
}

extension FormatTable {
    /// The methods that are keys of a request, in the order of the format's page.
    static let methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace", "query"]

    static let collection = FormatTable(
        "a collection",
        [
            FormatKey("turnstone", .integer, "The version of the format: 1."),
            FormatKey("name", .prose, "What the tree shows."),
            FormatKey("description", .prose, "Shown beside it."),
            FormatKey("variables", variables, "Values for templates, by name."),
            FormatKey("environments", .named(.either([environment, .oneOf(["null"])])), "Named variables over the collection's."),
            FormatKey("defaults", .keys(defaults), "Merged into everything below; nearer wins, null removes."),
            FormatKey("requests", .nodes, "Requests and folders, by name, in the order in which they are shown."),
        ])

    /// `_collection.yaml`: the requests are in files of their own.
    static let collectionFile = FormatTable("_collection.yaml", collection.keys.filter { $0.name != "requests" })

    static let folder = FormatTable(
        "a folder",
        [
            FormatKey("name", .prose, "What the tree shows instead of the key."),
            FormatKey("description", .prose, "Shown beside it."),
            FormatKey("defaults", .keys(defaults), "Merged into everything below; nearer wins, null removes."),
            FormatKey("requests", .nodes, "Requests and folders, by name, in the order in which they are shown."),
        ])

    /// `_folder.yaml`: the requests are in files of their own.
    static let folderFile = FormatTable("_folder.yaml", folder.keys.filter { $0.name != "requests" })

    static let request = FormatTable(
        "a request",
        methods.filter { $0 != "query" }
            .map { FormatKey($0, .text, "The URL of a \($0.uppercased()) request; `:name` in its path takes `path.name`.") }
            + [
                FormatKey("method", .text, "Any other method, with `url`."),
                FormatKey("url", .text, "The URL, with `method`."),
                FormatKey("name", .prose, "What the tree shows instead of the key."),
                FormatKey("description", .prose, "Shown and searched."),
                FormatKey("tags", .list(.prose), "Shown and searched."),
                FormatKey("path", .rows, "Values for `:name` in the URL."),
                FormatKey("query", .either([.rows, .text]), "Parameters, added to the URL's; or the URL of a QUERY request."),
                FormatKey("headers", .rows, "Header fields."),
                FormatKey("cookies", .rows, "Sent as one `cookie` field."),
                FormatKey("auth", auth, "How the request shows who sends it."),
                FormatKey(
                    "body", .either([.oneOf(["none"]), .keys(body)]), "What is sent; sets the content type unless a header does."),
            ] + settings
            + [
                FormatKey(
                    "needs", .either([.text, .list(.text), .named(.either([.keys(need), .oneOf(["null"])]))]), "Run these first."),
                FormatKey(
                    "hydrate", .either([.text, .list(.text)]), "A command that completes the request just before it is sent."),
                FormatKey("capture", .named(.either([.text, .keys(capture)])), "Variables from the response."),
                FormatKey("expect", .keys(expect), "What the response must be."),
                FormatKey("mock", .keys(mock), "An answer without the network, when mocks are on."),
            ])

    static let defaults = FormatTable(
        "defaults",
        [
            FormatKey("query", .rows, "Parameters of every request below."),
            FormatKey("headers", .rows, "Header fields of every request below."),
            FormatKey("cookies", .rows, "Cookies of every request below."),
            FormatKey("auth", auth, "How every request below shows who sends it."),
        ] + settings)

    /// How a request is sent: the same keys in a request and in defaults.
    static let settings: [FormatKey] = [
        FormatKey("timeouts", .keys(timeouts), "When to give up."),
        FormatKey("retry", .either([.oneOf(["none"]), .keys(retry)]), "Whether to try again."),
        FormatKey("redirects", .keys(redirects), "Whether redirects are followed."),
        FormatKey("tls", .keys(tls), "How the server is trusted, and how we show who we are."),
        FormatKey("http", .oneOf(["1.1", "2", "auto", "2-prior-knowledge"]), "The HTTP version to ask for."),
        FormatKey("compression", .boolean, "Whether to ask for a compressed response."),
        FormatKey("proxy", .text, "The URL of a proxy; `\"\"` for none, whatever the environment says."),
        FormatKey("resolve", .list(.text), "`host:port:address`, instead of asking DNS."),
        FormatKey("unix-socket", .text, "The path of a socket to connect to instead of the URL's host."),
        FormatKey("expect-continue", .boolean, "Whether to wait for `100 Continue` before the body."),
        FormatKey("cookie-jar", .text, "The name of a jar: its cookies are sent, and those of the answer kept; `\"\"` for none."),
        FormatKey("response", .keys(response), "What becomes of the response's body."),
        FormatKey("priority", .oneOf(PriorityText.names), "How urgent it is."),
    ]

    static let timeouts = FormatTable(
        "timeouts",
        [
            FormatKey("connect", .timeout, "Until there is a connection, name look-up and TLS included."),
            FormatKey("idle", .timeout, "Between two bytes."),
            FormatKey("attempt", .timeout, "For one attempt with all of its redirects."),
            FormatKey("operation", .timeout, "From enqueue to the end, retries included."),
        ])

    static let redirects = FormatTable(
        "redirects",
        [
            FormatKey("follow", .oneOf(["always", "never", "same-host"]), "Which redirects are followed."),
            FormatKey("max", .integer, "The most hops."),
            FormatKey("keep-auth", .oneOf(["same-origin", "same-host", "always"]), "Where credentials go along."),
        ])

    static let tls = FormatTable(
        "tls",
        [
            FormatKey("verify", .boolean, "Checks the chain and the host name."),
            FormatKey("ca", .text, "A PEM file or a directory of certificates to trust instead of the system's."),
            FormatKey("certificate", .text, "A PEM file with our certificate."),
            FormatKey("key", .text, "A PEM file with its key."),
            FormatKey(
                "pins", .list(.text),
                "What the server's own certificate must be, one of these: `sha256//BASE64` of its public key, or a certificate's file."
            ),
            FormatKey("min-version", .oneOf(["1.0", "1.1", "1.2", "1.3"]), "The oldest version of TLS to accept."),
        ])

    static let response = FormatTable(
        "response",
        [
            FormatKey("keep", .oneOf(["memory", "file", "none"]), "Where the body goes."),
            FormatKey("limit", .byteCount, "The most bytes of the decoded body."),
            FormatKey("hash", .oneOf(HashAlgorithm.allCases.map(\.rawValue)), "A checksum of the body."),
        ])

    static let retry = FormatTable(
        "retry",
        [
            FormatKey("attempts", .count(1...100), "The most attempts, the first included."),
            FormatKey(
                "on", .either([.retryTrigger, .list(.retryTrigger)]),
                "Status codes, classes (`5xx`) and kinds of failure (`connection`, `timeout` …)."),
            FormatKey("backoff", .keys(backoff), "How long to wait before each retry."),
            FormatKey("retry-after", .oneOf(["honour", "ignore"]), "Whether the server's `Retry-After` decides."),
        ])

    static let backoff = FormatTable(
        "backoff",
        [
            FormatKey("first", .duration, "Before the first retry."),
            FormatKey("factor", .number, "By how much each wait grows."),
            FormatKey("max", .duration, "The longest wait."),
            FormatKey("jitter", .oneOf(["full", "equal", "none"]), "How much of it is random."),
        ])

    static let body = FormatTable(
        "body",
        [
            FormatKey("text", .text, "The text; `text/plain`."),
            FormatKey("json", .anything, "Any value, or a text in JSON; `application/json`."),
            FormatKey("form", .rows, "Fields; `application/x-www-form-urlencoded`."),
            FormatKey("multipart", .parts, "Parts; `multipart/form-data`."),
            FormatKey("file", .text, "A path, relative to this file; the type goes by its ending."),
            FormatKey("graphql", .either([.text, .keys(graphql)]), "A query."),
        ])

    static let graphql = FormatTable(
        "graphql",
        [
            FormatKey("query", .text, "The query."),
            FormatKey("file", .text, "A file with the query."),
            FormatKey("operation", .text, "Which operation of the query."),
            FormatKey("variables", .named(.anything), "Its variables."),
        ])

    static let row = FormatTable(
        "a row",
        [
            FormatKey("value", .either([.text, .oneOf(["null"])]), "The value."),
            FormatKey("enabled", .boolean, "Whether it is sent."),
        ])

    static let part = FormatTable(
        "a part",
        [
            FormatKey("value", .text, "The content."),
            FormatKey("file", .text, "A file with the content, relative to this file."),
            FormatKey("filename", .text, "The name that is sent; that of the file unless it is given."),
            FormatKey("type", .text, "The content type."),
            FormatKey("enabled", .boolean, "Whether it is sent."),
        ])

    static let auths = FormatTable(
        "auth",
        [
            FormatKey("basic", .keys(credentials), "Name and password."),
            FormatKey("bearer", .text, "A token."),
            FormatKey("digest", .keys(credentials), "Name and password, not sent in the clear."),
            FormatKey("ntlm", .keys(credentials), "Windows domains; the user may be `DOMAIN\\user`."),
            FormatKey("api-key", .keys(apiKey), "A key in a header, parameter or cookie."),
            FormatKey("aws-sigv4", .keys(awsSigV4), "Amazon's signatures."),
            FormatKey("oauth2", .keys(oauth2), "OAuth 2."),
            FormatKey("netrc", .text, "Name and password from a netrc file, relative to this file."),
        ])

    static let apiKey = FormatTable(
        "api-key",
        [
            FormatKey("name", .text, "The header's, parameter's or cookie's name."),
            FormatKey("value", .text, "The key."),
            FormatKey("in", .oneOf(APIKeyDefinition.Place.allCases.map(\.rawValue)), "Where it stands; `header` unless given."),
        ])

    static let awsSigV4 = FormatTable(
        "aws-sigv4",
        [
            FormatKey("access-key", .text, "The access key's id."),
            FormatKey("secret-key", .text, "The secret access key."),
            FormatKey("session-token", .text, "The token of temporary credentials."),
            FormatKey("region", .text, "Such as `eu-central-1`; from the host's name unless given."),
            FormatKey("service", .text, "Such as `s3`; from the host's name unless given."),
        ])

    static let oauth2 = FormatTable(
        "oauth2",
        [
            FormatKey("grant", .oneOf(OAuth2Definition.Grant.names), "How a token is got; `client-credentials` unless given."),
            FormatKey("token-url", .text, "Where tokens come from."),
            FormatKey("authorization-url", .text, "Where a person agrees, with `authorization-code`."),
            FormatKey("device-url", .text, "Where a device's code comes from, with `device-code`."),
            FormatKey("client-id", .text, "The client's name."),
            FormatKey("client-secret", .text, "Its secret."),
            FormatKey(
                "client-auth", .oneOf(OAuth2Definition.ClientAuthentication.allCases.map(\.rawValue)),
                "Where name and secret go; `header` unless given."),
            FormatKey("user", .text, "With the grant `password`."),
            FormatKey("password", .text, "With the grant `password`."),
            FormatKey("refresh-token", .text, "With the grant `refresh-token`."),
            FormatKey("redirect", .text, "The address the client is registered with, on 127.0.0.1 or localhost."),
            FormatKey("scope", .either([.text, .list(.text)]), "What the token is for."),
            FormatKey("audience", .text, "Whom the token is for."),
        ])

    static let credentials = FormatTable(
        "credentials", [FormatKey("user", .text, "The name."), FormatKey("password", .text, "The password.")])

    static let auth = FormatShape.either([.oneOf(["none", "inherit", "negotiate", "netrc"]), .keys(auths)])

    static let secret = FormatTable("a secret", [FormatKey("secret", .keys(secretSource), "Where the value comes from.")])

    static let secretSource = FormatTable(
        "secret",
        [
            FormatKey("env", .text, "An environment variable."),
            FormatKey("command", .list(.text), "A command that prints it, and its arguments."),
            FormatKey("file", .text, "A file that holds it."),
            FormatKey("prompt", .text, "What to ask a person; asked once a session."),
        ])

    static let variables = FormatShape.named(.anything)
    /// `extends` is the one name in an environment that isn't a variable.
    static let environment = FormatShape.named(.anything)

    static let need = FormatTable("needs", [FormatKey("max-age", .duration, "How old its captures may be.")])

    static let capture = FormatTable(
        "a capture",
        [
            FormatKey("from", .text, "A path into the body, `header:NAME`, `cookie:NAME`, `status`, `url` or `body`."),
            FormatKey("secret", .boolean, "Whether the value is masked wherever it could be shown."),
            FormatKey("default", .anything, "The value when the response has none."),
        ])

    static let expect = FormatTable(
        "expect",
        [
            FormatKey("status", .matcher(.status), "Codes (`201`) or classes (`2xx`)."),
            FormatKey("header", .named(.matcher(.text)), "Header fields by name; one of several is enough."),
            FormatKey("cookie", .named(.matcher(.text)), "What `set-cookie` sets, by name."),
            FormatKey("body", .bodyMatcher, "The text, or by filter in jq's language, each of its values."),
            FormatKey("size", .matcher(.bytes), "Bytes of the decoded body."),
            FormatKey("time", .keys(times), "How long it took, by phase of the last attempt, and in all."),
            FormatKey("attempts", .matcher(.number), "How many, redirects and retries included."),
            FormatKey("redirects", .matcher(.number), "How many."),
            FormatKey("retries", .matcher(.number), "How many."),
            FormatKey("tls", .keys(tlsFacts), "The certificate and the connection."),
            FormatKey("http", .matcher(.text), "The version: `HTTP/1.1`, `HTTP/2`."),
            FormatKey("url", .matcher(.text), "Where the redirects led."),
            FormatKey(
                "error", .matcher(.text),
                "The failure that is wanted: \(FailureKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."),
        ])

    static let times = FormatTable(
        "time",
        (Phases.Name.allCases.map(\.rawValue) + ["total"]).map {
            FormatKey($0, .matcher(.duration), $0 == "total" ? "From enqueue to the end." : "The phase `\($0)`.")
        })

    static let tlsFacts = FormatTable(
        "tls",
        [
            FormatKey("valid-for", .matcher(.duration), "How long the server's certificate is still valid."),
            FormatKey("version", .matcher(.text), "Such as `TLSv1.3`."),
            FormatKey("subject", .matcher(.text), "The server's certificate's."),
            FormatKey("issuer", .matcher(.text), "The server's certificate's."),
            FormatKey("verified", .matcher(.text), "`true` when the chain was checked and accepted."),
        ])

    static let matcher = FormatTable(
        "an expectation",
        [
            FormatKey("equals", .anything, "The value itself, also when it looks like something else."),
            FormatKey("not", .matcher(.json), "The opposite."),
            FormatKey("one-of", .list(.anything), "One of these values."),
            FormatKey("all", .list(.matcher(.json)), "All of these hold."),
            FormatKey("each", .matcher(.json), "Holds for each item of a list."),
            FormatKey("matches", .text, "A regular expression that finds something in it."),
            FormatKey("contains", .anything, "A part of the text, an item of the list, members of the map."),
            FormatKey("starts-with", .text, "How the text begins."),
            FormatKey("ends-with", .text, "How the text ends."),
            FormatKey("type", .oneOf(Matcher.ValueType.allCases.map(\.rawValue)), "The type of JSON."),
            FormatKey("length", .matcher(.number), "The length of a text, list or map."),
            FormatKey("exists", .boolean, "Whether it is there at all."),
        ])

    static let mock = FormatTable(
        "mock",
        [
            FormatKey("status", .count(200...599), "The status; 200 unless given."),
            FormatKey("headers", .rows, "Header fields."),
            FormatKey("body", .anything, "The body: a text, or any other value as JSON."),
            FormatKey("file", .text, "A file with the body, relative to this file."),
            FormatKey("delay", .durationRange, "Before anything; `100ms..2s` for a wait by chance."),
            FormatKey("latency", .duration, "Before the head, and the least time between two pieces of the body."),
            FormatKey("rate", .byteCount, "Bytes a second."),
            FormatKey("error", .oneOf(MockDefinition.errors.map(\.rawValue)), "A failure instead of an answer."),
        ])
}
