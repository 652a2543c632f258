import Base
import HTTPTypes

extension EndpointCall {
    /// The request of this call.
    ///
    /// - Parameter configuration: all levels, this call's included.
    func request(in environment: Environment?, configuration: EndpointConfiguration) throws(NetworkError) -> Request {
        var request = Request(
            url: try url(in: environment), method: method, headers: headers.merged(over: configuration.headers))
        switch content {
        case .refused(let error):
            throw error
        case .multipart(let form):
            request.body = form.body
            request.headers[.contentType] = form.contentType
        case .body(let body, let contentType):
            request.body = body
            if let contentType, !request.headers.contains(.contentType) { request.headers[.contentType] = contentType }
        case .parameters(let parameters):
            let parameters = parameters.filter { $0.value != .null }
            guard !parameters.isEmpty else { break }
            if method == .get || method == .head {
                request.url = try Self.adding(parameters, to: request.url)
            } else {
                try Self.setBody(to: parameters, as: configuration.bodyFormat ?? .form, of: &request)
            }
        }
        return request
    }

    private func url(in environment: Environment?) throws(NetworkError) -> URL {
        switch location {
        case .url(let url): return url
        case .path(let parts):
            let path = parts.map { "/" + URLCoding.percentEncoded($0) }.joined()
            guard let environment else {
                throw NetworkError(
                    .environmentNotSet, phase: .preparation, type: ErrorType.environmentNotSet,
                    message: "\(path.isEmpty ? "/" : path) is a path below an environment, and there is none: give the client one.")
            }
            let text = environment.text + path
            guard let url = URL(international: text), url.isRequestable else {
                throw NetworkError(
                    .invalidURL, phase: .preparation, type: ErrorType.invalidURL,
                    message: "\"\(text)\" can't be requested: look at the environment's scheme, host and port.")
            }
            return url
        }
    }

    private static func adding(_ parameters: [String: PlainValue], to url: URL) throws(NetworkError) -> URL {
        let query = try form(parameters)
        var text = url.absoluteString
        let fragment = text.firstIndex(of: "#").map { String(text[$0...]) } ?? ""
        text.removeLast(fragment.count)
        text += (url.query() == nil ? "?" : "&") + query + fragment
        guard let url = URL(international: text) else { throw .invalidParameters("\"\(text)\" is no URL.") }
        return url
    }

    private static func setBody(
        to parameters: [String: PlainValue], as format: EndpointConfiguration.BodyFormat, of request: inout Request
    ) throws(NetworkError) {
        let (text, type) =
            switch format {
            case .form: (try form(parameters), "application/x-www-form-urlencoded")
            case .json: (try json(parameters), "application/json")
            }
        request.body = .data(Data(text.utf8))
        if !request.headers.contains(.contentType) { request.headers[.contentType] = type }
    }

    /// Sorted by key, keys and values percent-encoded; of a list one entry for each element.
    private static func form(_ parameters: [String: PlainValue]) throws(NetworkError) -> String {
        do throws(URLCodingError) {
            return try URLCoding.encode(
                parameters.mapValues(\.loose), options: [.stableOrder, .duplicateEntriesForArrayValues])
        } catch {
            throw .invalidParameters("\(error)")
        }
    }

    private static func json(_ parameters: [String: PlainValue]) throws(NetworkError) -> String {
        do throws(URLCodingError) {
            return try JSONText.of(parameters.mapValues(\.loose), at: "parameters")
        } catch {
            throw .invalidParameters("\(error)")
        }
    }
}
