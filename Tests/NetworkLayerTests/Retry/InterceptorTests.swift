import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// TermiNetwork's interceptors, which see how a request ended and let it go on or try again: retry policies.
@Suite(.watchesEvents) struct InterceptorTests {
    /// Answers the first transfer with a 503 and a word, the others with a 200 and another.
    private func stage() throws -> Stage {
        let isFirst = Mutex(true)
        return try Stage(usesClientRoles: false) { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return .respond(
                    status: isFirst ? .serviceUnavailable : .ok, body: Data((isFirst ? "come back later" : "here it is").utf8))
            }
        }
    }

    private let again = ScriptedPolicy { $0.status == .ok ? .abstain : .retry(after: .seconds(1), reason: "again") }

    @Test func `TN-7 an upload is sent again as a whole, from memory, a file or a stream`() async throws {
        // The scripted transport doesn't read them.
        let pieces = RequestBodyStream(isReplayable: true) { throw CancellationError() }
        for body in [RequestBody.data(Data("data".utf8)), .file(path: "/upload"), .stream(pieces)] {
            let stage = try stage()
            let operation = stage.enqueue(.post("http://a.test/", body: .init(body)), delegate: RequestDelegate()) {
                $0.retry = [again]
            }
            await stage.time.pass(.seconds(1), beforeRetryOf: operation)
            #expect(await operation.response.metrics.attempts.map(\.head?.status.code) == [503, 200])
            #expect(stage.transport.requests.map(\.body) == [body, body])
        }
    }

    @Test func `TN-7 a download keeps nothing of the answer that was given up`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/saved"
        let stage = try stage()
        let operation = stage.enqueue(delegate: RequestDelegate()) {
            $0.consumption = .file(directory: directory.path)
            $0.retry = [again]
        }
        await stage.time.pass(.seconds(1), beforeRetryOf: operation)
        let response = await operation.response
        guard case .file(let file)? = response.info?.body else {
            Issue.record("The body is no file: \(String(describing: response.info?.body))")
            return
        }
        try file.move(to: path)
        let saved = try Data(contentsOf: URL(filePath: path))
        #expect(saved == Data("here it is".utf8))
    }
}
