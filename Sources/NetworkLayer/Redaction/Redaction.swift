package import Base
package import HTTPTypes

/// Which header fields must not be written down nor shown, and what stands there instead (LOG-1). What is secret by its value,
/// wherever it stands, is a ``Redactor``'s.
///
/// TNL asks its logger about every field and redacts none by itself; here the fields that carry secrets are redacted unless somebody
/// takes them out.
public struct Redaction: Sendable, Hashable {
    /// In lower case.
    package private(set) var names: Set<String>

    /// What stands in place of a field's value, as in TNL.
    package static let placeholder = "<redacted>"

    /// Credentials and cookies, and the usual names of keys and tokens.
    public static let standard = Redaction([
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey", "x-api-token",
        "x-api-secret", "x-auth-token", "x-auth-key", "x-access-token", "x-session-token", "x-csrf-token", "x-xsrf-token",
        "x-amz-security-token", "x-goog-api-key", "ocp-apim-subscription-key", "x-functions-key", "private-token", "job-token",
        "deploy-token", "x-gitlab-token", "x-vault-token", "x-consul-token", "x-shopify-access-token", "dd-api-key",
        "dd-application-key",
    ])

    /// Redacts nothing, for use on one's own computer.
    public static let none = Redaction([])

    /// - Parameter names: of header fields, in any case.
    public init(_ names: Set<String>) {
        self.names = Set(names.map { $0.lowercased() })
    }

    /// These names, and more.
    public func adding(_ names: String...) -> Redaction {
        Redaction(self.names.union(names.map { $0.lowercased() }))
    }

    /// Whether the field of this name, in any case, is redacted.
    package func redacts(_ name: String) -> Bool { names.contains(name.lowercased()) }

    /// The request as it may be written down: fields redacted, and the password of the URL.
    package func request(_ request: Request) -> Request {
        var request = request
        request.headers = headers(request.headers)
        request.url = url(request.url)
        return request
    }

    /// The fields in their order, with ``placeholder`` for each that is redacted.
    package func headers(_ fields: HTTPFields) -> HTTPFields {
        guard fields.contains(where: { redacts($0.name.rawName) }) else { return fields }
        return HTTPFields(fields.map { redacts($0.name.rawName) ? HTTPField(name: $0.name, value: Self.placeholder) : $0 })
    }

    /// The URL without the password of `user:password@host`.
    package func url(_ url: URL) -> URL {
        guard !names.isEmpty, let password = url.password(percentEncoded: true), !password.isEmpty else { return url }
        let text = url.absoluteString
        return URL(string: text.replacing(scalars: ":\(password)@", with: ":redacted@")) ?? url
    }

    /// The fields by name; several with one name are joined by `, `.
    func fields(_ fields: HTTPFields) -> [String: String] {
        var texts: [String: String] = [:]
        for field in headers(fields) {
            let name = field.name.rawName
            texts[name] = texts[name].map { $0 + ", " + field.value } ?? field.value
        }
        return texts
    }

    func values(_ values: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: values.map { ($0, redacts($0) ? Self.placeholder : $1) })
    }
}
