import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Synchronization

/// One transfer of a mock, with every event as a line: `0.5 head 200`.
final class Story: Sendable {
    let time = ManualTimeSource()
    private let heard = Mutex<[TransportEvent]>([])

    var events: [TransportEvent] { heard.withLock { $0 } }
    var lines: [String] { events.map(Self.line) }
    var head: ResponseHead? {
        events.lazy.compactMap { if case .head(let head) = $0.kind { head } else { nil } }.first
    }
    var body: String {
        let pieces = events.compactMap { if case .body(let data, _, _) = $0.kind { data } else { nil } }
        return String(decoding: pieces.reduce(Data(), +), as: UTF8.self)
    }
    var result: TransferResult? {
        if case .finished(let result) = events.last?.kind { result } else { nil }
    }

    @discardableResult
    func start(_ request: Request, _ transport: MockTransport) -> any Transfer {
        transport.start(TransferRequest(request: request)) { event in self.heard.withLock { $0.append(event) } }
    }

    /// The story of a GET of `http://a.test/` that is answered so.
    @discardableResult
    func tell(
        _ response: MockResponse, _ behavior: MockBehavior = .init(), headers: HTTPFields = [:],
        method: HTTPRequest.Method = .get, body: RequestBody = .none
    ) -> any Transfer {
        let transport = MockTransport(time: time)
        transport.register(response, at: .a, behavior: behavior)
        return start(Request(url: .a, method: method, headers: headers, body: body), transport)
    }

    private static func line(_ event: TransportEvent) -> String {
        let what =
            switch event.kind {
            case .connectionAcquired: "connection"
            case .requestHeadSent: "sending"
            case .uploadProgress(let progress): "uploaded \(progress.bytes) of \(progress.expected.map(String.init) ?? "?")"
            case .requestSent: "sent"
            case .head(let head): "head \(head.status.code)"
            case .body(let data, let received, let expected): "body +\(data.count) \(received)/\(expected ?? -1)"
            case .finished(let result): "finished\(result.error.map { " \($0.type)" } ?? "")"
            default: "\(event.kind)"
            }
        return "\(event.time.nanoseconds / 1_000_000) \(what)"
    }
}

extension URLConvertible where Self == URL {
    static var a: URL { URL(string: "http://a.test/")! }
    static var b: URL { URL(string: "http://b.test/next")! }
}

extension MockResponse {
    static let hello = MockResponse(body: Data("hello".utf8))
    static func redirect(_ status: HTTPResponse.Status = .found, to location: String = "http://b.test/next") -> MockResponse {
        MockResponse(status: status, headers: [.location: location])
    }
}

extension NetworkError {
    static let reset = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "Connection reset.")
}
