import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Signatures, as they reach the transport through operations.
@Suite(.watchesEvents) struct SigningTransportTests {
    private let keys = AWSSignature(accessKey: "AKIDEXAMPLE", secretKey: "secret", region: "us-east-1", service: "service")
    private let time = ManualTimeSource(epoch: Date(timeIntervalSince1970: 1_440_938_160))
    private static let timestamp = HTTPField.Name("X-Amz-Date")!
    private static let contentHash = HTTPField.Name("X-Amz-Content-Sha256")!
    /// Of `hello`, by sha256sum.
    private static let helloHash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    private func operation(
        _ request: Request, signed keys: AWSSignature, on transport: ScriptedTransport,
        _ change: (inout RequestConfiguration) -> Void = { _ in }
    ) throws -> RequestOperation {
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        var configuration = RequestConfiguration()
        configuration.transport.authentication = .awsSigV4(keys)
        change(&configuration)
        return queue.enqueue(request, configuration: configuration)
    }

    /// The signature that a request would have to have.
    private func signature(of request: Request, _ keys: AWSSignature, after delay: Duration = .zero, body: Data = Data()) throws
        -> String
    {
        var request = request
        let signer = try AWSSigner(keys, for: request, at: time.epoch.addingTimeInterval(delay.inSeconds))
        signer.sign(&request, payload: .hash(of: body))
        return try #require(request.headers[.authorization])
    }

    @Test func `a retry is signed anew, with the time at which it goes out`() async throws {
        let attempts = Mutex(0)
        let transport = ScriptedTransport(time: time) { _ in
            let number = attempts.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .respond(status: .serviceUnavailable) : .respond()
        }
        let request = Request.get("https://a.test/?b=1&a=2")
        let operation = try operation(request, signed: keys, on: transport) {
            $0.retry = [
                RetryRules(attempts: 2, backoff: RetryBackoff(first: .seconds(60), factor: 1, max: .seconds(60), jitter: .none))
            ]
        }
        await time.pass(.seconds(60), beforeRetryOf: operation)
        let response = await operation.response
        #expect(response.info?.head.status == .ok)
        #expect(transport.requests.map { $0.headers[Self.timestamp] } == ["20150830T123600Z", "20150830T123700Z"])
        #expect(
            transport.requests.map { $0.headers[.authorization] } == [
                try signature(of: request, keys), try signature(of: request, keys, after: .seconds(60)),
            ])
        #expect(response.metrics.attempts.map(\.request) == [request, request], "what the user wrote stays as it was written")
    }

    @Test func `a redirect hop is signed for its own path, and one to another origin not at all`() async throws {
        let transport = ScriptedTransport(time: time) { request in
            switch request.request.url.path {
            case "/": .redirect(to: "/next")
            case "/next": .redirect(to: "https://b.test/last")
            default: .respond()
            }
        }
        let response = try await operation(.get("https://a.test/"), signed: keys, on: transport).response
        #expect(response.error == nil)
        #expect(
            transport.requests.map { $0.headers[.authorization] } == [
                try signature(of: .get("https://a.test/"), keys), try signature(of: .get("https://a.test/next"), keys), nil,
            ])
    }

    @Test func `a field that the request has itself is kept`() async throws {
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let request = Request.get("https://a.test/", headers: [.authorization: "mine"])
        _ = try await operation(request, signed: keys, on: transport).response
        #expect(transport.requests == [request])
    }

    @Test func `a file is read before it is signed, and a body in memory at once`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/hello"
        try Data("hello".utf8).write(to: URL(filePath: path))
        for body in [RequestBody.file(path: path), .data(Data("hello".utf8)), .stream(.bytes("hello", isReplayable: true))] {
            let transport = ScriptedTransport(time: time) { _ in .respond() }
            let request = Request(url: URL(string: "https://a.test/")!, method: .put, body: body)
            let response = try await operation(request, signed: keys, on: transport).response
            #expect(response.error == nil)
            #expect(transport.requests.map(\.body) == [body])
            #expect(
                transport.requests.map { $0.headers[.authorization] } == [
                    try signature(of: request, keys, body: Data("hello".utf8))
                ])
        }
    }

    @Test func `S3 is told the hash of a file, and takes a stream unseen`() async throws {
        var keys = keys
        keys.service = "s3"
        let bodies = [RequestBody.data(Data("hello".utf8)), .stream(.bytes("hello", isReplayable: false))]
        for (body, hash) in zip(bodies, [Self.helloHash, "UNSIGNED-PAYLOAD"]) {
            let transport = ScriptedTransport(time: time) { _ in .respond() }
            _ = try await operation(
                Request(url: URL(string: "https://a.test/")!, method: .put, body: body), signed: keys, on: transport
            ).response
            #expect(transport.requests.map { $0.headers[Self.contentHash] } == [hash])
        }
    }

    @Test func `a stream that can be read only once is refused, with the way out`() async throws {
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let request = Request(
            url: URL(string: "https://a.test/")!, method: .put, body: .stream(.bytes("hello", isReplayable: false)))
        let response = try await operation(request, signed: keys, on: transport).response
        #expect(response.error?.code == .authorizationFailed)
        #expect(
            response.error?.message
                == "The body is a stream that can be read only once, and the signature needs its hash before it is sent; "
                + "send it from a file or from memory.")
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a file that can't be read is named`() async throws {
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let request = Request(url: URL(string: "https://a.test/")!, method: .put, body: .file(path: "/nowhere/file"))
        let response = try await operation(request, signed: keys, on: transport).response
        #expect(response.error?.message.contains("/nowhere/file") == true)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a cancel while the body is read keeps it from being sent`() async throws {
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let reader = WaitingReader()
        let request = Request(
            url: URL(string: "https://a.test/")!, method: .put, body: .stream(RequestBodyStream(isReplayable: true) { reader }))
        let operation = try operation(request, signed: keys, on: transport)
        await reader.waits()
        operation.cancel("enough")
        #expect(await operation.response.error?.code == .cancelled)
        await reader.closes()
        #expect(transport.transfers.isEmpty)
    }
}

/// Has nothing to hand out, ever.
private final class WaitingReader: RequestBodyReader {
    private let waiting = AsyncStream.makeStream(of: Void.self)
    private let closing = AsyncStream.makeStream(of: Void.self)

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        waiting.continuation.yield()
        return .later
    }

    func close() { closing.continuation.yield() }

    func waits() async {
        for await _ in waiting.stream { return }
    }

    func closes() async {
        for await _ in closing.stream { return }
    }
}

extension RequestBodyStream {
    fileprivate static func bytes(_ text: String, isReplayable: Bool) -> RequestBodyStream {
        RequestBodyStream(isReplayable: isReplayable) { DataBodyReader(Data(text.utf8)) }
    }
}
