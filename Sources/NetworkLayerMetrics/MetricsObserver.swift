#if Metrics || Program
    import Base
    public import CoreMetrics
    import HTTPTypes
    public import NetworkLayer
    import Synchronization

    /// Reports to swift-metrics what the events of operations tell: one of the observers of a client or a queue.
    ///
    ///     client.addObserver(MetricsObserver())
    ///
    /// | name                             | kind    | unit        | dimensions                                      |
    /// |----------------------------------|---------|-------------|-------------------------------------------------|
    /// | `http.client.operations`         | counter | operations  | host, method, `outcome`                         |
    /// | `http.client.operation.duration` | timer   | nanoseconds | host, method, `outcome`                         |
    /// | `http.client.operation.queued`   | timer   | nanoseconds | host: from enqueue to the first attempt         |
    /// | `http.client.attempts`           | counter | attempts    | host, `attempt.kind`                            |
    /// | `http.client.request.duration`   | timer   | nanoseconds | host, method, status or error: of one attempt   |
    /// | `http.client.phase.duration`     | timer   | nanoseconds | host, `phase`: `dns`, `connect`, `tls` and so on |
    /// | `http.client.bytes.sent`         | counter | bytes       | host: heads and bodies, as they were on the wire |
    /// | `http.client.bytes.received`     | counter | bytes       | host: the same                                  |
    /// | `http.client.retries`            | counter | retries     | host: decisions of retry policies               |
    ///
    /// The dimensions have the names of OpenTelemetry's semantic conventions: `server.address`, `http.request.method`,
    /// `http.response.status_code`, `error.type` (one of ``ErrorType``). `outcome` is `succeeded`, `failed` or `cancelled`; a status
    /// of 404 is a success of the operation. A phase that didn't happen, as `connect` on a connection that was there, isn't reported.
    ///
    /// There are no more series than these can make: hosts and types of errors beyond the first ``maxValues`` of each are one,
    /// `_OTHER`, as are methods that neither RFC 9110 nor RFC 5789 has; a status that the IANA doesn't list counts as its class, `4xx`.
    public final class MetricsObserver: NetworkObserver {
        /// How many hosts, and how many types of errors, have series of their own.
        public let maxValues: Int
        private let prefix: String
        private let factory: any MetricsFactory
        private let series = Mutex(Series())

        private struct Series {
            var counters: [Key: Counter] = [:]
            var timers: [Key: CoreMetrics.Timer] = [:]
            var hosts: Set<String> = []
            var errors: Set<String> = []
        }

        private struct Key: Hashable {
            var name: String
            var values: [String]
        }

        /// - Parameters:
        ///   - prefix: what the names begin with.
        ///   - maxValues: how many hosts, and how many types of errors, have series of their own; at least one each.
        ///   - factory: where the series are made; `nil`: what `MetricsSystem` was bootstrapped with, before this.
        public init(prefix: String = "http.client", maxValues: Int = 100, factory: (any MetricsFactory)? = nil) {
            self.prefix = prefix
            self.maxValues = max(1, maxValues)
            self.factory = factory ?? MetricsSystem.factory
        }

        /// Reports an attempt or an operation that ended, and a retry that was decided; other events cost nothing.
        public func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            switch event.kind {
            case .attemptEnded(let attempt): report(attempt)
            case .retryScheduled: count("retries", [host(of: operation.currentRequest ?? operation.originalRequest)])
            case .completed(let state, _): report(operation, state)
            default: break
            }
        }

        // MARK: What is reported

        private func report(_ attempt: AttemptMetrics) {
            let host = host(of: attempt.request)
            count("attempts", [host, ("attempt.kind", attempt.kind.rawValue)])
            if let duration = attempt.duration {
                time("request.duration", duration, [host, method(of: attempt.request), result(of: attempt)])
            }
            for name in Phases.Name.allCases {
                if let phase = attempt.phases[name] {
                    time("phase.duration", phase.duration, [host, ("phase", name.rawValue)])
                }
            }
            count("bytes.sent", by: attempt.bytes.requestHead + attempt.bytes.requestBody, [host])
            count("bytes.received", by: attempt.bytes.responseHead + attempt.bytes.responseBody, [host])
        }

        private func report(_ operation: RequestOperation, _ state: RequestOperation.State) {
            let metrics = operation.metrics
            let host = host(of: operation.originalRequest)
            let dimensions = [host, method(of: operation.originalRequest), ("outcome", "\(state)")]
            count("operations", dimensions)
            if let total = metrics.total { time("operation.duration", total, dimensions) }
            if let queued = metrics.queued { time("operation.queued", queued, [host]) }
        }

        // MARK: Dimensions

        private func host(of request: Request) -> (String, String) {
            let host = request.url.host()?.lowercased() ?? ""
            return ("server.address", series.withLock { Self.bounded(host, &$0.hosts, maxValues) })
        }

        private func method(of request: Request) -> (String, String) {
            let method = request.method.rawValue
            return ("http.request.method", Self.methods.contains(method) ? method : Self.other)
        }

        private func result(of attempt: AttemptMetrics) -> (String, String) {
            if let error = attempt.error {
                return ("error.type", series.withLock { Self.bounded(error.type, &$0.errors, maxValues) })
            }
            let status = attempt.head?.status
            let text = status.map { $0.reasonPhrase.isEmpty ? "\($0.code / 100)xx" : "\($0.code)" }
            return ("http.response.status_code", text ?? Self.other)
        }

        private static func bounded(_ value: String, _ known: inout Set<String>, _ limit: Int) -> String {
            if known.contains(value) { return value }
            guard known.count < limit else { return other }
            known.insert(value)
            return value
        }

        private static let other = "_OTHER"
        private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]

        // MARK: Series

        private func count(_ name: String, by amount: Int64 = 1, _ dimensions: [(String, String)]) {
            guard amount > 0 else { return }
            let key = Key(name: name, values: dimensions.map(\.1))
            let counter = series.withLock { series in
                if let counter = series.counters[key] { return counter }
                let counter = Counter(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
                series.counters[key] = counter
                return counter
            }
            counter.increment(by: amount)
        }

        private func time(_ name: String, _ duration: Duration, _ dimensions: [(String, String)]) {
            // The value of a status is never one of an error.
            let key = Key(name: name, values: dimensions.map(\.1))
            let timer = series.withLock { series in
                if let timer = series.timers[key] { return timer }
                let timer = CoreMetrics.Timer(
                    label: "\(prefix).\(name)", dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
                series.timers[key] = timer
                return timer
            }
            timer.recordNanoseconds(duration.wholeNanoseconds)
        }
    }
#else
    #error("NetworkLayerMetrics needs the trait Metrics: .package(url: …, traits: [\"Metrics\"])")
#endif
