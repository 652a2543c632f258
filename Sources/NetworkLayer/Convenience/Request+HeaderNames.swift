public import Base
public import HTTPTypes

/// Header fields by names that are written out: `["X-Auth": "abc"]`, where HTTPTypes' fields have `[.authorization: "abc"]`. A name that
/// can't be one (RFC 9110, section 5.1) makes a request that fails with code `invalidRequest` when it is sent.
extension Request {
    /// As ``init(_:_:query:headers:body:)`` with fields of HTTPTypes.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: [String: String], body: RequestContent = .none
    ) {
        var fields: HTTPFields = [:]
        var wrong: String?
        for (text, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(text) { fields.append(HTTPField(name: name, value: value)) } else { wrong = text }
        }
        self.init(method, url, query: query, headers: fields, body: body)
        guard let wrong else { return }
        self.url = .refused(
            NetworkError(
                .invalidRequest, phase: .preparation, type: "http.request.header.invalid",
                message: "\"\(wrong)\" is no name of a header field: "
                    + "letters, digits and !#$%&'*+-.^_`|~ only (RFC 9110, section 5.1)."))
    }

    /// As ``init(url:method:headers:body:)`` with fields of HTTPTypes.
    public init(url: URL, method: HTTPRequest.Method = .get, headers: [String: String], body: RequestBody = .none) {
        self.init(method, url, headers: headers, body: RequestContent(body))
    }

    /// A GET, with fields by names that are written out.
    public static func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String]
    ) -> Request {
        Request(.get, url, query: query, headers: headers)
    }

    /// A HEAD, with fields by names that are written out.
    public static func head(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String]
    ) -> Request {
        Request(.head, url, query: query, headers: headers)
    }

    /// A DELETE, with fields by names that are written out.
    public static func delete(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String]
    ) -> Request {
        Request(.delete, url, query: query, headers: headers)
    }

    /// A POST with a value as JSON, and fields by names that are written out.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String], json: some Encodable
    ) -> Request {
        Request(.post, url, query: query, headers: headers, body: .json(json))
    }

    /// A POST with a body of any kind, and fields by names that are written out.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        body: RequestContent = .none
    ) -> Request {
        Request(.post, url, query: query, headers: headers, body: body)
    }

    /// A PUT with a value as JSON, and fields by names that are written out.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String], json: some Encodable
    ) -> Request {
        Request(.put, url, query: query, headers: headers, body: .json(json))
    }

    /// A PUT with a body of any kind, and fields by names that are written out.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        body: RequestContent = .none
    ) -> Request {
        Request(.put, url, query: query, headers: headers, body: body)
    }

    /// A PATCH with a value as JSON, and fields by names that are written out.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String], json: some Encodable
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, body: .json(json))
    }

    /// A PATCH with a body of any kind, and fields by names that are written out.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        body: RequestContent = .none
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, body: body)
    }
}
