package import NetworkLayer

/// How far one timeout of an operation has run.
package struct TimeoutGauge: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case idle, attempt, operation
    }

    package var kind: Kind
    package var limit: Duration
    /// `nil` while it doesn't count.
    package var elapsed: Duration?
    package var phase: Phase

    package enum Phase: Hashable, Sendable {
        /// Does not count at the moment.
        case resting
        case counting
        /// Counts, and will be the first to fire.
        case next
        /// Ended the attempt or the operation.
        case fired
    }

    package init(_ kind: Kind, limit: Duration, elapsed: Duration? = nil, phase: Phase = .resting) {
        self.kind = kind
        self.limit = limit
        self.elapsed = elapsed
        self.phase = phase
    }

    package var remaining: Duration? { elapsed.map { max(.zero, limit - $0) } }

    /// 0 … 1, the part that has run.
    package var fraction: Double {
        guard let elapsed, limit > .zero else { return 0 }
        return min(1, max(0, elapsed.inSeconds / limit.inSeconds))
    }

    /// Idle, attempt and operation, those that are set, as they stand at `now`; once the operation has ended, as they stood then.
    package static func gauges(of metrics: OperationMetrics, at now: MonotonicTime) -> [TimeoutGauge] {
        let end = metrics.completed
        let now = end ?? now
        let state = metrics.states.last?.state ?? .idle
        let timeouts = metrics.timeouts
        var gauges: [TimeoutGauge] = []

        func add(_ kind: Kind, _ limit: Duration?, from start: MonotonicTime?, counts: Bool, firedAs code: NetworkError.Code) {
            guard let limit, limit >= Timeouts.minimum else { return }
            let fired = metrics.error?.code == code || metrics.error?.underlying?.error.code == code
            guard let start, counts || fired else { return gauges.append(TimeoutGauge(kind, limit: limit)) }
            let phase: Phase = fired ? .fired : end == nil ? .counting : .resting
            gauges.append(TimeoutGauge(kind, limit: limit, elapsed: max(.zero, now - start), phase: phase))
        }

        let transfers = state == .starting || state == .running
        add(
            .idle, timeouts.idleMode == .disabled ? nil : timeouts.idle, from: metrics.lastActivity,
            counts: transfers && end == nil, firedAs: .idleTimedOut)
        add(
            .attempt, timeouts.attempt, from: metrics.attemptArmed, counts: transfers || state == .preparing || end != nil,
            firedAs: .attemptTimedOut)
        add(.operation, timeouts.operation, from: metrics.enqueued, counts: true, firedAs: .operationTimedOut)

        let next = gauges.indices
            .filter { gauges[$0].phase == .counting }
            .min { (gauges[$0].remaining ?? .zero) < (gauges[$1].remaining ?? .zero) }
        if let next { gauges[next].phase = .next }
        return gauges
    }
}
