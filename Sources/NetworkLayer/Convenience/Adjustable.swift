/// A value that can be had with some of its parts changed.
///
///     let patient = configuration.with { $0.timeouts.attempt = .seconds(300) }
public protocol Adjustable {}

extension Adjustable {
    /// A copy, changed.
    public func with<Failure: Error>(_ change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}

extension Request: Adjustable {}
extension RequestConfiguration: Adjustable {}
extension RequestDelegate: Adjustable {}
extension Timeouts: Adjustable {}
extension RedirectConfiguration: Adjustable {}
extension CookieConfiguration: Adjustable {}
extension ContentCoding: Adjustable {}
extension ResponseLimits: Adjustable {}
extension TransportOptions: Adjustable {}
extension TLSOptions: Adjustable {}
extension WireOptions: Adjustable {}
extension RetryRules: Adjustable {}
extension RetryBackoff: Adjustable {}
extension RetryBudget: Adjustable {}
extension BackoffRules: Adjustable {}
extension ConnectionPool: Adjustable {}
extension Environment: Adjustable {}
extension EndpointConfiguration: Adjustable {}
extension EndpointClient: Adjustable {}
extension NetworkClient.Settings: Adjustable {}
extension RequestOperationQueue.Configuration: Adjustable {}
