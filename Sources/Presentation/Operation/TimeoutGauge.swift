package import NetworkLayer

/// How much of a timeout has gone by.
package struct TimeoutGauge: Sendable, Hashable {
    package var name: Name
    /// `nil`: it doesn't count at the moment (an idle timeout before the connection is there, an operation timeout in a queue that is held).
    package var elapsed: Duration?
    package var limit: Duration

    package enum Name: String, Sendable, Hashable, CaseIterable {
        case idle, attempt, operation
    }

    package init(name: Name, elapsed: Duration?, limit: Duration) {
        self.name = name
        self.elapsed = elapsed
        self.limit = limit
    }

    /// 0 … 1.
    package var fraction: Double {
        guard let elapsed, limit > .zero else { return 0 }
        return min(1, max(0, elapsed.inSeconds / limit.inSeconds))
    }

    /// The gauges of the timeouts that are set, in the order idle, attempt, operation.
    package static func gauges(_ metrics: OperationMetrics, now: MonotonicTime) -> [TimeoutGauge] {
        let timeouts = metrics.timeouts
        let now = metrics.completed ?? now
        let isRunning = metrics.completed == nil
        var gauges: [TimeoutGauge] = []
        func add(_ name: Name, _ limit: Duration?, since start: MonotonicTime?) {
            guard let limit = Timeouts.limit(limit) else { return }
            gauges.append(TimeoutGauge(name: name, elapsed: start.map { max(.zero, now - $0) }, limit: limit))
        }
        if timeouts.idleMode != .disabled { add(.idle, timeouts.idle, since: isRunning ? metrics.lastActivity : nil) }
        add(.attempt, timeouts.attempt, since: isRunning ? metrics.attemptArmed : nil)
        let isHeld = metrics.state == .waiting(.queueSuspended)
        add(.operation, timeouts.operation, since: isHeld ? nil : metrics.enqueued.map { $0 + metrics.held(at: now) })
        return gauges
    }
}
