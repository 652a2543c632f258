#if Tracing || Program
    public import Base
    import HTTPTypes
    public import NetworkLayer
    import Synchronization
    public import Tracing

    /// Makes spans of operations for swift-distributed-tracing: one for an operation, and beneath it one for each attempt.
    ///
    ///     let tracing = TracingObserver()
    ///     let client = NetworkClient(transport: tracing.injecting(into: CurlTransport()))
    ///     client.addObserver(tracing)
    ///
    /// The span of an operation (`HTTP GET`, kind `internal`) lasts from its enqueue to its end, waiting and pauses between tries
    /// included; its parent is the span that is current in the task that enqueues it. The span of an attempt (`GET`, kind `client`)
    /// follows OpenTelemetry's semantic conventions for HTTP client spans, 1.23: `http.request.method`, `url.full`, `server.address`,
    /// `server.port`, `http.request.resend_count`, `http.response.status_code`, `network.protocol.version`, `network.peer.address`,
    /// `network.peer.port`, `error.type`; its status is an error after one, and after a 4xx or 5xx. Times are those of the events.
    ///
    /// Passwords in URLs, and parameters that are secret by their names, are masked.
    public final class TracingObserver: NetworkObserver {
        private let tracer: (any Tracer)?
        private let redaction: Redaction
        private let traces = Mutex<[OperationID: Trace]>([:])

        /// The spans of an operation that isn't over.
        private struct Trace {
            var operation: any Span
            var attempt: (any Span)?
            /// When it was enqueued, by both clocks.
            var start: MonotonicTime
            var nanosecondsSinceEpoch: Int64

            func instant(_ time: MonotonicTime) -> Instant {
                Instant(nanosecondsSinceEpoch: UInt64(max(0, nanosecondsSinceEpoch + (time - start).wholeNanoseconds)))
            }
        }

        /// A monotonic time, on the wall clock as it was when the operation was enqueued.
        private struct Instant: TracerInstant {
            var nanosecondsSinceEpoch: UInt64

            static func < (left: Self, right: Self) -> Bool { left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch }
        }

        /// - Parameters:
        ///   - tracer: `nil`: the one that `InstrumentationSystem` has when an operation is enqueued.
        ///   - redaction: which parameters of a URL are masked.
        public init(tracer: (any Tracer)? = nil, redaction: Redaction = .standard) {
            self.tracer = tracer
            self.redaction = redaction
        }

        /// Begins and ends spans; of an operation that was enqueued before this was added it makes none.
        public func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            switch event.kind {
            case .enqueued(let queue, let date, _): begin(operation, event.time, date, queue: queue)
            case .attemptStarted(_, let request): begin(attempt: event.attempt ?? 1, of: event.operation, request, event.time)
            case .attemptEnded(let attempt): end(attempt, of: event.operation, event.time)
            case .retryScheduled(let delay): tell("retry scheduled", of: event, ["delay_ms": delay.wholeMicroseconds / 1000])
            case .completed(let state, let error): end(operation, state, error, event.time)
            default: break
            }
        }

        /// A transport that gives every request of an operation the context of its attempt's span, `traceparent` and whatever else
        /// the tracer, or the instruments of `InstrumentationSystem`, propagate. It replaces fields of the same names. The events of the
        /// operation show the request as it was before.
        ///
        /// - Parameter isTrusted: whether a URL may hear of it: a redirect may lead to somebody whom baggage is none of the business of.
        public func injecting(
            into transport: any Transport, where isTrusted: @escaping @Sendable (URL) -> Bool = { _ in true }
        ) -> any Transport {
            InjectingTransport(base: transport, observer: self, isTrusted: isTrusted)
        }

        func inject(into headers: inout HTTPFields, of operation: OperationID) {
            guard let trace = traces.withLock({ $0[operation] }), let attempt = trace.attempt else { return }
            if let tracer {
                tracer.inject(attempt.context, into: &headers, using: FieldInjector())
            } else {
                InstrumentationSystem.instrument.inject(attempt.context, into: &headers, using: FieldInjector())
            }
        }

        // MARK: Operations

        private func begin(_ operation: RequestOperation, _ time: MonotonicTime, _ date: Date, queue: String) {
            let request = operation.originalRequest
            let nanoseconds = Int64(date.timeIntervalSince1970 * 1e9)
            let instant = Instant(nanosecondsSinceEpoch: UInt64(max(0, nanoseconds)))
            let span = currentTracer.startSpan(
                "HTTP \(Self.known(request.method))", context: ServiceContext.current ?? .topLevel, ofKind: .internal, at: instant)
            span.updateAttributes { attributes in
                describe(request, in: &attributes)
                attributes["network_layer.queue"] = queue
            }
            traces.withLock {
                $0[operation.id] = Trace(operation: span, attempt: nil, start: time, nanosecondsSinceEpoch: nanoseconds)
            }
        }

        private func end(
            _ operation: RequestOperation, _ state: RequestOperation.State, _ error: NetworkError?, _ time: MonotonicTime
        ) {
            guard let trace = traces.withLock({ $0.removeValue(forKey: operation.id) }) else { return }
            trace.operation.updateAttributes { attributes in
                attributes["network_layer.outcome"] = "\(state)"
                attributes["network_layer.attempts"] = operation.metrics.attempts.count
                if let error { attributes["error.type"] = error.type }
            }
            if state == .failed { trace.operation.setStatus(SpanStatus(code: .error, message: error?.message)) }
            trace.operation.end(at: trace.instant(time))
        }

        private func tell(_ name: String, of event: NetworkEvent, _ figures: [String: Int64]) {
            guard let trace = traces.withLock({ $0[event.operation] }) else { return }
            var attributes: SpanAttributes = [:]
            for (key, value) in figures { attributes[key] = value }
            trace.operation.addEvent(SpanEvent(name: name, at: trace.instant(event.time), attributes: attributes))
        }

        // MARK: Attempts

        private func begin(attempt number: Int, of operation: OperationID, _ request: Request, _ time: MonotonicTime) {
            guard let trace = traces.withLock({ $0[operation] }) else { return }
            let span = currentTracer.startSpan(
                Self.known(request.method), context: trace.operation.context, ofKind: .client, at: trace.instant(time))
            span.updateAttributes { attributes in
                describe(request, in: &attributes)
                if number > 1 { attributes["http.request.resend_count"] = number - 1 }
            }
            traces.withLock { $0[operation]?.attempt = span }
        }

        private func end(_ attempt: AttemptMetrics, of operation: OperationID, _ time: MonotonicTime) {
            let ended = traces.withLock { traces in (traces[operation], traces[operation]?.attempt.take()) }
            guard let trace = ended.0, let span = ended.1 ?? nil else { return }
            span.updateAttributes { attributes in
                if let head = attempt.head {
                    attributes["http.response.status_code"] = head.status.code
                    attributes["network.protocol.version"] = String(head.version.drop { $0 != "/" }.dropFirst())
                }
                if let connection = attempt.connection, let peer = Self.peer(connection.remoteAddress) {
                    attributes["network.peer.address"] = peer.address
                    attributes["network.peer.port"] = peer.port
                }
                if let error = attempt.error {
                    attributes["error.type"] = error.type
                } else if let status = attempt.head?.status, status.code >= 400 {
                    attributes["error.type"] = "\(status.code)"
                }
            }
            if let error = attempt.error {
                span.setStatus(SpanStatus(code: .error, message: error.message))
            } else if let status = attempt.head?.status, status.code >= 400 {
                span.setStatus(SpanStatus(code: .error))
            }
            span.end(at: trace.instant(attempt.end ?? time))
        }

        // MARK: Attributes

        private var currentTracer: any Tracer { tracer ?? InstrumentationSystem.tracer }

        private func describe(_ request: Request, in attributes: inout SpanAttributes) {
            let (url, method) = (request.url, Self.known(request.method))
            attributes["http.request.method"] = method
            if method == Self.other { attributes["http.request.method_original"] = request.method.rawValue }
            attributes["url.full"] = redaction.url(url.absoluteString).map(\.text).joined()
            if let host = url.host() { attributes["server.address"] = host.lowercased() }
            attributes["server.port"] = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        }

        private static let other = "_OTHER"
        private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]

        private static func known(_ method: HTTPRequest.Method) -> String {
            methods.contains(method.rawValue) ? method.rawValue : other
        }

        /// `address:port`, IPv6 in brackets; `nil` for the path of a socket.
        private static func peer(_ text: String) -> (address: String, port: Int)? {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
            let address = text[..<colon]
            return (address.hasPrefix("[") ? String(address.dropFirst().dropLast()) : String(address), port)
        }
    }

    /// Writes what an instrument propagates into header fields; a name that can't be one is left out.
    struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
            if let name = HTTPField.Name(key) { carrier[name] = value }
        }
    }
#else
    #error("NetworkLayerTracing needs the trait Tracing: .package(url: …, traits: [\"Tracing\"])")
#endif
