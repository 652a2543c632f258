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
        do throws(NetworkError) {
            return RequestContent(
                .data(Data(try URLCoding.form(fields).utf8)), contentType: ContentType.urlEncodedForm.rawValue)
        } catch {
            return .refused(error)
        }
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

extension RequestBody {
    /// ``RequestContent/json(_:encoder:)``.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> RequestContent {
        .json(value, encoder: encoder)
    }

    /// ``RequestContent/form(_:)``.
    public static func form(_ fields: [String: (any URLEncodable)?]) -> RequestContent { .form(fields) }

    /// ``RequestContent/text(_:contentType:)``.
    public static func text(_ text: String) -> RequestContent { .text(text) }
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
    /// A call with a body.
    ///
    ///     case .add(let bird): EndpointCall(.post, "birds", body: .json(bird))
    ///
    /// - Parameter path: the parts of the path below the environment; each is percent-encoded, a slash in it too.
    public init(
        _ method: HTTPRequest.Method, _ path: String..., body: RequestContent, headers: HTTPFields = [:],
        configuration: EndpointConfiguration = .init()
    ) {
        let content: Content = body.error.map(Content.refused) ?? .body(body.body, contentType: body.contentType)
        self.init(method, at: .path(path), content: content, headers: headers, configuration: configuration)
    }

    /// A call with a value as JSON.
    ///
    ///     case .add(let bird): EndpointCall(.post, "birds", json: bird)
    public init(
        _ method: HTTPRequest.Method, _ path: String..., json value: some Encodable, headers: HTTPFields = [:],
        configuration: EndpointConfiguration = .init()
    ) {
        self.init(method, "", body: .json(value), headers: headers, configuration: configuration)
        location = .path(path)
    }
}
