public import Base
public import HTTPTypes

/// The request of a call, and the call: what ``RequestOperation/source`` is for operations of an ``EndpointClient``.
public struct EndpointRequest<Call: Endpoint>: RequestConvertible {
    /// As it was sent.
    public let call: Call
    /// What was made of it, before hydration.
    public let request: Request

    public var url: URL { request.url }
    public var method: HTTPRequest.Method { request.method }
    public var headers: HTTPFields { request.headers }
    public var body: RequestBody { request.body }
}
