import Foundation
import HTTPTypes
import NetworkLayer
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct ResolvingTests {
    /// Answers from a table, and remembers what it was asked.
    private final class TableOfSecrets: SecretSource {
        let values: [SecretReference: String]
        let asked = Mutex<[SecretReference]>([])

        init(_ values: [SecretReference: String]) { self.values = values }

        func read(_ secret: PermittedSecret) async throws(SecretError) -> String {
            let reference: SecretReference =
                switch secret {
                case .environment(let name, _): .environment(name)
                case .command(let words, _, _): .command(words)
                case .file(let file): .file(file.path)
                case .prompt(let message): .prompt(message)
                }
            asked.withLock { $0.append(reference) }
            guard let value = values[reference] else { throw SecretError("\(reference) is not in the table") }
            return value
        }
    }

    /// Never asked for anything: nothing is enqueued here.
    private struct NoTransport: Transport {
        func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
            preconditionFailure("nothing is sent")
        }
    }

    private static let text = """
        turnstone: 1
        variables:
          user: { secret: { env: USER_NAME } }
          token: { secret: { command: [pass, token] } }
          header: "Token {{token}}"
          unused: { secret: { file: nowhere } }
        requests:
          plain: { get: http://localhost/plain, priority: high, timeouts: { idle: never } }
          secret:
            get: http://localhost/secret
            headers: { x-token: "{{header}}", x-user: "{{user}}" }
        """

    private static func load() throws -> RequestCollection {
        let file = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try RequestCollection.load(path: file.path)
    }

    private static func runner(_ secrets: TableOfSecrets) throws -> CollectionRunner {
        CollectionRunner(
            queue: try RequestOperationQueue(identifier: "runner", client: NetworkClient(transport: NoTransport())),
            secrets: secrets, trust: .open)
    }

    @Test func `a request without secrets asks for none`() async throws {
        let collection = try Self.load()
        let secrets = TableOfSecrets([:])
        let definition = try #require(collection.request(RequestID(rawValue: "plain")))
        let operation = try await Self.runner(secrets).fill(RunJob(definition, in: collection), in: NodeContext()).operation
        #expect(secrets.asked.withLock { $0 } == [])
        #expect(operation.originalRequest.url.absoluteString == "http://localhost/plain")
        #expect(operation.priority == .high)
        #expect(operation.configuration.timeouts.idle == nil)
        #expect(operation.configuration.consumption == .memory(spillOver: 1 << 20))
        #expect(operation.state == .idle)
    }

    @Test func `the secrets that a request needs are read, commands once, and are known for masking`() async throws {
        let collection = try Self.load()
        let secrets = TableOfSecrets([.environment("USER_NAME"): "ada", .command(["pass", "token"]): "t-1"])
        let runner = try Self.runner(secrets)
        let definition = try #require(collection.request(RequestID(rawValue: "secret")))
        let resolved = try await runner.resolve(RunJob(definition, in: collection))
        #expect(resolved.request.headers.map { "\($0.name): \($0.value)" } == ["x-token: Token t-1", "x-user: ada"])
        #expect(resolved.secrets == ["t-1", "ada"])
        _ = try await runner.resolve(RunJob(definition, in: collection))
        #expect(
            secrets.asked.withLock { $0 } == [.command(["pass", "token"]), .environment("USER_NAME"), .environment("USER_NAME")])
        #expect(runner.forgetAnswers() == 1)
        _ = try await runner.resolve(RunJob(definition, in: collection))
        #expect(secrets.asked.withLock { $0 }.count == 5)
    }

    @Test func `a secret that can't be read is an error at its variable`() async throws {
        let collection = try Self.load()
        let definition = try #require(collection.request(RequestID(rawValue: "secret")))
        let runner = try Self.runner(TableOfSecrets([:]))
        let error = await #expect(throws: ResolutionError.self) {
            try await runner.resolve(RunJob(definition, in: collection))
        }
        #expect(error?.code == .secret)
        #expect(error?.description == "\(collection.path):4:3: the command `pass token` is not in the table")
    }

    @Test func `an error of the request is thrown as it is`() async throws {
        let collection = try Self.load()
        let definition = try #require(collection.request(RequestID(rawValue: "plain")))
        let runner = try Self.runner(TableOfSecrets([:]))
        await #expect(throws: ResolutionError(.environment, "there is no environment `x`; the collection has none")) {
            try await runner.resolve(RunJob(definition, in: collection, environment: "x"))
        }
    }

    @Test func `whoever says how long a body may be expects that it grows`() throws {
        func ratio(_ limit: Int64, _ request: String = "{ get: http://h.test/ }") throws -> DecodedRatio? {
            let bench = try RunnerBench("requests: { a: \(request) }", limits: .init(bodyBytes: limit))
            let resolved = try bench.collection.resolve(bench.collection.requests[0], environment: nil, with: TemplateEnvironment())
            let job = RunJob(bench.collection.requests[0], in: bench.collection)
            return bench.runner.operation(for: resolved, of: job, nil, nil).configuration.limits.decodedRatio
        }
        #expect(try ratio(CollectionRunner.Limits.defaultBodyBytes) != nil)
        #expect(try ratio(5 << 30) == nil)
        #expect(try ratio(CollectionRunner.Limits.defaultBodyBytes, "{ get: http://h.test/, response: { limit: 5GiB } }") == nil)
    }
}
