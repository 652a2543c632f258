#if Tracing || Program
    import Base
    import NetworkLayer

    /// Gives each transfer the context of the span of its attempt, on its way to another transport.
    struct InjectingTransport: Transport {
        let base: any Transport
        let observer: TracingObserver
        let isTrusted: @Sendable (URL) -> Bool

        func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
            guard let operation = request.operation, isTrusted(request.request.url) else {
                return base.start(request, receive: receive)
            }
            var request = request
            observer.inject(into: &request.request.headers, of: operation)
            return base.start(request, receive: receive)
        }

        var contentCodings: [String] { base.contentCodings }

        func pruneConnections(_ scope: PruneScope) { base.pruneConnections(scope) }
    }
#endif
