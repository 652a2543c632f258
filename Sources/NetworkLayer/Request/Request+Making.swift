public import Base
public import HTTPTypes

extension Request {
    /// - Parameters:
    ///   - query: goes behind what the URL's own query has, sorted by name; of a list one parameter for each element, of `nil` none.
    ///   - body: sets `Content-Type`, unless `headers` do.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: HTTPFields = [:], body: RequestContent = .none
    ) {
        self.init(url: url.requestURL, method: method, headers: headers)
        if !query.isEmpty, self.url.refusal == nil { self.url = self.url.adding(query) }
        guard body != .none else { return }
        content = body
        if let given = headers[.contentType] { self.headers[.contentType] = given }
    }

    /// - Parameter url: what is no URL makes a request that fails with code `invalidURL` when it is sent.
    public init(url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestContent = .none) {
        self.init(method, url, headers: headers, body: body)
    }

    /// - Parameter json: the body as JSON.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: HTTPFields = [:], json: some Encodable
    ) {
        self.init(method, url, query: query, headers: headers, body: .json(json))
    }

    /// A GET; `query` goes behind what the URL has.
    public static func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:]
    ) -> Request {
        Request(.get, url, query: query, headers: headers)
    }

    /// A HEAD; `query` goes behind what the URL has.
    public static func head(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:]
    ) -> Request {
        Request(.head, url, query: query, headers: headers)
    }

    /// A DELETE; `query` goes behind what the URL has.
    public static func delete(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:]
    ) -> Request {
        Request(.delete, url, query: query, headers: headers)
    }

    /// - Parameter json: the body as JSON; instead of `body`.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:], json: some Encodable
    ) -> Request {
        Request(.post, url, query: query, headers: headers, body: .json(json))
    }

    /// A POST with a body of any kind, or with none.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        body: RequestContent = .none
    ) -> Request {
        Request(.post, url, query: query, headers: headers, body: body)
    }

    /// A POST with a form, `application/x-www-form-urlencoded`: see ``RequestContent/form(_:)``.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        form: [String: (any URLEncodable)?]
    ) -> Request {
        Request(.post, url, query: query, headers: headers, body: .form(form))
    }

    /// - Parameter json: the body as JSON; instead of `body`.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:], json: some Encodable
    ) -> Request {
        Request(.put, url, query: query, headers: headers, body: .json(json))
    }

    /// A PUT with a body of any kind, or with none.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        body: RequestContent = .none
    ) -> Request {
        Request(.put, url, query: query, headers: headers, body: body)
    }

    /// - Parameter json: the body as JSON; instead of `body`.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:], json: some Encodable
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, body: .json(json))
    }

    /// A PATCH (RFC 5789) with a body of any kind, or with none.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        body: RequestContent = .none
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, body: body)
    }

    /// The field of that name in any case; several of it joined by `, `. Setting replaces all of them, setting `nil` removes them.
    ///
    /// A name that can't be one (RFC 9110, section 5.1) has no value; a request for which one was set fails with code `invalidRequest`.
    public subscript(header name: String) -> String? {
        get { headers[name] }
        set { headers[name] = newValue }
    }
}

extension Request: ExpressibleByStringInterpolation {
    /// A GET: `client.value(for: "https://birds.example/birds/\(number)", as: Bird.self)`. What is interpolated goes into the URL as it is.
    public init(stringLiteral url: String) {
        self = .get(url)
    }
}

extension HTTPFields {
    /// Fields by names that are written out, sorted by them: `HTTPFields(["X-Auth": "abc"])`. A request with a name that can't be one
    /// (RFC 9110, section 5.1) fails with code `invalidRequest` when it is sent.
    public init(_ fields: [String: String]) {
        self.init()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// Stands for the fields whose names can't be any, which are its values.
    private static let misnamed = HTTPField.Name("misnamed-field")!

    /// What is wrong with a name that was written out.
    var nameError: NetworkError? {
        self[Self.misnamed].map { name in
            NetworkError(
                .invalidRequest, phase: .preparation, type: "http.request.header.invalid",
                message: "\"\(name)\" is no name of a header field: "
                    + "letters, digits and !#$%&'*+-.^_`|~ only (RFC 9110, section 5.1).")
        }
    }

    /// The field of that name in any case: `response.headers["X-Total"]`. Several of it are joined by `, `; setting replaces all of them.
    ///
    /// A name that can't be one (RFC 9110, section 5.1) has no value; a request with one that was set fails with code `invalidRequest`.
    @_disfavoredOverload
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            if let name = HTTPField.Name(name) {
                self[name] = newValue
            } else if newValue != nil {
                self[Self.misnamed] = name
            }
        }
    }
}

extension HTTPRequest.Method {
    /// The method that somebody wrote: those of RFC 9110 and PATCH in any case (REQ-4), any other token as it is, because methods are
    /// case-sensitive. `nil` for what is no token.
    public init?(written text: String) {
        let upper = text.uppercased()
        let standard: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
        self.init(standard.contains(upper) ? upper : text)
    }
}

/// Header fields by names that are written out: `["X-Auth": "abc"]`, where HTTPTypes' fields have `[.authorization: "abc"]`. A name that
/// can't be one (RFC 9110, section 5.1) makes a request that fails with code `invalidRequest` when it is sent.
extension Request {
    /// As ``init(_:_:query:headers:body:)`` with fields of HTTPTypes.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: [String: String], body: RequestContent = .none
    ) {
        self.init(method, url, query: query, headers: HTTPFields(headers), body: body)
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
