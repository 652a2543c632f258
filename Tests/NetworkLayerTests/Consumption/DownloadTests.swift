import FoundationEssentials
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct DownloadTests {
    @Test func `TN-14 a download goes to a path with its progress, and says why it can't be saved`() async throws {
        let directory = try TemporaryDirectory()
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time) { _ in .respond(body: Data("saved".utf8)) }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time))
        var configuration = RequestConfiguration()
        configuration.consumption = .file(directory: directory.path)
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        guard case .file(let file)? = await operation.response.info?.body else {
            return #expect(Bool(false), "the body is no file")
        }
        #expect(operation.metrics.attempts.last?.download == TransferProgress(bytes: 5, expected: 5))
        let error = #expect(throws: NetworkError.self) { try file.move(to: directory.path + "/missing/saved") }
        #expect(error?.code == .fileFailed)
        try file.move(to: directory.path + "/saved")
        #expect(try Data(contentsOf: URL(filePath: directory.path + "/saved")) == Data("saved".utf8))
    }
}
