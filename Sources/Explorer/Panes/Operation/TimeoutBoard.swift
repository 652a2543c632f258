import NetworkLayer
import Presentation

/// The timeouts of an operation as fuel gauges: how far each has run, which will fire next, and which did.
struct TimeoutBoard: Hashable, Sendable {
    var gauges: [TimeoutGauge]
    /// The first to fire when nothing happens until then; `nil` when none counts.
    var next: TimeoutGauge.Name?
    var fired: TimeoutGauge.Name?

    init(_ metrics: OperationMetrics, now: MonotonicTime) {
        gauges = TimeoutGauge.gauges(metrics, now: now)
        fired = metrics.error.flatMap { Self.name(firing: $0.code) }
        guard metrics.completed == nil else {
            // What ended it has run out; what did not doesn't matter any more.
            for index in gauges.indices { gauges[index].elapsed = gauges[index].name == fired ? gauges[index].limit : nil }
            return
        }
        next = gauges.filter { $0.elapsed != nil }.min { $0.remaining < $1.remaining }?.name
    }

    private static func name(firing code: NetworkError.Code) -> TimeoutGauge.Name? {
        switch code {
        case .idleTimedOut: .idle
        case .attemptTimedOut: .attempt
        case .operationTimedOut: .operation
        default: nil
        }
    }
}

extension TimeoutGauge {
    /// What is left of it.
    var remaining: Duration { max(.zero, limit - (elapsed ?? .zero)) }
}
