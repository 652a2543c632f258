import Base
import CCurl
import NetworkLayer

/// When what happened to a transfer. From the callbacks first; libcurl's own figures replace them where they are exact.
struct TransferTimeline: Equatable {
    var started: MonotonicTime
    /// libcurl's zero: all its figures count from here.
    var origin: MonotonicTime?
    var resolveStarted: MonotonicTime?
    var resolved: MonotonicTime?
    var connectStarted: MonotonicTime?
    var connected: MonotonicTime?
    var tlsStarted: MonotonicTime?
    var secured: MonotonicTime?
    /// Whether the connection is QUIC's, which connects and secures at once.
    var isQUIC = false
    /// The connection is the transfer's, and the request goes out.
    var ready: MonotonicTime?
    var sent: MonotonicTime?
    var firstByte: MonotonicTime?
    var end: MonotonicTime?

    init(started: MonotonicTime) {
        self.started = started
    }

    /// Forgets a connection that turned out to be dead.
    mutating func startAgain() {
        (resolveStarted, resolved, connectStarted, connected, tlsStarted, secured) = (nil, nil, nil, nil, nil, nil)
        (ready, sent, firstByte) = (nil, nil, nil)
        isQUIC = false
    }

    /// The phases that began; the one in which the transfer ended, ends with it.
    var phases: Phases {
        let end = end ?? started
        var phases = Phases()
        func interval(_ start: MonotonicTime, _ stop: MonotonicTime?) -> Phases.Interval {
            let stop = min(stop ?? end, end)
            return Phases.Interval(start: min(start, stop), end: stop)
        }
        let isReused = connectStarted == nil && resolveStarted == nil && ready != nil
        phases.queue = interval(started, isReused ? ready : origin)
        if let resolveStarted { phases.dns = interval(origin ?? resolveStarted, resolved) }
        if isQUIC, let connectStarted {
            phases.quic = interval(resolved ?? connectStarted, secured)
        } else if let connectStarted {
            phases.connect = interval(resolved ?? connectStarted, connected)
        }
        if let tlsStarted, !isQUIC { phases.tls = interval(connected ?? tlsStarted, secured) }
        if let ready {
            // A server may answer before it has the whole request.
            let sent = sent.map { min($0, firstByte ?? $0) }
            phases.send = interval(secured ?? connected ?? ready, sent ?? firstByte)
            if let sent { phases.wait = interval(sent, firstByte) }
            if let firstByte { phases.receive = interval(firstByte, end) }
        }
        return phases
    }
}

/// libcurl's figures for a transfer, in microseconds from its zero; 0 for what did not happen.
struct CurlTimes: Equatable {
    var nameLookup: Int64 = 0
    var connect: Int64 = 0
    var appConnect: Int64 = 0
    var startTransfer: Int64 = 0
    var total: Int64 = 0
}

extension TransferTimeline {
    /// `preTransfer` isn't used: it is taken after the head is written, and a server on this machine that the write has woken may
    /// have run by then. Its time is waiting (see ``CurlTransfer/noteHeadSent(_:)``).
    ///
    /// - Parameter countsFirstByte: whether `startTransfer` stands for the first byte of the response. With a body, libcurl 7.88
    ///   may count the start of the body there: always when it is handed out piece by piece, and over HTTP/2.
    mutating func apply(_ times: CurlTimes, countsFirstByte: Bool) {
        guard let origin else { return }
        if resolveStarted != nil, times.nameLookup > 0 { resolved = origin.advanced(microseconds: times.nameLookup) }
        if connectStarted != nil, times.nameLookup > 0 { resolved = origin.advanced(microseconds: times.nameLookup) }
        if connectStarted != nil, times.connect > 0 { connected = origin.advanced(microseconds: times.connect) }
        if tlsStarted != nil || isQUIC, times.appConnect > 0 { secured = origin.advanced(microseconds: times.appConnect) }
        if times.total > 0 { end = origin.advanced(microseconds: times.total) }
        guard ready != nil else { return }
        if countsFirstByte, firstByte != nil, times.startTransfer > 0 {
            firstByte = origin.advanced(microseconds: times.startTransfer)
        }
    }
}

extension MonotonicTime {
    /// The clock that libcurl counts by as well.
    static var now: MonotonicTime { SystemTimeSource.now }

    /// How long this thread has run on a processor: a clock that stands still while others run.
    static var ownThread: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time `count` microseconds later, the unit of libcurl's figures.
    func advanced(microseconds count: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ count &* 1000)
    }
}
