import NetworkLayer

/// How a request is sent.
extension FormatTable {
    /// The same keys in a request and in defaults.
    static let settings: [FormatKey] = [
        FormatKey("timeouts", .keys(timeouts), "When to give up."),
        FormatKey("retry", .either([.oneOf(["none"]), .keys(retry)]), "Whether to try again."),
        FormatKey("redirects", .keys(redirects), "Whether redirects are followed."),
        FormatKey("tls", .keys(tls), "How the server is trusted, and how we show who we are."),
        FormatKey("http", .oneOf(["1.1", "2", "auto", "2-prior-knowledge"]), "The HTTP version to ask for."),
        FormatKey("compression", .boolean, "Whether to ask for a compressed response."),
        FormatKey("proxy", .name, "The URL of a proxy; `\"\"` for none, whatever the environment says."),
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
            FormatKey("max", .count(0...10_000), "The most hops."),
            FormatKey("keep-auth", .oneOf(["same-origin", "same-host", "always"]), "Where credentials go along."),
        ])

    static let tls = FormatTable(
        "tls",
        [
            FormatKey("verify", .boolean, "Checks the chain and the host name."),
            FormatKey("ca", .text, "A PEM file or a directory of certificates to trust instead of the system's."),
            FormatKey("certificate", .text, "A file with our certificate: PEM, PKCS#12 or DER."),
            FormatKey("key", .text, "A file with its key, unless that stands in the same file."),
            FormatKey("passphrase", .text, "What opens the key, or the PKCS#12 file: a template that names a secret."),
            FormatKey(
                "pins", .list(.text),
                "What the server's own certificate must be, one of these: `sha256//BASE64` of its public key, or a certificate's file."
            ),
            FormatKey("min-version", .oneOf(["1.0", "1.1", "1.2", "1.3"]), "The oldest version of TLS to accept."),
            FormatKey("max-version", .oneOf(["1.0", "1.1", "1.2", "1.3"]), "The newest version of TLS to ask for."),
            FormatKey(
                "ciphers", .list(.text), "The ciphers to offer, in OpenSSL's names: those of TLS 1.3 begin with `TLS_`."),
        ])

    static let response = FormatTable(
        "response",
        [
            FormatKey("keep", .oneOf(["memory", "file", "none"]), "Where the body goes."),
            FormatKey("limit", .byteCount, "The most bytes of the decoded body; 1GiB unless said."),
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
}
