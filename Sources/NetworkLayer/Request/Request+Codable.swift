import Base
import HTTPTypes

/// A request as it can be kept (RSP-1): bytes and paths stay; of a stream only its length does, and it can't be sent again.
extension Request: Codable {
    private enum Key: String, CodingKey { case url, method, headers, body }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let method = try values.decode(String.self, forKey: .method)
        guard let method = HTTPRequest.Method(method) else {
            throw DecodingError.dataCorruptedError(forKey: .method, in: values, debugDescription: "\"\(method)\" is no method")
        }
        self.init(
            url: try values.decode(URL.self, forKey: .url), method: method,
            headers: try values.decode(HTTPFields.self, forKey: .headers),
            body: try values.decodeIfPresent(RequestBody.self, forKey: .body) ?? .none)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(url, forKey: .url)
        try values.encode(method.rawValue, forKey: .method)
        try values.encode(headers, forKey: .headers)
        if body != .none { try values.encode(body, forKey: .body) }
    }
}

extension RequestBody: Codable {
    private enum Key: String, CodingKey { case data, file, stream, length }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if values.contains(.stream) {
            self = .stream(.expired(length: try values.decodeIfPresent(Int64.self, forKey: .length)))
        } else {
            self.init(
                data: try values.decodeIfPresent(Data.self, forKey: .data),
                file: try values.decodeIfPresent(String.self, forKey: .file))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .none: break
        case .data(let data): try values.encode(data, forKey: .data)
        case .file(let file): try values.encode(file.path, forKey: .file)
        case .stream(let stream):
            try values.encode(true, forKey: .stream)
            try values.encodeIfPresent(stream.length, forKey: .length)
        }
    }
}

extension RequestBodyStream {
    /// The stream of a request that was kept: its bytes are gone.
    static func expired(length: Int64?) -> RequestBodyStream {
        RequestBodyStream(length: length, isReplayable: false) {
            throw NetworkError(
                .bodyReadFailed, phase: .request, type: "http.request.body.expired",
                message: "The body of this request was a stream, and only its length was kept. Make the request anew with its body."
            )
        }
    }
}
