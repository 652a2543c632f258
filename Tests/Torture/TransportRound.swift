import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting

/// One client with one set of connections, and batch after batch of operations through one queue.
struct TransportRound {
    let number: Int
    let server: TortureServer
    private var random: SeededGenerator

    private static let batches = 6
    private static let batchSize = 30

    init(number: Int, seed: UInt64, server: TortureServer) {
        self.number = number
        self.server = server
        random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    }

    mutating func play(_ tally: inout Tally) async throws -> [String] {
        let before = Descriptors.open
        var problems = try await send(&tally)
        // The transport's thread lets go of its connections when nobody has the transport any more.
        problems += await Descriptors.problems(before: before)
        return problems
    }

    private mutating func send(_ tally: inout Tally) async throws -> [String] {
        let transport = CurlTransport(pool: ConnectionPool(limit: Int.random(in: 2...16, using: &random)))
        let client = NetworkClient(transport: transport, settings: .init(maxConcurrentPerHost: 12, maxConcurrent: 24))
        let recorder = EventRecorder()
        client.addObserver(recorder)
        let queue = try RequestOperationQueue(identifier: "torture.\(number)", client: client)
        var problems: [String] = []
        for batch in 0..<Self.batches where problems.isEmpty {
            let probes = (0..<Self.batchSize).map { probe(number * 1000 + batch * Self.batchSize + $0) }
            var ends: [TortureRules.End] = []
            await withTaskGroup { group in
                for probe in probes {
                    queue.enqueue(probe.operation)
                    group.addTask { await probe.end() }
                    if let delay = probe.cancelsAfter {
                        group.addTask {
                            try? await Task.sleep(for: delay)
                            probe.operation.cancel("the torture")
                            return nil
                        }
                    }
                }
                for await case let end? in group { ends.append(end) }
            }
            await queue.drain()
            problems += TortureRules(page: try server.turnPage()).problems(ends) + recorder.violations
            tally.requests += ends.count
            tally.succeeded += ends.count { $0.failure == nil }
            if !queue.operations.isEmpty { problems.append("\(queue.operations.count) operations are left in the queue") }
        }
        if client.executingConnectionCount != 0 {
            problems.append("\(client.executingConnectionCount) operations are counted as executing after the end")
        }
        return problems
    }

    // MARK: Requests

    private mutating func probe(_ id: Int) -> TortureProbe {
        let way = TortureProtocol.allCases.randomElement(using: &random)!
        let method: HTTPRequest.Method = [.get, .get, .get, .get, .head, .post, .post, .put, .delete].randomElement(using: &random)!
        let takesBody = method == .post || method == .put
        var request = Request(
            url: URL(string: server.url(id, over: way))!, method: method, body: takesBody ? body() : .none)
        if Bool.random(using: &random) { request.headers[HTTPField.Name("X-Torture")!] = "round \(number)" }
        let operation = RequestOperation(request, configuration: configuration(id, way, method))
        let isCancelled = Int.random(in: 0..<15, using: &random) == 0
        return TortureProbe(
            id: id, method: method.rawValue, operation: operation,
            cancelsAfter: isCancelled ? .milliseconds(Int.random(in: 0...40, using: &random)) : nil)
    }

    private mutating func body() -> RequestBody {
        let bytes = Data(repeating: 0x62, count: Int.random(in: 0...40_000, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let pieces = stride(from: 0, to: bytes.count, by: 1500).map { bytes[$0..<min($0 + 1500, bytes.count)] }
            let stream = AsyncStream<Data> { continuation in
                for piece in pieces { continuation.yield(Data(piece)) }
                continuation.finish()
            }
            return .stream(RequestBodyStream(stream, length: Bool.random(using: &random) ? Int64(bytes.count) : nil))
        case 1: return .none
        default: return .data(bytes)
        }
    }

    private mutating func configuration(_ id: Int, _ way: TortureProtocol, _ method: HTTPRequest.Method) -> RequestConfiguration {
        var configuration = RequestConfiguration()
        // The server ends every answer but those of these numbers.
        configuration.timeouts =
            id % 10 == 0
            ? Timeouts(
                connect: .seconds(5), idle: .milliseconds(300), attempt: .seconds(2), operation: .seconds(5),
                idleMode: .includingInitialConnection)
            : Timeouts(connect: .seconds(60), idle: .seconds(60), attempt: .seconds(100), operation: .seconds(150))
        configuration.consumption = [
            .none, .memory(spillOver: 10_000), .memory(spillOver: 1 << 20), .file(directory: nil), .stream,
        ]
        .randomElement(using: &random)!
        configuration.redirects.limit = 8
        configuration.transport.tls.authorities = server.authority
        configuration.transport.acceptsCompression = Bool.random(using: &random)
        switch way {
        case .http1, .tlsHTTP1: configuration.transport.httpVersion = .http1
        case .http2: configuration.transport.httpVersion = .http2PriorKnowledge
        case .tls: configuration.transport.httpVersion = .automatic
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            configuration.transport.authentication = .digest(Credential(user: "ada", password: "lovelace"))
        }
        if Int.random(in: 0..<10, using: &random) == 0 { configuration.transport.expectsContinue = true }
        if Int.random(in: 0..<6, using: &random) == 0, method != .post {
            configuration.retry = [RetryRules(attempts: 2, backoff: RetryBackoff(first: .milliseconds(1)))]
        }
        return configuration
    }
}

/// An operation, and what is known of its end.
struct TortureProbe: Sendable {
    var id: Int
    var method: String
    var operation: RequestOperation
    var cancelsAfter: Duration?

    private var way: String {
        let configuration = operation.configuration
        let body =
            switch operation.originalRequest.body {
            case .none: "no body"
            case .data(let data): "\(data.count) bytes"
            case .file: "a file"
            case .stream(let stream): "a stream of \(stream.length.map(String.init) ?? "unknown length")"
            }
        return "\(configuration.transport.httpVersion.rawValue), \(body), \(configuration.consumption)"
            + (configuration.transport.expectsContinue ? ", expects 100" : "")
            + (configuration.transport.authentication == nil ? "" : ", digest") + (configuration.retry.isEmpty ? "" : ", retry")
    }

    func end() async -> TortureRules.End? {
        var streamed: Data?
        if operation.configuration.consumption == .stream {
            var data = Data()
            do {
                for try await piece in operation.body { data += piece }
                streamed = data
            } catch {
                // How it ended is in its response.
            }
        }
        let response = await operation.response
        var end = TortureRules.End(id: id, method: method, way: " (\(way))", isCancelled: cancelsAfter != nil)
        end.failure = response.error.map { $0.type.isEmpty ? "" : "\($0.type): \($0.message)" }
        end.isTimeout = response.error?.code.isTimeout ?? false
        end.status = response.info?.head.status.code
        end.field = response.info?[header: "x-id"]
        switch operation.configuration.consumption {
        case .none: end.body = nil
        case .stream: end.body = streamed
        default: end.body = try? response.info?.body.contents()
        }
        return end
    }
}

/// What this process has open.
enum Descriptors {
    static var open: [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Others, such as the runtime's own, come when they are first needed, and stay.
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .filter { $0.hasPrefix("socket:") || $0.hasPrefix("/") && !$0.hasPrefix("/proc/") && !$0.hasPrefix("/dev/") }
    }

    /// Waits until there are no more than before, or it is plain that there will be.
    static func problems(before: [String]) async -> [String] {
        let limit = ContinuousClock.now + .seconds(20)
        var now = open
        while now.count > before.count, ContinuousClock.now < limit {
            try? await Task.sleep(for: .milliseconds(5))
            now = open
        }
        guard now.count > before.count else { return [] }
        return [
            "\(now.count - before.count) descriptors are left open, among them \(Array(Set(now).subtracting(before).prefix(5)))"
        ]
    }
}
