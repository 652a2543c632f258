import DemoServer
import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting

/// What a storm sends: to the demo server, which answers well, badly, slowly or not at all, and to mocks of the same kinds.
struct StormRequests: Sendable {
    private let urls: [URL]

    init(server: DemoServer) {
        let paths = [
            "/anything", "/anything", "/bytes/40kB", "/bytes/3MB", "/json?size=100kB", "/redirect/3", "/redirect/loop",
            "/redirect/to?url=\(server.secondURL)/anything", "/status/503", "/unavailable?key=storm&times=2", "/delay/50ms",
            "/drip?bytes=2000&duration=200ms", "/chunks?count=5&every=20ms", "/stall?bytes=1000", "/hang", "/trouble/close",
            "/trouble/reset-mid-body", "/trouble/truncated", "/gzip?size=100kB", "/early-hints",
        ]
        let mocks = ["fast", "slow", "failing", "cut"].map { "http://mock.test/\($0)" }
        urls = (paths.map { server.baseURL + $0 } + mocks + ["http://127.0.0.1:1/refused"]).compactMap { URL(string: $0) }
    }

    /// Mocks, and what isn't mocked goes to `other`.
    func transport(before other: any Transport) -> MockTransport {
        let mocks = MockTransport(fallback: other)
        let lost = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "The mock's connection broke.")
        let behaviors: [String: MockBehavior] = [
            "fast": MockBehavior(),
            "slow": MockBehavior(bitsPerSecond: 2_000_000, latency: .milliseconds(10)),
            "failing": MockBehavior(delay: .zero ... .milliseconds(30), failure: lost),
            "cut": MockBehavior(failure: lost, failureOffset: 5000),
        ]
        for (name, behavior) in behaviors {
            guard let url = URL(string: "http://mock.test/\(name)") else { continue }
            mocks.register(MockResponse(body: Data(repeating: 0x61, count: 20_000)), at: url, behavior: behavior)
        }
        return mocks
    }

    func operation(_ random: inout SeededGenerator) -> RequestOperation {
        var configuration = RequestConfiguration()
        // What hangs must end while the storm goes on.
        configuration.timeouts = Timeouts(
            idle: .milliseconds(Int.random(in: 100...800, using: &random)), attempt: .milliseconds(1200), operation: .seconds(3),
            idleMode: Timeouts.IdleTimeoutMode.allCases.randomElement(using: &random)!)
        configuration.consumption = [.none, .memory(spillOver: 10_000), .file(directory: nil), .stream].randomElement(
            using: &random)!
        configuration.redirects.limit = Int.random(in: 0...5, using: &random)
        if Bool.random(using: &random) { configuration.hash = .sha256 }
        if Bool.random(using: &random) {
            configuration.retry = [
                RetryRules(
                    attempts: 3, on: [.kind(.connection), .kind(.timeout), .statusClass(5)], methods: .all,
                    backoff: RetryBackoff(first: .milliseconds(20), factor: 2, max: .milliseconds(200), jitter: .full))
            ]
        }
        let isUpload = Int.random(in: 0..<4, using: &random) == 0
        let body = Data(repeating: 0x62, count: Int.random(in: 1...50_000, using: &random))
        let request = Request(
            url: urls.randomElement(using: &random)!, method: isUpload ? .post : .get, body: isUpload ? .data(body) : .none)
        let delegate = RequestDelegate(
            hydrator: Int.random(in: 0..<5, using: &random) == 0 ? Hydrator() : nil,
            events: Int.random(in: 0..<5, using: &random) == 0 ? Handler() : nil)
        return RequestOperation(
            request, configuration: configuration, delegate: delegate,
            priority: [.low, .normal, .high, .veryHigh].randomElement(using: &random)!)
    }

    private struct Hydrator: RequestHydrator {
        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
            await Task.yield()
            var hydrated = request
            hydrated.headers[.authorization] = "Bearer storm"
            return hydrated
        }
    }

    private struct Handler: RequestEventHandler {
        func handle(_ event: NetworkEvent, of operation: RequestOperation) async { await Task.yield() }
    }
}
