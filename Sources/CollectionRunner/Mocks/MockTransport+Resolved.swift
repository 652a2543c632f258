import Base
import HTTPTypes
import MockTransport
import NetworkLayer
import RequestCollections

extension MockTransport {
    /// The operation is answered by the mock of its request, and no other one is.
    func register(_ mock: ResolvedMock, for operation: OperationID, of request: Request) {
        let response: MockResponse =
            switch mock.body {
            case .data(let data): MockResponse(status: mock.status, headers: mock.headers, body: data)
            case .file(let file): .file(file, status: mock.status, headers: mock.headers)
            }
        let behavior = MockBehavior(
            bitsPerSecond: mock.bytesPerSecond * 8, latency: mock.latency, delay: mock.delay,
            failure: mock.error.map { .mocked($0, for: request) })
        register(response, for: operation, behavior: behavior)
    }
}

extension NetworkError {
    fileprivate static func mocked(_ kind: FailureKind, for request: Request) -> NetworkError {
        let (code, type): (NetworkError.Code, String) =
            switch kind {
            case .timeout: (.attemptTimedOut, "http.response.timeout")
            case .dns: (.nameNotResolved, "dns.name_not_resolved")
            case .connection: (.cannotConnect, "tcp.refused")
            case .tls: (.tlsFailed, "tls.failed")
            case .protocol: (.protocolViolation, "http.response.invalid")
            case .limit: (.limitExceeded, "http.response.limit")
            case .authentication: (.authorizationFailed, "http.request.authorization")
            case .cancelled: (.cancelled, "abandoned")
            case .other: (.other, "unknown")
            }
        return NetworkError(
            code, phase: .connection, type: type,
            message:
                "The mock of \(request.method.rawValue) \(request.url.absoluteString) fails with \(kind.rawValue), as its file says."
        )
    }
}
