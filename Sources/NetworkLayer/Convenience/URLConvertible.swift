public import Base

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
            let number = Int(halves.before)
        else { return nil }
        let code = NetworkError.Code(rawValue: number)
        let type =
            switch code {
            case .invalidParameters: ErrorType.invalidParameters
            case .invalidRequest: "http.request.header.invalid"
            default: ErrorType.invalidURL
            }
        return NetworkError(code, phase: .preparation, type: type, message: URLCoding.percentDecoded(halves.behind))
    }

    /// This URL with more parameters behind those of its own query, sorted by name; those that are `nil` are left out.
    func adding(_ query: [String: (any URLEncodable)?]) throws(NetworkError) -> URL {
        let text = try URLCoding.form(query)
        guard !text.isEmpty else { return self }
        let halves = absoluteString.halves(at: "#")
        let fragment = halves.map { "#\($0.behind)" } ?? ""
        let url = URL(string: "\(halves?.before ?? absoluteString[...])\(self.query() == nil ? "?" : "&")\(text)\(fragment)")
        guard let url else { throw .invalidParameters("\"\(text)\" is no query.") }
        return url
    }
}

extension URLCoding {
    /// Parameters as a query or a form has them, sorted by name; of a list one for each element.
    static func form(_ parameters: [String: (any URLEncodable)?]) throws(NetworkError) -> String {
        do throws(URLCodingError) {
            return try encode(
                parameters.compactMapValues { $0?.unlessNil }, options: [.stableOrder, .duplicateEntriesForArrayValues])
        } catch {
            throw .invalidParameters("\(error)")
        }
    }
}

extension URLEncodable {
    /// `nil` for an optional that is, which a dictionary of parameters may hide.
    fileprivate var unlessNil: (any URLEncodable)? {
        if let optional = self as? any Nilable, optional.isNil { return nil }
        return self
    }
}

private protocol Nilable {
    var isNil: Bool { get }
}

extension Optional: Nilable {
    fileprivate var isNil: Bool { self == nil }
}

extension NetworkError {
    static func invalidParameters(_ message: String) -> NetworkError {
        NetworkError(.invalidParameters, phase: .preparation, type: ErrorType.invalidParameters, message: message)
    }
}
