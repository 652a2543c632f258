import FoundationEssentials
import HTTPTypes
import Logging
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Keeps what is logged.
private final class LogKeeper: Sendable {
    private let entries = Mutex<[(level: Logger.Level, text: String)]>([])

    func add(_ level: Logger.Level, _ text: String) { entries.withLock { $0.append((level, text)) } }

    var texts: [String] { entries.withLock { $0.map(\.text) } }
    var levels: [Logger.Level] { entries.withLock { $0.map(\.level) } }
}

private struct KeepingHandler: LogHandler {
    let keeper: LogKeeper
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let attempt = event.metadata?["attempt"].map { "[\($0)] " } ?? ""
        keeper.add(event.level, attempt + "\(event.message)")
    }
}

@Suite(.watchesEvents) struct LogObserverTests {
    private let keeper = LogKeeper()
    let time = ManualTimeSource()

    private func run(
        _ request: Request, level: Logger.Level, detail: LogObserver.Detail = .brief, redaction: Redaction = .standard,
        configuration: RequestConfiguration = .init(), script: @escaping @Sendable (TransferRequest) -> Script
    ) async throws {
        let logger = Logger(label: "test") { [keeper] _ in KeepingHandler(keeper: keeper, logLevel: level) }
        let client = NetworkClient(transport: ScriptedTransport(time: time, script: script), time: time).watched()
        client.addObserver(LogObserver(logger, detail: detail, redaction: redaction))
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        _ = await queue.enqueue(request, configuration: configuration).response
    }

    @Test func `GLB-14 a logger hears of every operation's end as information`() async throws {
        try await run(.get("http://a.test/x"), level: .info) { _ in .respond(status: .notFound) }
        #expect(keeper.texts == ["succeeded: GET http://a.test/x 404 in 0 µs"])
        #expect(keeper.levels == [.info])
    }

    @Test func `LOG-1 what failed is an error, with its message`() async throws {
        let lost = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "The line went dead.")
        try await run(.get("http://a.test/x"), level: .error) { _ in .fail(lost) }
        #expect(keeper.texts == ["failed: GET http://a.test/x in 0 µs: The line went dead."])
        #expect(keeper.levels == [.error])
    }

    @Test func `LOG-1 debug shows the attempts, and trace each state`() async throws {
        let script: @Sendable (TransferRequest) -> Script = { request in
            request.request.url.path == "/x" ? .redirect(to: "/y") : .respond()
        }
        try await run(.get("http://a.test/x"), level: .debug, script: script)
        #expect(
            keeper.texts == [
                "[1] initial: GET http://a.test/x", "[1] attempt 1 redirecting: 302 in 0 µs", "[2] redirect: GET http://a.test/y",
                "[2] attempt 2 completing: 200 in 0 µs", "succeeded: GET http://a.test/y 200 in 0 µs, 2 attempts",
            ])
        try await run(.get("http://a.test/y"), level: .trace, script: script)
        #expect(keeper.texts.contains("idle → preparing"))
        #expect(keeper.texts.contains("enqueued in test: GET http://a.test/y"))
    }

    @Test func `LOG-1 a quiet logger is asked for nothing`() async throws {
        try await run(.get("http://a.test/x"), level: .critical) { _ in .respond() }
        #expect(keeper.texts == [])
    }

    // MARK: Redaction

    @Test func `LOG-1 fields that carry secrets are redacted by default`() {
        var headers: HTTPFields = [.accept: "*/*", .authorization: "Bearer s3cret", .cookie: "id=s3cret", .setCookie: "id=s3cret"]
        headers[.proxyAuthorization] = "Basic s3cret"
        headers[HTTPField.Name("X-API-Key")!] = "s3cret"
        let redacted = Redaction.standard.headers(headers)
        #expect(
            redacted == [
                .accept: "*/*", .authorization: "<redacted>", .cookie: "<redacted>", .setCookie: "<redacted>",
                .proxyAuthorization: "<redacted>", HTTPField.Name("X-API-Key")!: "<redacted>",
            ])
        #expect(Redaction.none.headers(headers) == headers)
    }

    @Test func `LOG-1 more fields can be redacted, in any case`() {
        let redaction = Redaction.standard.adding("X-Door-Code")
        #expect(redaction.redacts("x-door-code"))
        #expect(redaction.redacts("AUTHORIZATION"))
        #expect(!Redaction.standard.redacts("x-door-code"))
        #expect(redaction.headers([HTTPField.Name("x-Door-Code")!: "k"]) == [HTTPField.Name("x-Door-Code")!: "<redacted>"])
    }

    @Test func `LOG-1 the password of a URL is no text for a log`() {
        let url = URL(string: "http://user:s3cret@a.test/x?y")!
        #expect(Redaction.standard.url(url).absoluteString == "http://user:redacted@a.test/x?y")
        let plain = URL(string: "http://user@a.test/x")!
        #expect(Redaction.standard.url(plain) == plain)
    }

    // MARK: Verbose

    @Test func `TN-17 verbose shows a curl command, whether keys are pinned, and the heads, without secrets`() async throws {
        var configuration = RequestConfiguration()
        configuration.transport.tls.pins = ["sha256//AAAA"]
        let request = Request.post(
            "https://user:s3cret@a.test/x", headers: [.authorization: "Bearer s3cret", .contentType: "text/plain"],
            body: .data(Data("hello".utf8)))
        try await run(request, level: .debug, detail: .verbose, configuration: configuration) { _ in
            .respond(headers: [.setCookie: "id=s3cret", .contentType: "text/plain"], body: Data("four".utf8))
        }
        #expect(
            keeper.texts == [
                """
                [1] initial: POST https://user:redacted@a.test/x
                pinning: yes
                curl https://user:redacted@a.test/x \\
                  --header 'Authorization: <redacted>' \\
                  --header 'Content-Type: text/plain' \\
                  --data-raw hello
                """,
                """
                [1] attempt 1 completing: 200 in 0 µs
                Content-Type: text/plain
                Set-Cookie: <redacted>
                4 bytes of body, 4 decoded
                """,
                "succeeded: POST https://user:redacted@a.test/x 200 in 0 µs",
            ])
    }

    @Test(arguments: [(Duration.microseconds(7), "7 µs"), (.microseconds(1234), "1.2 ms"), (.milliseconds(61_500), "61.5 s")])
    func `TN-17 durations are short`(duration: Duration, text: String) {
        #expect(LogLines.text(duration) == text)
    }
}
