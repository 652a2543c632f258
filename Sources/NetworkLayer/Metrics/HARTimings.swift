/// The seven times of an attempt as HAR 1.2 has them: milliseconds, −1 for what did not happen.
///
/// HAR's `connect` includes `ssl`, and our phase `connect` doesn't include ``Phases/tls``; so what is added up is
/// `blocked + dns + connect + send + wait + receive`, and ``total`` is that.
public struct HARTimings: Sendable, Hashable, Codable {
    public var blocked: Double
    public var dns: Double
    public var connect: Double
    public var ssl: Double
    public var send: Double
    public var wait: Double
    public var receive: Double

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
    public var harTimings: HARTimings { HARTimings(phases) }
}
