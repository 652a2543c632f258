/// The seven times of an attempt as HAR 1.2 has them: milliseconds. What did not happen is −1,
/// except for `send`, `wait` and `receive`, which HAR wants to be there always: these are 0 then.
///
/// HAR's `connect` includes `ssl`, and our phase `connect` doesn't include ``Phases/tls``; so what is added up is
/// `blocked + dns + connect + send + wait + receive`, and ``total`` is that.
public struct HARTimings: Sendable, Hashable, Codable {
    /// The wait for a connection, from ``Phases/queue``.
    public var blocked: Double
    /// From ``Phases/dns``.
    public var dns: Double
    /// ``Phases/connect`` and ``Phases/tls`` together.
    public var connect: Double
    /// From ``Phases/tls``; it is part of ``connect`` already.
    public var ssl: Double
    /// From ``Phases/send``.
    public var send: Double
    /// From ``Phases/wait``.
    public var wait: Double
    /// From ``Phases/receive``.
    public var receive: Double

    /// Converts the phases of one attempt.
    public init(_ phases: Phases) {
        func milliseconds(_ duration: Duration?) -> Double {
            duration.map { Double($0.wholeNanoseconds) / 1e6 } ?? -1
        }
        blocked = milliseconds(phases.queue?.duration)
        dns = milliseconds(phases.dns?.duration)
        ssl = milliseconds(phases.tls?.duration)
        let connecting = [phases.connect?.duration, phases.tls?.duration].compactMap { $0 }
        connect = milliseconds(connecting.isEmpty ? nil : connecting.reduce(.zero, +))
        // HAR wants these three to be there always.
        send = max(0, milliseconds(phases.send?.duration))
        wait = max(0, milliseconds(phases.wait?.duration))
        receive = max(0, milliseconds(phases.receive?.duration))
    }

    /// HAR's `time` of an entry.
    public var total: Double {
        [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
    }
}

extension AttemptMetrics {
    /// The attempt's phases in HAR's form; of a running attempt, those that are over.
    public var harTimings: HARTimings { HARTimings(phases) }
}
