import HTTPTypes
package import NetworkLayer

/// One request of many, measured.
package struct LoadSample: Sendable {
    /// When it was to be sent; `nil` where an earlier answer decides that.
    package var due: MonotonicTime?
    package var start: MonotonicTime
    package var end: MonotonicTime
    /// Those that happened; over all attempts.
    package var phases: [(name: Phases.Name, duration: Duration)]
    /// Whether its first attempt made a connection; `nil` where there was none.
    package var isCold: Bool?
    /// `nil`: it was never answered.
    package var status: Int?
    /// What was wrong with it, in a word or two: `timeout`, `503`. `nil`: it passed.
    package var failure: String?

    package init(
        due: MonotonicTime? = nil, start: MonotonicTime, end: MonotonicTime, phases: [(name: Phases.Name, duration: Duration)] = [],
        isCold: Bool? = nil, status: Int? = nil, failure: String? = nil
    ) {
        self.due = due
        self.start = start
        self.end = end
        self.phases = phases
        self.isCold = isCold
        self.status = status
        self.failure = failure
    }

    /// - Parameters:
    ///   - isGood: whether its answer is as it should be.
    ///   - other: what else went wrong, where nothing did with its transfer.
    /// - Returns: `nil` for what isn't over.
    package init?(_ metrics: OperationMetrics, due: MonotonicTime? = nil, isGood: Bool, other: String = "check failed") {
        guard let start = metrics.enqueued, let end = metrics.completed else { return nil }
        let status = metrics.attempts.last?.head?.status.code
        var failure: String?
        if let error = metrics.error {
            failure = Self.kind(of: error)
        } else if !isGood {
            failure = status.map { $0 >= 400 ? "\($0)" : other } ?? other
        }
        self.init(
            due: due, start: start, end: end, phases: Self.phases(of: metrics),
            isCold: metrics.attempts.first?.connection.map { !$0.isReused }, status: status, failure: failure)
    }

    private static func phases(of metrics: OperationMetrics) -> [(name: Phases.Name, duration: Duration)] {
        Phases.Name.allCases.compactMap { name in
            let parts = metrics.attempts.compactMap { $0.phases[name]?.duration }
            return parts.isEmpty ? nil : (name, parts.reduce(.zero, +))
        }
    }

    /// `timeout`, `dns.name_not_resolved`, `tcp.refused`
    private static func kind(of error: NetworkError) -> String {
        if error.code.isTimeout { return "timeout" }
        return error.code == .cancelled ? "cancelled" : error.type
    }
}
