import Foundation
import HTTPTypes
import History
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

/// A runner over a transport that answers by path, and a collection from a text.
final class RunnerBench: RunObserver {
    let time = ManualTimeSource()
    let transport: ScriptedTransport
    let collection: RequestCollection
    let runner: CollectionRunner
    private let directory: String
    private let finished = Mutex<[RunResult]>([])

    init(
        _ text: String, files: [String: String] = [:], mocks: Bool = false, prompter: (any Prompter)? = nil,
        history: (any RunRecorder)? = nil, trust: TrustKeeper = .open, limits: CollectionRunner.Limits = .init(),
        cookies: SessionCookies? = nil,
        environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        answer: @escaping @Sendable (Request) -> Script = { _ in
            .respond(headers: [.contentType: "application/json"], body: Data("{}".utf8))
        }
    ) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)")) }
        try Data("turnstone: 1\n\(text)".utf8).write(to: URL(filePath: "\(directory)/shop.yaml"))
        collection = try RequestCollection.load(path: "\(directory)/shop.yaml")
        transport = ScriptedTransport(time: time) { answer($0.request) }
        let mocking = mocks ? MockTransport(time: time, fallback: transport) : nil
        let client = NetworkClient(transport: mocking ?? transport, time: time)
        runner = CollectionRunner(
            queue: try RequestOperationQueue(identifier: "runner", client: client), prompter: prompter, trust: trust,
            mocks: mocking, history: history, limits: limits, cookies: cookies, environment: environment)
        runner.addObserver(self)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func didFinish(_ result: RunResult) { finished.withLock { $0.append(result) } }

    /// The ids of all runs that ended, in that order.
    var ended: [String] { finished.withLock { $0.map(\.id.rawValue) } }

    /// What was sent: `GET /orders`.
    var sent: [String] { transport.requests.map { "\($0.method.rawValue) \($0.url.path())" } }

    func job(_ id: String, environment: String? = nil) throws -> RunJob {
        RunJob(try #require(collection.request(RequestID(rawValue: id))), in: collection, environment: environment)
    }

    func run(_ id: String, environment: String? = nil) async throws -> RunResult {
        await runner.run(try job(id, environment: environment))
    }
}

extension Script {
    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Script {
        .respond(status: status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }
}
