public import HTTPTypes
import NetworkLayer

/// Mocks at URLs that are written as strings, which a request reads in the same way: see ``URLConvertible``.
extension MockTransport {
    /// As ``register(_:at:behavior:)``.
    public func register(_ response: MockResponse, at url: String, behavior: MockBehavior = .init()) {
        register(response, at: url.requestURL, behavior: behavior)
    }

    /// As ``register(_:at:method:behavior:)``.
    public func register(
        _ response: MockResponse, at url: String, method: HTTPRequest.Method, behavior: MockBehavior = .init()
    ) {
        register(response, at: url.requestURL, method: method, behavior: behavior)
    }

    /// As ``register(_:at:query:method:behavior:)``.
    public func register(
        _ response: MockResponse, at url: String, query: MockQuery, method: HTTPRequest.Method? = nil,
        behavior: MockBehavior = .init()
    ) {
        register(response, at: url.requestURL, query: query, method: method, behavior: behavior)
    }
}
