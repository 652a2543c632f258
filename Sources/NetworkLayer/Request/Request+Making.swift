public import FoundationEssentials
public import HTTPTypes

extension Request {
    public static func get(_ url: URL, headers: HTTPFields = [:]) -> Request {
        Request(url: url, headers: headers)
    }

    public static func head(_ url: URL, headers: HTTPFields = [:]) -> Request {
        Request(url: url, method: .head, headers: headers)
    }

    public static func delete(_ url: URL, headers: HTTPFields = [:]) -> Request {
        Request(url: url, method: .delete, headers: headers)
    }

    public static func post(_ url: URL, headers: HTTPFields = [:], body: RequestBody = .none) -> Request {
        Request(url: url, method: .post, headers: headers, body: body)
    }

    public static func put(_ url: URL, headers: HTTPFields = [:], body: RequestBody = .none) -> Request {
        Request(url: url, method: .put, headers: headers, body: body)
    }

    public static func patch(_ url: URL, headers: HTTPFields = [:], body: RequestBody = .none) -> Request {
        Request(url: url, method: .patch, headers: headers, body: body)
    }

    /// The field of that name in any case; several of it joined by `, `. Setting replaces all of them, setting `nil` removes them.
    ///
    /// A name that can't be one (RFC 9110, section 5.1) has no value, and setting it does nothing.
    public subscript(header name: String) -> String? {
        get { HTTPField.Name(name).flatMap { headers[$0] } }
        set {
            guard let name = HTTPField.Name(name) else { return }
            headers[name] = newValue
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
