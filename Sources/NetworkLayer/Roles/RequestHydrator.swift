/// Fills a request in just before it is sent (HYD-1; TNL's `TNLRequestHydrater`): resolves templates, signs, adds a body.
public protocol RequestHydrator: Sendable {
    /// Called for every attempt but redirect hops, each time with the original request: a retry may get a fresh token.
    ///
    /// - Returns: the request to go on with, which is validated again; `nil` keeps the original.
    /// - Throws: whatever it likes; the operation then fails with `hydrationFailed`, and isn't retried.
    func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request?
}
