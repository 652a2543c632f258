import Synchronization

/// The original request on its way to the transport (REQ-7). `nil` where it hasn't come to yet.
struct RequestHistory: Sendable, Hashable {
    var hydrated: Request?
    var prepared: Request?
}

extension RequestOperation {
    /// ``originalRequest`` as the hydrator made it, or as it is without one; of the latest attempt that isn't a redirect hop.
    public var hydratedRequest: Request? { core.withLock { $0.machine.requests.hydrated } }

    /// ``hydratedRequest`` as all the steps of preparation made it, ready to be sent.
    public var preparedRequest: Request? { core.withLock { $0.machine.requests.prepared } }

    /// The request of the attempt under way, or of the last one: ``preparedRequest``, or where a redirect led.
    public var currentRequest: Request? { core.withLock { $0.machine.metrics.attempts.last?.request } }
}
