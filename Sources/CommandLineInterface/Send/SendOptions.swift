import ArgumentParser

/// The options of `turnstone send`, with curl's names where curl has one.
struct SendOptions: ParsableArguments {
    // MARK: The request

    @Argument(help: "The URL; http:// when it names no scheme.")
    var url: String

    @Option(name: [.customShort("X"), .customLong("request")], help: "The method. Default: GET, or POST with a body.")
    var method: String?

    @Option(
        name: [.customShort("H"), .customLong("header")], help: "A header field, 'Name: value'. 'Name;' sends it empty. Repeatable."
    )
    var headers: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("data")],
        help: "The body, or @file, or @- for standard input. Repeated ones are joined by &.")
    var data: [String] = []

    @Option(help: "The body as JSON, or @file; sets content-type and accept.")
    var json: String?

    @Option(
        name: [.customShort("T"), .customLong("upload-file")],
        help: "A file to send as the body, read while it is sent; the method is then PUT.")
    var upload: String?

    @Option(name: [.customShort("u"), .customLong("user")], help: "USER:PASSWORD for basic authentication.")
    var user: String?

    @Option(name: [.customShort("A"), .customLong("user-agent")], help: "The User-Agent.")
    var userAgent: String?

    @Flag(name: [.customShort("I"), .customLong("head")], help: "Ask for the head only (method HEAD), and print it.")
    var head = false

    // MARK: How it is sent

    @Flag(name: [.customShort("L"), .customLong("location")], help: "Follow redirects.")
    var followsRedirects = false

    @Option(name: .customLong("max-redirs"), help: "The most redirects to follow.")
    var redirectLimit = 20

    @Flag(name: .customLong("location-trusted"), help: "Follow redirects, and send credentials to other origins too.")
    var trustsRedirects = false

    @Flag(name: [.customShort("k"), .customLong("insecure")], help: "Don't check the server's certificate.")
    var isInsecure = false

    @Option(name: .customLong("cacert"), help: "A PEM file with the authorities to trust.")
    var authorities: String?

    @Option(name: [.customShort("E"), .customLong("cert")], help: "A PEM file with the client's certificate.")
    var certificate: String?

    @Option(name: .customLong("key"), help: "A PEM file with the key of the client's certificate.")
    var key: String?

    @Option(name: .customLong("pinnedpubkey"), help: "A public key to insist on, sha256//BASE64. Repeatable.")
    var pins: [String] = []

    @Flag(name: .customLong("http1.1"), help: "Speak HTTP/1.1.")
    var http1 = false

    @Flag(name: .customLong("http2"), help: "Speak HTTP/2 where the server can.")
    var http2 = false

    @Flag(name: .customLong("http2-prior-knowledge"), help: "Speak HTTP/2 without asking first.")
    var http2PriorKnowledge = false

    @Flag(help: "Ask for a compressed response, and decode it.")
    var compressed = false

    @Option(name: [.customShort("x"), .customLong("proxy")], help: "A proxy, SCHEME://HOST:PORT; '' for none.")
    var proxy: String?

    @Option(help: "HOST:PORT:ADDRESS instead of a name look-up. Repeatable.")
    var resolve: [String] = []

    @Option(name: .customLong("unix-socket"), help: "A Unix socket to connect to.")
    var unixSocket: String?

    @Option(name: .customLong("connect-timeout"), help: "Seconds to connect in, name look-up and TLS included. Default: 30.")
    var connectTimeout: Double?

    @Option(name: .customLong("idle-timeout"), help: "Seconds without a byte in either direction. Default: 30.")
    var idleTimeout: Double?

    @Option(name: [.customShort("m"), .customLong("max-time")], help: "Seconds for everything together.")
    var maximumTime: Double?

    // MARK: What is printed

    @Option(name: [.customShort("o"), .customLong("output")], help: "A file for the body instead of standard output.")
    var output: String?

    @Flag(name: [.customShort("i"), .customLong("include")], help: "Print the head of the response too.")
    var includesHead = false

    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: "Tell what happens, on standard error: connection, TLS, heads, timings.")
    var isVerbose = false

    @Flag(name: [.customShort("s"), .customLong("silent")], help: "Say nothing but the errors' exit status.")
    var isSilent = false

    @Flag(help: "Draw the waterfall of attempts, hops and phases, on standard error.")
    var timing = false

    @Option(help: "Print every event of the operation on standard output instead of the body: jsonl.")
    var events: EventFormat?

    @Flag(name: [.customShort("f"), .customLong("fail")], help: "Exit with 1 when the status is 400 or more.")
    var fails = false

    enum EventFormat: String, ExpressibleByArgument, CaseIterable {
        case jsonl
    }
}
