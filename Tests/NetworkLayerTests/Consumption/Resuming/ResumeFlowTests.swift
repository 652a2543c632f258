import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Downloads that are cut off, step by step.
@Suite(.watchesEvents) struct ResumeFlowTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()
    private static let whole = Data("0123456789".utf8)
    private static let tag: HTTPFields = [.eTag: "\"v1\"", .contentLength: "10"]

    private static func broken(_ text: String, _ headers: HTTPFields = tag, status: HTTPResponse.Status = .ok) -> Script {
        let body = Data(text.utf8)
        return [
            .head(ResponseHead(status: status, headers: headers)), .body(body, received: Int64(body.count), expected: nil),
            .finished(TransferResult(error: .reset)),
        ]
    }

    private static func rest(_ text: String, _ range: String) -> Script {
        .respond(status: .partialContent, headers: [.contentRange: range, .eTag: "\"v1\""], body: Data(text.utf8))
    }

    private func run(
        _ scripts: [Script], _ consumption: ResponseConsumption = .file(directory: nil),
        on conditions: Set<RetryCondition> = RetryRules.usual
    ) async throws -> (Response, [Request], [String], streamed: Data) {
        let rest = Mutex(scripts)
        let transport = ScriptedTransport(time: time) { _ in rest.withLock { $0.isEmpty ? .nothing : $0.removeFirst() } }
        let client = NetworkClient(transport: transport, time: time).watched()
        client.addObserver(recorder)
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        var configuration = RequestConfiguration()
        configuration.consumption = consumption
        configuration.hash = .sha256
        configuration.retry = [
            RetryRules(attempts: 9, on: conditions, backoff: RetryBackoff(first: .milliseconds(100), jitter: .none))
        ]
        configuration.timeouts.operation = nil
        let operation = queue.enqueue(.get("http://a.test/f"), configuration: configuration)
        let reader = Task {
            var all = Data()
            do { for try await piece in operation.body { all.append(piece) } } catch {}
            return all
        }
        while !operation.state.isFinal {
            await Task.yield()
            if operation.state == .waitingToRetry { time.advance(by: .seconds(10)) }
        }
        // Who gets the response comes after the observers.
        let response = await operation.response
        #expect(recorder.violations == [])
        let ranges = transport.requests.map { $0.headers[.range] ?? "whole" }
        return (response, transport.requests, ranges, await reader.value)
    }

    private func expectWhole(_ response: Response, _ body: Data? = nil) throws {
        #expect(response.error == nil)
        #expect(try response.info?.body.contents() == body ?? Self.whole)
        var digest = BodyDigest(.sha256)
        digest.update(Self.whole)
        #expect(response.info?.hash == digest.hash)
        #expect(response.info?.head.status == .ok)
        #expect(response.info?.head.headers[.contentLength] == "10")
    }

    @Test(arguments: [ResponseConsumption.file(directory: nil), .memory(spillOver: 100), .memory(spillOver: 2)])
    func `TN-14 the rest goes behind what is there, and the hash is that of the whole`(consumption: ResponseConsumption)
        async throws
    {
        let (response, requests, ranges, _) = try await run(
            [
                Self.broken("0123"), Self.broken("45", [.contentRange: "bytes 4-9/10"], status: .partialContent),
                Self.rest("6789", "bytes 6-9/10"),
            ],
            consumption)
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-", "bytes=6-"])
        #expect(requests[2].headers[.ifRange] == "\"v1\"")
        #expect(response.metrics.attempts.map(\.head?.status.code) == [200, 206, 206])
    }

    @Test func `TN-14 a download to a path gets its name when the rest is there`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/saved"
        let (response, _, _, _) = try await run(
            [
                Self.broken("0123"), .respond(status: .serviceUnavailable, body: Data("busy".utf8)),
                Self.rest("456789", "bytes 4-9/10"),
            ],
            .download(to: path))
        try expectWhole(response)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["saved"])
        #expect(try Data(contentsOf: URL(filePath: path)) == Self.whole)
    }

    @Test func `TN-14 progress counts the bytes that are there`() async throws {
        let (response, _, _, _) = try await run([Self.broken("0123"), Self.rest("456789", "bytes 4-9/10")])
        #expect(response.metrics.attempts.map(\.download) == [.init(bytes: 4), .init(bytes: 10, expected: 10)])
        #expect(response.metrics.attempts.map(\.bytes.responseBody) == [4, 6])
    }

    @Test func `TN-14 the length that progress shows is that of the whole, whatever the answer expects`() async throws {
        let rest: Script = [
            .head(ResponseHead(status: .partialContent, headers: [.contentRange: "bytes 4-9/10", .eTag: "\"v1\""])),
            .body(Data("456789".utf8), received: 6, expected: .max), .finished(TransferResult()),
        ]
        let (response, _, _, _) = try await run([Self.broken("0123"), rest])
        try expectWhole(response)
        #expect(response.metrics.attempts.last?.download == .init(bytes: 10, expected: 10))
    }

    @Test func `TN-14 a 200 starts over`() async throws {
        let (response, _, ranges, _) = try await run([
            Self.broken("xxxx"), .respond(headers: [.eTag: "\"v2\"", .contentLength: "10"], body: Self.whole),
        ])
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-"])
    }

    @Test func `TN-14 a 200 that breaks off as well is gone on with from its own bytes`() async throws {
        let (response, requests, ranges, _) = try await run([
            Self.broken("xxxx"), Self.broken("012", [.eTag: "\"v2\"", .contentLength: "10"]),
            .respond(status: .partialContent, headers: [.contentRange: "bytes 3-9/10"], body: Data("3456789".utf8)),
        ])
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-", "bytes=3-"])
        #expect(requests[2].headers[.ifRange] == "\"v2\"")
    }

    @Test(arguments: [
        Script.respond(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */3"]), rest("3456789", "bytes 3-9/10"),
        .respond(headers: [.contentRange: "bytes 4-9/10"], body: Data("456789".utf8)),
        .respond(status: .partialContent, headers: [.contentType: "multipart/byteranges; boundary=b"], body: Data("--b".utf8)),
    ])
    func `TN-14 an answer that doesn't fit is dropped, and the whole asked for at once`(_ answer: Script) async throws {
        let (response, _, ranges, _) = try await run([Self.broken("0123"), answer, .respond(headers: Self.tag, body: Self.whole)])
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-", "whole"])
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry, .restart])
        #expect(response.metrics.attempts.map(\.disposition) == [.retrying, .restarting, .completing])
    }

    @Test func `TN-14 a 416 of the length that is there completes the body, and its own body is none of it`() async throws {
        let (response, _, _, _) = try await run([
            Self.broken("0123456789", [.eTag: "\"v1\""]),
            .respond(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */10"], body: Data("sorry".utf8)),
        ])
        try expectWhole(response)
    }

    @Test func `TN-14 an error in between takes nothing away`() async throws {
        let (response, _, ranges, _) = try await run([
            Self.broken("0123"), .respond(status: .serviceUnavailable, body: Data("busy".utf8)), .fail(.reset),
            Self.rest("456789", "bytes 4-9/10"),
        ])
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-", "bytes=4-", "bytes=4-"])
    }

    @Test func `TN-14 an error that ends it is the answer, with its own body`() async throws {
        let (response, _, _, _) = try await run([Self.broken("0123"), .respond(status: .notFound, body: Data("gone".utf8))])
        #expect(response.info?.head.status == .notFound)
        #expect(try response.info?.body.contents() == Data("gone".utf8))
    }

    @Test func `TN-14 without a strong validator it starts over`() async throws {
        let (response, _, ranges, _) = try await run([
            Self.broken("0123", [.eTag: "W/\"v1\""]), .respond(headers: Self.tag, body: Self.whole),
        ])
        try expectWhole(response)
        #expect(ranges == ["whole", "whole"])
    }

    @Test func `TN-14 a rest that ends too soon is cut off as well`() async throws {
        let (response, _, ranges, _) = try await run([
            Self.broken("0123"), Self.rest("45", "bytes 4-9/10"), Self.rest("6789", "bytes 6-9/10"),
        ])
        try expectWhole(response)
        #expect(ranges == ["whole", "bytes=4-", "bytes=6-"])
    }

    // MARK: Streams

    @Test func `TN-14 a stream goes on where it was, through errors that pass`() async throws {
        let (response, _, ranges, streamed) = try await run(
            [
                Self.broken("0123"), .respond(status: .serviceUnavailable, body: Data("busy".utf8)),
                Self.rest("456789", "bytes 4-9/10"),
            ],
            .stream)
        try expectWhole(response, Data())
        #expect(streamed == Self.whole)
        #expect(ranges == ["whole", "bytes=4-", "bytes=4-"])
    }

    @Test(arguments: [
        Script.respond(headers: [.eTag: "\"v2\""], body: Data("other".utf8)), rest("3456789", "bytes 3-9/10"),
        .respond(status: .notFound, body: Data("gone".utf8)),
    ])
    func `TN-14 a stream whose rest isn't there fails, and hands out nothing else`(_ answer: Script) async throws {
        let (response, _, _, streamed) = try await run([Self.broken("0123"), answer], .stream)
        #expect(response.error?.code == .cannotResume)
        #expect(response.error?.message.contains("after its first 4 bytes had been handed out") == true)
        #expect(streamed == Data("0123".utf8))
    }

    @Test func `TN-14 a stream without a validator isn't tried again once a part is handed out`() async throws {
        let (response, _, ranges, streamed) = try await run([Self.broken("0123", [:])], .stream)
        #expect(response.error == .reset)
        #expect(ranges == ["whole"])
        #expect(streamed == Data("0123".utf8))
    }

    @Test func `TN-14 curl's rules retry a broken body only where the rest will do`() async throws {
        let rules = RetryRules.curl(retries: 9).on
        let (resumed, _, _, _) = try await run([Self.broken("0123"), Self.rest("456789", "bytes 4-9/10")], on: rules)
        try expectWhole(resumed)
        let (failed, _, ranges, _) = try await run([Self.broken("0123", [:])], on: rules)
        #expect(failed.error == .reset)
        #expect(ranges == ["whole"])
    }
}
