/// Decides about a redirect under the policy `delegate` (TNL's `TNLRequestRedirecter`).
public protocol RedirectDecider: Sendable {
    /// - Parameters:
    ///   - proposed: the request that would be sent next, methods rewritten and credentials dropped by the rules.
    ///   - response: the 3xx.
    /// - Returns: the request to send next, or `nil` to end with the 3xx as the response.
    func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request?
}
