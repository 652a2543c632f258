public import Base
public import HTTPTypes

/// What arrived, without asking whether anything did: `nil` or empty when it didn't.
extension Response {
    /// That of the answer; `nil` where none arrived.
    public var status: HTTPResponse.Status? { info?.head.status }

    /// That of the answer as a number, such as 200; `nil` where none arrived.
    public var statusCode: Int? { status?.code }

    /// Whether the operation succeeded and the status is a 2xx: what ``requireSuccess()`` throws about otherwise.
    public var isSuccess: Bool { error == nil && status?.isSuccess == true }

    /// The fields of the final answer; none where there is no answer.
    public var headers: HTTPFields { info?.head.headers ?? [:] }

    /// The bytes, those of a file mapped. Empty, too, when the file is gone: ``ResponseBody/contents()`` throws then.
    public var body: Data { (try? info?.body.contents()) ?? Data() }

    /// The body, UTF-8 assumed; other bytes are replaced, which ``ResponseDecoder/text`` doesn't do.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Where the redirects led.
    public var url: URL { info?.finalURL ?? originalRequest.url }

    /// The field of that name in any case; several of it joined by `, `.
    public subscript(header name: String) -> String? { info?[header: name] }
}
