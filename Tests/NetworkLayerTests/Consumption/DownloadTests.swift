import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct DownloadTests {
    @Test func `TN-14 a download goes to a path with its progress, and says why it can't be saved`() async throws {
        let directory = try TemporaryDirectory()
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time) { _ in .respond(body: Data("saved".utf8)) }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
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

    // MARK: To a path

    private func start(_ path: String) throws -> (RequestOperation, ScriptedTransfer) {
        let time = ManualTimeSource()
        let transport = ScriptedTransport(time: time)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        var configuration = RequestConfiguration()
        configuration.consumption = .download(to: path)
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        return (operation, transport.transfers[0])
    }

    private func names(in directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test func `TN-14 the file has its name only when it is whole, and takes the place of the old one`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/saved"
        try Data("old".utf8).write(to: URL(filePath: path))
        let (operation, transfer) = try start(path)
        transfer.sendHead()
        transfer.sendBody(Data("new".utf8))
        #expect(try names(in: directory) == ["saved"], "what a killed program would leave")
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
        transfer.finish()
        let response = await operation.response
        #expect(response.error == nil)
        #expect(try response.info?.body.contents() == Data("new".utf8))
        #expect(try self.names(in: directory) == ["saved"])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("new".utf8))
    }

    @Test func `TN-14 what isn't whole goes away with its response, and the old file stays`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/saved"
        try Data("old".utf8).write(to: URL(filePath: path))
        do {
            let (operation, transfer) = try start(path)
            transfer.sendHead()
            transfer.sendBody(Data("ne".utf8))
            transfer.finish(.reset)
            let response = await operation.response
            #expect(response.error == .reset)
            #expect(response.info?.body.count == 2)
        }
        #expect(try names(in: directory) == ["saved"])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
    }

    @Test func `TN-14 a page that says why not is no download`() async throws {
        let directory = try TemporaryDirectory()
        let (operation, transfer) = try start(directory.path + "/saved")
        transfer.respond(.notFound, body: Data("gone".utf8))
        let response = await operation.response
        #expect(try response.info?.body.contents() == Data("gone".utf8))
        #expect(try names(in: directory) == [])
    }

    @Test func `TN-14 a body without bytes is a file without bytes`() async throws {
        let directory = try TemporaryDirectory()
        let (operation, transfer) = try start(directory.path + "/saved")
        transfer.respond()
        #expect(await operation.response.error == nil)
        #expect(try names(in: directory) == ["saved"])
    }

    @Test func `TN-14 downloadedFileCannotBeSaved names the path, before anything more is loaded`() async throws {
        let directory = try TemporaryDirectory()
        for path in [directory.path + "/missing/saved", directory.path] {
            let (operation, transfer) = try start(path)
            transfer.sendHead()
            transfer.sendBody(Data("x".utf8))
            #expect(transfer.isCancelled)
            let error = try #require(await operation.response.error)
            #expect(error.code == .downloadedFileCannotBeSaved)
            #expect(error.message.hasPrefix(path + " can't be saved"))
        }
        #expect(try names(in: directory) == [])
    }
}
