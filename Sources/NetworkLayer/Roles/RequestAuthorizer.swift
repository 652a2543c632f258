/// Gives a request its `Authorization`, as the last step of its preparation (AUT-1; TNL's `TNLRequestAuthorizer`).
public protocol RequestAuthorizer: Sendable {
    /// - Parameter request: as it will be sent, its final host included, so that a signature covers what the server sees.
    /// - Throws: whatever it likes; the operation then fails with `authorizationFailed`, and isn't retried.
    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization
}

/// What becomes of the field `Authorization`.
public enum Authorization: Sendable, Hashable {
    /// As the request has it, or hasn't.
    case unchanged
    /// Takes it out.
    case remove
    /// The whole value: `Bearer …`.
    case set(String)
}
