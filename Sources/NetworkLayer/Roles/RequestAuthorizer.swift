import Base
import HTTPTypes

/// Gives a request its `Authorization`, as the last step of its preparation (AUT-1; TNL's `TNLRequestAuthorizer`).
public protocol RequestAuthorizer: Sendable {
    /// - Parameter request: as it will be sent, its final host included, so that a signature covers what the server sees.
    /// - Throws: whatever it likes; the operation then fails with `authorizationFailed`, and isn't retried.
    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization
}

/// What becomes of the field `Authorization`.
public enum Authorization: Sendable, Hashable {
    /// The field stays as it is in the request, present or absent.
    case unchanged
    /// Takes it out.
    case remove
    /// The whole value: `Bearer …`.
    case set(String)

    /// A token (RFC 6750).
    public static func bearer(_ token: String) -> Authorization { .set("Bearer \(token)") }

    /// User and password (RFC 7617), which whoever sees the request can read.
    public static func basic(user: String, password: String) -> Authorization {
        .set("Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
}

extension Request {
    /// The request, with this `Authorization`: `.get(url).authorized(.bearer(token))`.
    public func authorized(_ authorization: Authorization) -> Request {
        with { request in
            switch authorization {
            case .unchanged: break
            case .remove: request.headers[.authorization] = nil
            case .set(let value): request.headers[.authorization] = value
            }
        }
    }
}
