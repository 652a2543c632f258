public import Base
public import HTTPTypes

extension Request {
    /// - Parameters:
    ///   - query: goes behind what the URL's own query has, sorted by name; of a list one parameter for each element, of `nil` none.
    ///   - json: the body as JSON.
    ///   - form: the body as `application/x-www-form-urlencoded`: see ``RequestContent/form(_:)``.
    ///   - body: a body of any other kind. Its type, as that of `json` and `form`, is the `Content-Type` unless `headers` have one.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: HTTPFields = [:], json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil,
        body: RequestContent = .none
    ) {
        self.init(url: url.requestURL, method: method, headers: headers)
        if !query.isEmpty, self.url.refusal == nil { self.url = self.url.adding(query) }
        let body = json.map { .json($0) } ?? form.map(RequestContent.form) ?? body
        guard body != .none else { return }
        content = body
        if let given = headers[.contentType] { self.headers[.contentType] = given }
    }

    /// As ``init(_:_:query:headers:json:form:body:)-(_,_,_,HTTPFields,_,_,_)``, with labels.
    public init(
        method: HTTPRequest.Method, url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: HTTPFields = [:], json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil,
        body: RequestContent = .none
    ) {
        self.init(method, url, query: query, headers: headers, json: json, form: form, body: body)
    }

    /// - Parameter url: what is no URL makes a request that fails with code `invalidURL` when it is sent.
    public init(url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestContent = .none) {
        self.init(method, url, headers: headers, body: body)
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

    /// A POST of JSON, of a form, of a body of any other kind, or of none.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.post, url, query: query, headers: headers, json: json, form: form, body: body)
    }

    /// A PUT of JSON, of a form, of a body of any other kind, or of none.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.put, url, query: query, headers: headers, json: json, form: form, body: body)
    }

    /// A PATCH (RFC 5789) of JSON, of a form, of a body of any other kind, or of none.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, json: json, form: form, body: body)
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
    package init?(written text: String) {
        let upper = text.uppercased()
        let standard: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
        self.init(standard.contains(upper) ? upper : text)
    }
}

/// Header fields by names that are written out: `["X-Auth": "abc"]`, where HTTPTypes' fields have `[.authorization: "abc"]`. A name that
/// can't be one (RFC 9110, section 5.1) makes a request that fails with code `invalidRequest` when it is sent.
extension Request {
    /// As with fields of HTTPTypes.
    public init(
        _ method: HTTPRequest.Method, _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:],
        headers: [String: String], json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil,
        body: RequestContent = .none
    ) {
        self.init(method, url, query: query, headers: HTTPFields(headers), json: json, form: form, body: body)
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

    /// A POST, with fields by names that are written out.
    public static func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.post, url, query: query, headers: headers, json: json, form: form, body: body)
    }

    /// A PUT, with fields by names that are written out.
    public static func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.put, url, query: query, headers: headers, json: json, form: form, body: body)
    }

    /// A PATCH, with fields by names that are written out.
    public static func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        json: (any Encodable)? = nil, form: [String: (any URLEncodable)?]? = nil, body: RequestContent = .none
    ) -> Request {
        Request(.patch, url, query: query, headers: headers, json: json, form: form, body: body)
    }
}
