public import Base
public import HTTPTypes

/// An answer whose status was no success, as an error carries it.
public struct UnsuccessfulResponse: Sendable, Hashable, Codable {
    /// Status line and fields as they came.
    public var head: ResponseHead
    /// As much as was kept of it; one in a file isn't copied into the error: ``Response/info`` has it.
    public var body: Data

    /// An answer with this head, and as much of its body as there is.
    public init(head: ResponseHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    /// No 2xx.
    public var status: HTTPResponse.Status { head.status }
    /// The header fields of the answer.
    public var headers: HTTPFields { head.headers }

    /// The body as JSON of `type`: what a server says of a failure.
    public func decode<Value: Decodable>(as type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension NetworkError {
    /// The status that was no success, with code `unsuccessfulStatus`; `nil` with any other.
    public var status: HTTPResponse.Status? { response?.status }
}
