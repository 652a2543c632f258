import HTTPTypes
package import NetworkLayer

/// What many runs of a request took, phase by phase: a fold over samples that stays as small with a million of them as with a thousand.
///
/// Only what passed counts in percentiles: an error that came fast must not make a server look fast. Errors have rows of their own.
package struct LoadFigures: Sendable, Hashable {
    package enum Row: String, Sendable, Hashable, CaseIterable {
        /// From the due time to the real start.
        case late
        case queue, dns, quic, connect, tls, send, wait, receive
        /// From the due time where there is one, else from the start.
        case total
        /// From the real start.
        case uncorrected
        /// ``total`` of those that used a connection that was there.
        case warm
        /// ``total`` of those that made one.
        case cold

        init(_ name: Phases.Name) {
            self =
                switch name {
                case .queue: .queue
                case .dns: .dns
                case .quic: .quic
                case .connect: .connect
                case .tls: .tls
                case .send: .send
                case .wait: .wait
                case .receive: .receive
                }
        }
    }

    private var rows: [Row: LatencyHistogram] = [:]
    /// The statuses of answers that passed.
    package private(set) var statuses: [Int: Int] = [:]
    /// By kind.
    package private(set) var failures: [String: Int] = [:]
    /// Passed or not.
    package private(set) var count = 0
    /// How many had no free place when they were due.
    package var waited = 0
    /// How many were due and never sent.
    package private(set) var unsent = 0
    /// How long the load was paused, so that no turn was due. It is no part of ``elapsed``.
    package var paused = Duration.zero
    /// The latest that was due, of those that ended, and how late it began.
    private var newest: Due?

    private struct Due: Hashable {
        var time: MonotonicTime
        var late: Duration
    }

    private var start: MonotonicTime?
    private var end: MonotonicTime?
    /// What ``seconds`` count from; the start, but for what began earlier and ended later than the first.
    private var origin: MonotonicTime?
    /// How many ended in each second since the start; the last of them only.
    private var seconds: [Int] = []
    private var firstSecond = 0

    private static let mostSeconds = 120
    /// Kinds beyond that share a row.
    private static let mostKinds = 32

    package init() {}

    package subscript(row: Row) -> LatencyHistogram { rows[row] ?? LatencyHistogram() }

    package var passed: Int { statuses.values.reduce(0, +) }
    package var failed: Int { failures.values.reduce(0, +) }
    /// From the first start to the last end, without pauses.
    package var elapsed: Duration { start.flatMap { start in end.map { max(.zero, $0 - start - paused) } } ?? .zero }
    /// Answers a second, all in all; `nil` before there is a time to divide by.
    package var throughput: Double? { elapsed > .zero ? Double(count) / elapsed.inSeconds : nil }
    package var hasDueTimes: Bool { rows[.late] != nil }

    /// Whether they begin more slowly than they are due, by more than one of fifty: whoever waits for a place now and then, and is caught
    /// up with, is late, and the rate is kept all the same.
    package var isBehind: Bool {
        if unsent * 50 > count + unsent { return true }
        guard let newest, let start else { return false }
        // Less is the machine's own.
        return newest.late > .milliseconds(20) && newest.late * 50 > newest.time - start - paused
    }

    /// Ends in each of the last full seconds, the newest last.
    package func recent(_ most: Int) -> [Int] { Array(seconds.dropLast().suffix(most)) }

    package mutating func add(_ sample: LoadSample) {
        count += 1
        let began = min(sample.due ?? sample.start, sample.start)
        start = start.map { min($0, began) } ?? began
        end = end.map { max($0, sample.end) } ?? sample.end
        tick(sample.end)
        if let failure = sample.failure {
            countFailure(failure)
        } else {
            statuses[sample.status ?? 0, default: 0] += 1
        }
        if let due = sample.due {
            record(sample.start - due, .late)
            if newest.map({ due > $0.time }) ?? true { newest = Due(time: due, late: sample.start - due) }
        }
        guard sample.failure == nil else { return }
        for phase in sample.phases { record(phase.duration, Row(phase.name)) }
        let total = sample.end - min(sample.due ?? sample.start, sample.start)
        record(total, .total)
        if sample.due != nil { record(sample.end - sample.start, .uncorrected) }
        if let isCold = sample.isCold { record(total, isCold ? .cold : .warm) }
    }

    /// Counts a request that was never sent.
    package mutating func fail(_ kind: String) {
        count += 1
        countFailure(kind)
    }

    private mutating func countFailure(_ kind: String) {
        let isKnown = failures[kind] != nil || failures.count < Self.mostKinds
        failures[isKnown ? kind : "others", default: 0] += 1
    }

    /// Counts requests that were due when no place was free, and that were never begun.
    package mutating func leave(_ number: Int) {
        waited += number
        unsent += number
    }

    /// Takes in all that another run of the same request has, but for the throughput of each second.
    package mutating func merge(_ other: LoadFigures) {
        for (row, histogram) in other.rows { rows[row, default: LatencyHistogram()].merge(histogram) }
        statuses.merge(other.statuses, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
        count += other.count
        waited += other.waited
        unsent += other.unsent
        if let other = other.newest, newest.map({ other.time > $0.time }) ?? true { newest = other }
        paused = max(paused, other.paused)
        start = [start, other.start].compactMap(\.self).min()
        end = [end, other.end].compactMap(\.self).max()
    }

    /// The figure of a row, where there are enough samples for it: a 99th percentile of twenty is their maximum in disguise.
    package func figure(_ percent: Double, of row: Row) -> Duration? {
        let histogram = self[row]
        let least = percent >= 100 ? 1 : percent >= 99 ? 100 : percent >= 90 ? 10 : 1
        guard histogram.count >= least else { return nil }
        return percent >= 100 ? histogram.maximum : histogram.percentile(percent)
    }

    private mutating func record(_ duration: Duration, _ row: Row) {
        rows[row, default: LatencyHistogram()].record(max(.zero, duration))
    }

    private mutating func tick(_ time: MonotonicTime) {
        let origin = self.origin ?? start ?? time
        self.origin = origin
        let second = Int(max(.zero, time - origin) / .seconds(1))
        if second >= firstSecond + seconds.count {
            // A stall is seen as a gap.
            let missing = min(Self.mostSeconds, second - firstSecond - seconds.count + 1)
            seconds += [Int](repeating: 0, count: missing)
            let surplus = max(0, seconds.count - Self.mostSeconds)
            seconds.removeFirst(surplus)
            firstSecond = second + 1 - seconds.count
        }
        if second >= firstSecond { seconds[second - firstSecond] += 1 }
    }
}

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
