import NetworkLayer

/// How a request is sent.
extension SettingField {
    /// Every setting, in the format's order.
    package static let all = timeouts + retry + redirects + tls + connection + wire + response + queue

    private static let timeouts: [SettingField] = [
        SettingField(
            "timeouts.connect", \.timeouts.connect, .timeout, sets: \.configuration.timeouts.connect.limit,
            "Until there is a connection, name look-up and TLS included."),
        SettingField(
            "timeouts.idle", \.timeouts.idle, .timeout, sets: \.configuration.timeouts.idle.limit,
            "Between two bytes, and before the first of the answer."),
        SettingField(
            "timeouts.attempt", \.timeouts.attempt, .timeout, sets: \.configuration.timeouts.attempt.limit,
            "For one attempt with all of its redirects."),
        SettingField(
            "timeouts.operation", \.timeouts.operation, .timeout, sets: \.configuration.timeouts.operation.limit,
            "From enqueue to the end, retries included; stands still while the queue is paused before it starts."),
    ]

    private static let retry: [SettingField] = [
        SettingField("retry", \.retry.isOn, .noneOrMap, sets: \.retries, "Whether to try again."),
        SettingField(
            "retry.attempts", \.retry.attempts, .count(1...100), sets: \.rules.attempts,
            "The most attempts, the first included."),
        SettingField(
            "retry.on", \.retry.conditions, .retryTriggers, sets: \.retryTriggers,
            "Status codes, classes (`5xx`) and kinds of failure (`connection`, `timeout` …)."),
        SettingField(
            "retry.backoff.first", \.retry.first, .duration, sets: \.rules.backoff.first, label: "first wait",
            "Before the first retry."),
        SettingField(
            "retry.backoff.factor", \.retry.factor, .number(1...100), sets: \.rules.backoff.factor,
            "By how much each wait grows."),
        SettingField(
            "retry.backoff.max", \.retry.longest, .duration, sets: \.rules.backoff.max, label: "max wait", "The longest wait."),
        SettingField(
            "retry.backoff.jitter", \.retry.jitter, .choice, sets: \.rules.backoff.jitter, "How much of it is random."),
        SettingField(
            "retry.retry-after", \.retry.honoursRetryAfter, .choice(["honour": true, "ignore": false]), sets: \.honoursRetryAfter,
            label: "Retry-After", "Whether the server's `Retry-After` decides."),
    ]

    private static let redirects: [SettingField] = [
        SettingField(
            "redirects.follow", \.followRedirects, .choice(["always": .always, "never": .never, "same-host": .sameHost]),
            sets: \.configuration.redirects.policy, "Which redirects are followed."),
        SettingField(
            "redirects.max", \.maxRedirects, .count(0...10_000), sets: \.configuration.redirects.limit, label: "at most",
            "The most hops."),
        SettingField(
            "redirects.keep-auth", \.keepAuth, .choice(["same-origin": .sameOrigin, "same-host": .sameHost, "always": .always]),
            sets: \.configuration.redirects.keepCredentials, "Where credentials go along."),
        SettingField(
            "redirects.keep-post", \.keepPost, .choices(["301", "302", "303"]), sets: \.keepsPost,
            "The statuses after which a POST stays one, and doesn't become a GET."),
    ]

    private static let tls: [SettingField] = [
        SettingField(
            "tls.verify", \.verifiesTLS, .flag, sets: \.configuration.transport.tls.verifies, danger: "false",
            "Checks the chain and the host name."),
        SettingField(
            "tls.ca", \.authorities, .text, sets: \.configuration.transport.tls.authorities, as: .file, label: "authorities",
            "A PEM file or a directory of certificates to trust instead of the system's."),
        SettingField(
            "tls.certificate", \.certificate, .text, sets: \.configuration.transport.tls.certificate, as: .file,
            "A file with our certificate: PEM, PKCS#12 or DER."),
        SettingField(
            "tls.key", \.key, .text, sets: \.configuration.transport.tls.key, as: .file,
            "A file with its key, unless that stands in the same file."),
        SettingField(
            "tls.passphrase", \.passphrase, .text, sets: \.passphrase, as: .secret, label: "pass phrase",
            "What opens the key, or the PKCS#12 file: a template that names a secret."),
        SettingField(
            "tls.pins", \.pins, .texts(separators: [","]), sets: \.configuration.transport.tls.pins, as: .pin,
            "What the server's own certificate must be, one of these: `sha256//BASE64` of its public key, or a certificate's file."),
        SettingField(
            "tls.min-version", \.minimumTLSVersion, .choice, sets: \.configuration.transport.tls.minimumVersion, label: "oldest",
            "The oldest version of TLS to accept."),
        SettingField(
            "tls.max-version", \.maximumTLSVersion, .choice, sets: \.configuration.transport.tls.maximumVersion, label: "newest",
            "The newest version of TLS to ask for."),
        SettingField(
            "tls.ciphers", \.ciphers, .texts(separators: [",", " ", ":"]), sets: \.configuration.transport.tls.ciphers,
            "The ciphers to offer, in OpenSSL's names: those of TLS 1.3 begin with `TLS_`."),
        SettingField(
            "tls.curves", \.curves, .texts(separators: [",", " ", ":"]), sets: \.configuration.transport.tls.curves,
            "The groups to offer for the exchange of keys, in OpenSSL's names."),
        SettingField(
            "tls.crl", \.revocations, .text, sets: \.configuration.transport.tls.revocations, as: .file, label: "revoked",
            "A PEM file with lists of revoked certificates, one for each authority of the chain."),
        SettingField(
            "tls.ocsp", \.requiresStatus, .flag, sets: \.configuration.transport.wire.requiresStatus, label: "OCSP",
            "Insists on the server's proof by OCSP that its certificate isn't revoked."),
    ]

    private static let connection: [SettingField] = [
        SettingField(
            "http", \.httpVersion, .choice, sets: \.configuration.transport.httpVersion, label: "version",
            "The HTTP version to ask for."),
        SettingField(
            "compression", \.compression, .flag, sets: \.configuration.transport.acceptsCompression, in: "http",
            "Whether to ask for a compressed response."),
        SettingField(
            "proxy", \.proxy, .nameOrNone, sets: \.configuration.transport.proxy, as: .url, in: "connection",
            "The URL of a proxy; `\"\"` for none, whatever the environment says."),
        SettingField(
            "resolve", \.resolve, .texts(separators: [" "]), sets: \.configuration.transport.resolve, in: "connection",
            "`host:port:address`, instead of asking DNS."),
        SettingField(
            "unix-socket", \.unixSocket, .text, sets: \.configuration.transport.unixSocket, as: .path, in: "connection",
            "The path of a socket to connect to instead of the URL's host."),
        SettingField(
            "expect-continue", \.expectContinue, .flag, sets: \.configuration.transport.expectsContinue, in: "connection",
            label: "continue", "Whether to wait for `100 Continue` before the body."),
        SettingField(
            "cookie-jar", \.cookieJar, .textOrNone, sets: \.cookieJar, in: "connection",
            "The name of a jar: its cookies are sent, and those of the answer kept; `\"\"` for none."),
    ]

    private static let wire: [SettingField] = [
        SettingField(
            "connection.family", \.connection.family, .choice, sets: \.configuration.transport.wire.addressFamily,
            "Which addresses of a host are tried."),
        SettingField(
            "connection.interface", \.connection.interface, .text, sets: \.configuration.transport.interface,
            "The interface, host name or address to connect from."),
        SettingField(
            "connection.local-port", \.connection.localPorts, .ports, sets: \.configuration.transport.wire.localPorts,
            "The port to connect from, or the first free one of a range."),
        SettingField(
            "connection.keep-alive", \.connection.keepAlive, .duration, sets: \.configuration.transport.wire.keepAlive,
            "After this much silence TCP asks whether the server is still there; never unless said."),
        SettingField(
            "connection.rate", \.connection.rate, .byteCount, sets: \.rate,
            "The most bytes in a second, in each direction."),
        SettingField(
            "connection.to", \.connection.connectTo, .texts(separators: [" "]), sets: \.configuration.transport.connectTo,
            "`host1:port1:host2:port2`: another host and port to connect to than the URL's, which stay in the request."),
        SettingField(
            "connection.resolver", \.connection.resolver, .text, sets: \.configuration.transport.wire.resolver, as: .url,
            "The URL of a server to look names up at by HTTPS (DNS over HTTPS)."),
        SettingField(
            "connection.pre-proxy", \.connection.preProxy, .text, sets: \.configuration.transport.wire.preProxy, as: .url,
            "The URL of a SOCKS proxy on the way to the proxy."),
        SettingField(
            "connection.no-proxy", \.connection.proxyExceptions, .textOrNone,
            sets: \.configuration.transport.wire.proxyExceptions,
            "Hosts to reach without the proxy, by commas; `*` for all, and `\"\"` for none, whatever the environment says."),
        SettingField(
            "connection.tunnel", \.connection.tunnels, .flag, sets: \.configuration.transport.wire.tunnels,
            "Goes through an HTTP proxy by CONNECT with http, too."),
        SettingField(
            "connection.target", \.connection.requestTarget, .text, sets: \.configuration.transport.wire.requestTarget,
            "What stands behind the method in place of the URL's path and query: `*`."),
    ]

    private static let response: [SettingField] = [
        SettingField("response.keep", \.keepResponse, .choice, sets: \.keepsResponse, "Where the body goes."),
        SettingField(
            "response.limit", \.responseLimit, .byteCount, sets: \.responseLimit,
            "The most bytes of the decoded body; 1GiB unless said."),
        SettingField(
            "response.save", \.savesResponse, .text, sets: \.savesResponse, as: .output,
            "A file that the body is written to when the request has passed; relative to this file."),
        SettingField("response.hash", \.responseHash, .choice, sets: \.configuration.hash, "A checksum of the body."),
    ]

    private static let queue: [SettingField] = [
        SettingField(
            "priority", \.priority,
            .choice(["very-low": .veryLow, "low": .low, "normal": .normal, "high": .high, "very-high": .veryHigh]),
            sets: \.priority, in: "queue", "How urgent it is."),
        SettingField(
            "delay", \.delay, .delay, sets: \.delay, in: "queue",
            "How long to wait before it is sent, after all that it needs; `1s..3s` for a wait by chance."),
        SettingField(
            "graphql-schema", \.graphQLSchema, .text, sets: \.graphQLSchema, as: .path, in: "graphql", label: "schema file",
            "A file with the schema of GraphQL, as SDL or as the answer to introspection: for completion, and for what `check` finds."
        ),
    ]
}

extension FormatTable {
    static let delay = FormatTable(
        "delay",
        [
            FormatKey("before", .durationRange, "Before it is sent; of several items of a loop, before the first."),
            FormatKey("between", .durationRange, "Of several items of a loop, before each of the others."),
        ], .notEmpty)
}

/// The maps in which settings stand.
extension SettingNode {
    static let helps = [
        "timeouts": "When to give up.", "retry": "Whether to try again.", "retry.backoff": "How long to wait before each retry.",
        "redirects": "Whether redirects are followed.", "tls": "How the server is trusted, and how we show who we are.",
        "connection": "How the server is connected to.",
        "response": "What becomes of the response's body.",
    ]
}
