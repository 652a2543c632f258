import Testing

/// A way to fail, as `send` and as `run` meet it, with the status and the sentence that it ends in.
///
/// `{demo}` is the address of the demo server, `{closed}` a port on which nobody listens, `{mute}` one that takes connections and says
/// nothing, `{self-signed}`, `{expired}` and `{wrong-host}` are ports of a TLS server, `{plain}` its port without, `{authority}` is the file that trusts it.
struct FailureKind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var status: Int32
    /// What follows `send`; `nil`: it can't meet this.
    var send: [String]?
    /// The request in YAML, in flow style; `nil`: it can't meet this.
    var request: String?
    /// What is said; for `run` behind the place of it. What stands for … differs between versions of a library.
    var sentence: String
    /// Column of the request's line that `run` names; `nil`: it names none.
    var column: Int?

    init(_ name: String, _ status: Int32, send: [String]? = nil, request: String? = nil, column: Int? = nil, _ sentence: String) {
        testDescription = name
        self.status = status
        self.send = send
        self.request = request
        self.sentence = sentence
        self.column = column
    }

    /// Whether a line is the sentence.
    ///
    /// - Parameter sentence: this kind's, filled in.
    func says(_ line: some StringProtocol, _ sentence: String) -> Bool {
        guard let ellipsis = sentence.firstRange(of: "…") else { return line == sentence }
        return line.hasPrefix(sentence[..<ellipsis.lowerBound]) && line.hasSuffix(sentence[ellipsis.upperBound...])
    }

    static let all = timeouts + connections + trust + protocols + credentials + fillings + files

    private static let timeouts = [
        FailureKind(
            "operation timeout", 20, send: ["-m", "0.2", "{demo}/hang"],
            request: "get: \"{demo}/hang\", timeouts: { operation: 200ms }",
            """
            GET 127.0.0.1:{port}: not done within 200 ms of being enqueued, stopped while waiting for the first byte of the answer; \
            raise the operation timeout if it needs longer.
            """),
        FailureKind(
            "attempt timeout", 20, send: ["--attempt-timeout", "0.2", "{demo}/hang"],
            request: "get: \"{demo}/hang\", timeouts: { attempt: 200ms }",
            """
            GET 127.0.0.1:{port}: no complete answer within 200 ms, stopped while waiting for the first byte of the answer; \
            raise the attempt timeout if it needs longer.
            """),
        FailureKind(
            "idle timeout", 20, send: ["--idle-timeout", "0.2", "{demo}/stall"],
            request: "get: \"{demo}/stall\", timeouts: { idle: 200ms }",
            """
            GET 127.0.0.1:{port}: nothing came or went for 200 ms while receiving the body, 500 bytes so far; \
            raise the idle timeout if the server pauses that long.
            """),
        FailureKind(
            "connect timeout", 20, send: ["--connect-timeout", "0.2", "https://127.0.0.1:{mute}/"],
            request: "get: \"https://127.0.0.1:{mute}/\", timeouts: { connect: 200ms }",
            "127.0.0.1:{mute} did not finish the TLS handshake within 200 ms."),
    ]

    private static let connections = [
        FailureKind(
            "refused port", 21, send: ["http://127.0.0.1:{closed}/"], request: "get: \"http://127.0.0.1:{closed}/\"",
            "Nothing listens on 127.0.0.1:{closed} (connection refused). Is the server running?"),
        FailureKind(
            "unresolvable name", 21, send: ["http://nowhere.invalid/"], request: "get: \"http://nowhere.invalid/\"",
            "No address was found for “nowhere.invalid”. Check the name, and that DNS works here."),
        FailureKind(
            "closed without an answer", 21, send: ["{demo}/trouble/close"], request: "get: \"{demo}/trouble/close\"",
            "127.0.0.1:{port} closed the connection without an answer."),
        FailureKind(
            "proxy that isn't there", 21, send: ["-x", "http://127.0.0.1:{closed}", "{demo}/json"],
            request: "get: \"{demo}/json\", proxy: \"http://127.0.0.1:{closed}\"",
            "Nothing listens on the proxy 127.0.0.1:{closed} (connection refused). Is the server running?"),
    ]

    private static let trust = [
        FailureKind(
            "certificate of its own making", 22, send: ["https://127.0.0.1:{self-signed}/"],
            request: "get: \"https://127.0.0.1:{self-signed}/\"",
            "The certificate of 127.0.0.1 is not accepted: self-signed certificate. If you trust it, name its file as an authority."
        ),
        FailureKind(
            "expired certificate", 22, send: ["--cacert", "{authority}", "https://127.0.0.1:{expired}/"],
            request: "get: \"https://127.0.0.1:{expired}/\", tls: { ca: \"{authority}\" }",
            "The certificate of 127.0.0.1 is not accepted: certificate has expired. It must be renewed by whoever runs the server."),
        FailureKind(
            "certificate for another host", 22, send: ["--cacert", "{authority}", "https://127.0.0.1:{wrong-host}/"],
            request: "get: \"https://127.0.0.1:{wrong-host}/\", tls: { ca: \"{authority}\" }",
            """
            The certificate of 127.0.0.1 is not accepted: hostname mismatch. \
            It is for another name: compare its names with the URL.
            """),
        FailureKind(
            "TLS to a server without", 22, send: ["https://127.0.0.1:{plain}/"], request: "get: \"https://127.0.0.1:{plain}/\"",
            "127.0.0.1:{plain} does not speak TLS (…). Is it an http:// server?"),
    ]

    private static let protocols = [
        FailureKind(
            "answer that isn't HTTP", 26, send: ["{demo}/trouble/garbage"], request: "get: \"{demo}/trouble/garbage\"",
            """
            127.0.0.1:{port} sent something that isn't HTTP (Received HTTP/0.9 when not allowed). \
            Is it an HTTP server, and is https:// right?
            """),
        FailureKind(
            "redirects without end", 26, send: ["-L", "--max-redirs", "3", "{demo}/redirect/loop"],
            request: "get: \"{demo}/redirect/loop\", redirects: { max: 3 }",
            "Stopped after 3 redirects, before {demo}/redirect/loop; raise the limit of redirects if this is no loop."),
    ]

    private static let credentials = [
        FailureKind(
            "hydrate command that fails", 23,
            request: "get: \"{demo}/auth/bearer\", hydrate: [sh, -c, \"echo no key for this >&2; exit 3\"]", column: 74,
            """
            the command `sh -c echo no key for this >&2; exit 3` of `hydrate` failed \
            with exit status 3: no key for this
            """),
        FailureKind(
            "hydrate command that isn't there", 23, request: "get: \"{demo}/auth/bearer\", hydrate: [no-such-program]",
            column: 74,
            """
            the command `no-such-program` of `hydrate` \
            can't be found; install it, or name it with its path
            """),
        FailureKind(
            "token server that answers 401", 23,
            request: """
                get: "{demo}/anything", auth: { oauth2: { grant: client-credentials, token-url: "{demo}/status/401", client-id: shop, \
                client-secret: nothing } }
                """,
            """
            shop.yaml:3:62: 127.0.0.1 gives no token: it answered with status 401
            """),
        FailureKind(
            "secret that isn't set", 23, request: "get: \"{demo}/{{secret}}\"",
            "shop.yaml:2:14: the environment variable `TURNSTONE_NOWHERE` isn't set; set it, and start again"),
    ]

    private static let fillings = [
        FailureKind(
            "variable without a value", 24, request: "get: \"{demo}/{{nowhere}}\"", column: 27,
            "the variable `nowhere` has no value"),
        FailureKind(
            "template command that fails", 24, request: "get: '{demo}/{{command(\"false\")}}'", column: 27,
            "the command `false` failed with exit status 1"),
        FailureKind(
            "capture of what isn't there", 24, request: "get: \"{demo}/anything\", capture: { id: .order.id }", column: 73,
            "nothing to capture for id: .order.id finds nothing in the body"),
        FailureKind(
            "unmet expectation", 1, request: "get: \"{demo}/status/404\", expect: { status: 200 }", column: 74,
            "expected status to be 200, and found 404 Not Found"),
        FailureKind(
            "status of 400 or more with --fail", 1, send: ["-f", "{demo}/status/404"], "the server answered 404 Not Found"),
    ]

    private static let files = [
        FailureKind(
            "file of the body that isn't there", 25, send: ["-d", "@nosuch.json", "{demo}/anything"],
            "Can't read nosuch.json. Does it exist, and may you read it?"),
        FailureKind(
            "file of the body that isn't there", 25, request: "post: \"{demo}/anything\", body: { file: nosuch.json }", column: 77,
            "the body's file {directory}/nosuch.json can't be read: no such file or directory"),
        FailureKind(
            "file of authorities that isn't there", 25, send: ["--cacert", "nosuch.pem", "https://127.0.0.1:{self-signed}/"],
            "Can't read nosuch.pem. Does it exist, and may you read it?"),
        FailureKind(
            "client certificate that isn't there", 25, send: ["-E", "nosuch.pem", "https://127.0.0.1:{self-signed}/"],
            "Can't read nosuch.pem. Does it exist, and may you read it?"),
        FailureKind(
            "key that isn't there", 25, send: ["-E", "{authority}", "--key", "nosuch.pem", "https://127.0.0.1:{self-signed}/"],
            "Can't read nosuch.pem. Does it exist, and may you read it?"),
        FailureKind(
            "pinned key that isn't there", 25, send: ["--pinnedpubkey", "nosuch.pem", "https://127.0.0.1:{self-signed}/"],
            "Can't read nosuch.pem. Does it exist, and may you read it?"),
        FailureKind(
            "file of authorities that isn't there", 25,
            request: "get: \"https://127.0.0.1:{self-signed}/\", tls: { ca: nosuch.pem }", column: 62,
            "`tls.ca`: {directory}/nosuch.pem can't be read: no such file or directory"),
        FailureKind(
            "client certificate that isn't there", 25,
            request: "get: \"https://127.0.0.1:{self-signed}/\", tls: { certificate: nosuch.pem }", column: 62,
            "`tls.certificate`: {directory}/nosuch.pem can't be read: no such file or directory"),
        FailureKind(
            "key that isn't there", 25,
            request: "get: \"https://127.0.0.1:{self-signed}/\", tls: { key: nosuch.pem, certificate: \"{authority}\" }",
            // Before the certificate, whose path may have any length.
            column: 62,
            "`tls.key`: {directory}/nosuch.pem can't be read: no such file or directory"),
        FailureKind(
            "directory as the body", 25, send: ["-T", "/", "{demo}/anything"],
            "/ isn't a file, so it has no bytes to send. Name a file."),
        FailureKind(
            "file that can't be written", 25, send: ["-o", "/nowhere/at/all", "{demo}/json"],
            "Can't write to /nowhere/at/all: No such file or directory"),
        FailureKind(
            "disk that is full", 25, send: ["-o", "/dev/full", "{demo}/json"], "Can't write to /dev/full: No space left on device"),
        FailureKind(
            "HAR that can't be written", 25, send: ["-s", "-S", "--har", "/dev/full", "{demo}/status/204"],
            "Can't write to /dev/full: No space left on device"),
    ]
}
