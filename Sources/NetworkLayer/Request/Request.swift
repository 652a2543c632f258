public import FoundationEssentials
public import HTTPTypes

/// What is sent: a URL, a method, header fields and a body. TNL's `TNLRequest`.
///
/// The same type stands for the request as the caller wrote it (``RequestOperation/originalRequest``) and for the request
/// of one attempt, after preparation and redirects (``AttemptMetrics/request``).
public struct Request: Sendable, Hashable {
    public var url: URL
    public var method: HTTPRequest.Method
    /// Ordered, repeatable, case-insensitive. A field whose value is empty is sent empty.
    public var headers: HTTPFields
    public var body: RequestBody

    public init(url: URL, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}
