public import Base
public import HTTPTypes

/// What is sent: a URL, a method, header fields and a body. TNL's `TNLRequest`.
///
/// The same type stands for the request as the caller wrote it (``RequestOperation/originalRequest``) and for the request
/// of one attempt, after preparation and redirects (``AttemptMetrics/request``).
///
/// A value behind a reference: an operation hands its request on at every step, and each copy costs one retain.
public struct Request: Sendable {
    private var storage: Storage

    /// - Parameter url: checked when the request is sent: code `invalidURL`.
    public init(url: URL, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none) {
        storage = Storage(url: url, method: method, headers: headers, body: body)
    }

    /// Absolute, `http` or `https`; a fragment isn't sent.
    public var url: URL {
        get { storage.url }
        _modify { yield &own().url }
    }

    /// Any token (RFC 9110, section 9.1).
    public var method: HTTPRequest.Method {
        get { storage.method }
        _modify { yield &own().method }
    }

    /// Ordered, repeatable, case-insensitive. A field whose value is empty is sent empty.
    public var headers: HTTPFields {
        get { storage.headers }
        _modify { yield &own().headers }
    }

    /// Its `Content-Length` is set when it is sent; its type is for ``content`` to set.
    public var body: RequestBody {
        get { storage.body }
        _modify { yield &own().body }
    }

    /// Which parts of it are secret, and where they may go.
    public var secrets: RequestSecrets {
        get { storage.secrets }
        _modify { yield &own().secrets }
    }

    /// The parts, which nobody else sees until the next copy.
    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
        return storage
    }

    /// Sendable, unchecked: changed only while one request alone refers to it.
    private final class Storage: @unchecked Sendable {
        var url: URL
        var method: HTTPRequest.Method
        var headers: HTTPFields
        var body: RequestBody
        var secrets = RequestSecrets()

        init(url: URL, method: HTTPRequest.Method, headers: HTTPFields, body: RequestBody) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
        }

        convenience init(_ other: Storage) {
            self.init(url: other.url, method: other.method, headers: other.headers, body: other.body)
            secrets = other.secrets
        }

        func isSame(as other: Storage) -> Bool {
            self === other
                || (url == other.url && method == other.method && headers == other.headers && body == other.body
                    && secrets == other.secrets)
        }
    }
}

extension Request: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.storage.isSame(as: right.storage) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(method)
        hasher.combine(headers)
        hasher.combine(body)
    }
}
