public import Base
public import HTTPTypes

/// A body with the type of what is in it.
///
///     Request.post("https://birds.example/birds", body: .json(bird))
///     Request.put("https://birds.example/photo", body: .file(path: "knot.jpg"))
public struct RequestContent: Sendable, Hashable {
    /// The bytes, or where they come from.
    public var body: RequestBody
    /// For `Content-Type`, unless the request has that field; `nil`: nothing is said.
    public var contentType: String?
    /// Why there is nothing to send.
    private(set) var error: NetworkError?

    /// - Parameter contentType: in full, with its parameters: `text/csv; charset=utf-8`.
    public init(_ body: RequestBody, contentType: String? = nil) {
        self.body = body
        self.contentType = contentType
    }

    /// No body.
    public static var none: RequestContent { RequestContent(.none) }

    /// Bytes.
    public static func data(_ data: Data, contentType: String? = nil) -> RequestContent {
        RequestContent(.data(data), contentType: contentType)
    }

    /// A file, read while it is sent.
    public static func file(path: String, contentType: String? = nil) -> RequestContent {
        RequestContent(.file(path: path), contentType: contentType)
    }

    /// Bytes that are made while they are sent.
    public static func stream(_ stream: RequestBodyStream, contentType: String? = nil) -> RequestContent {
        RequestContent(.stream(stream), contentType: contentType)
    }

    /// JSON, `application/json`. What can't be encoded makes a request that fails with code `invalidParameters` when it is sent.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> RequestContent {
        do {
            return RequestContent(.data(try encoder.encode(value)), contentType: ContentType.json.rawValue)
        } catch {
            return .refused(.invalidParameters("\(type(of: value)) can't be encoded as JSON: \(error)"))
        }
    }

    /// `application/x-www-form-urlencoded`, sorted by name; of a list one field for each element, of `nil` none.
    public static func form(_ fields: [String: (any URLEncodable)?]) -> RequestContent {
        RequestContent(.data(Data(URLCoding.form(fields).utf8)), contentType: ContentType.urlEncodedForm.rawValue)
    }

    /// A form with files, `multipart/form-data`.
    public static func multipart(_ form: MultipartBody) -> RequestContent {
        RequestContent(form.body, contentType: form.contentType)
    }

    /// Text in UTF-8.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestContent {
        RequestContent(.data(Data(text.utf8)), contentType: contentType)
    }

    private static func refused(_ error: NetworkError) -> RequestContent {
        var content = RequestContent(.none)
        content.error = error
        return content
    }
}

extension Request {
    /// ``body`` with its `Content-Type`. Setting it replaces that field, or removes it where the content has no type.
    public var content: RequestContent {
        get { RequestContent(body, contentType: headers[.contentType]) }
        set {
            body = newValue.body
            headers[.contentType] = newValue.contentType
            if let error = newValue.error { url = .refused(error) }
        }
    }
}

extension EndpointCall {
    /// A call with a value as JSON, or with a body of any kind.
    ///
    ///     case .add(let bird): EndpointCall(.post, "birds", json: bird)
    ///
    /// - Parameter path: the parts of the path below the environment; each is percent-encoded, a slash in it too.
    public init(
        _ method: HTTPRequest.Method, _ path: String..., json: (any Encodable)? = nil, body: RequestContent = .none,
        headers: HTTPFields = [:], configuration: EndpointConfiguration = .init()
    ) {
        let body = json.map { .json($0) } ?? body
        let content: Content =
            body == .none ? .parameters([:]) : body.error.map(Content.refused) ?? .body(body.body, contentType: body.contentType)
        self.init(method, at: .path(path), content: content, headers: headers, configuration: configuration)
    }
}

/// What a request can be made for: a `URL`, or a string that is one.
///
/// In a string, what can't stand in a URL is percent-encoded, nothing is encoded twice, and the host may be beyond ASCII. A string that
/// is no URL makes a request that fails with code `invalidURL` when it is sent: there is no optional to unwrap, and nothing to catch
/// before.
public protocol URLConvertible: Sendable {
    /// The URL to send to. What can't be one gives a URL that carries the reason, with which the request then fails (code `invalidURL`).
    var requestURL: URL { get }
}

extension URL: URLConvertible {
    /// The URL itself.
    public var requestURL: URL { self }
}

extension String: URLConvertible {
    /// The text as a URL (RFC 3986); a host beyond ASCII is written as it travels (RFC 5891).
    public var requestURL: URL {
        URL(international: self)
            ?? .refused(
                NetworkError(
                    .invalidURL, phase: .preparation, type: ErrorType.invalidURL,
                    message: "\"\(self)\" can't be requested: it is no URL. Write https://host/path."))
    }
}

extension URL {
    /// The URL of a request that could not be made, which says why: what is asked for a value fails where errors are looked at, in the
    /// response.
    static func refused(_ error: NetworkError) -> URL {
        var url = URLComponents()
        url.scheme = "about"
        url.path = "invalid"
        url.percentEncodedFragment = "\(error.code.rawValue):\(URLCoding.percentEncoded(error.message))"
        guard let url = url.url else { preconditionFailure("Every part of it is ASCII") }
        return url
    }

    /// The reason that was given to ``refused(_:)``.
    var refusal: NetworkError? {
        guard absoluteString.hasPrefix("about:invalid#"), let halves = absoluteString.dropFirst(14).halves(at: ":"),
            let code = Int(halves.before).flatMap(NetworkError.Code.init)
        else { return nil }
        let type = code == .invalidParameters ? ErrorType.invalidParameters : ErrorType.invalidURL
        return NetworkError(code, phase: .preparation, type: type, message: URLCoding.percentDecoded(halves.behind))
    }

    /// This URL with more parameters behind those of its own query, sorted by name; those that are `nil` are left out.
    func adding(_ query: [String: (any URLEncodable)?]) -> URL {
        let text = URLCoding.form(query)
        guard !text.isEmpty else { return self }
        let halves = absoluteString.halves(at: "#")
        let fragment = halves.map { "#\($0.behind)" } ?? ""
        return URL(string: "\(halves?.before ?? absoluteString[...])\(self.query() == nil ? "?" : "&")\(text)\(fragment)") ?? self
    }
}

extension NetworkError {
    static func invalidParameters(_ message: String) -> NetworkError {
        NetworkError(.invalidParameters, phase: .preparation, type: ErrorType.invalidParameters, message: message)
    }
}
