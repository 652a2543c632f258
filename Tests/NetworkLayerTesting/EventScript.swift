package import HTTPTypes
package import NetworkLayer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The log of an operation, written by hand: what its views and folds see without one that runs.
///
///     var script = EventScript()
///     script.start(at: 0)
///     script.attempt(at: 1, request)
///     script.connect(at: 2, dns: 8, tcp: 21)
///     script.head(at: 350, status: 200)
///     script.endAttempt(at: 374)
///     script.end(at: 374, .succeeded)
///
/// Times are milliseconds since the operation was enqueued.
package struct EventScript {
    package private(set) var events: [NetworkEvent] = []
    package private(set) var metrics = OperationMetrics()
    private let operation: OperationID
    private var attempt: Int?
    private var connections = 0

    package init(operation: Int = 1) {
        self.operation = OperationID(rawValue: operation)
    }

    /// The same story of another operation.
    package func renumbered(_ operation: Int) -> EventScript {
        var script = EventScript(operation: operation)
        for var event in events {
            event.operation = script.operation
            script.events.append(event)
            script.metrics.apply(event)
        }
        return script
    }

    /// The time of the events at so many milliseconds.
    package static func time(_ milliseconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds * 1e6))
    }

    package mutating func at(_ milliseconds: Double, _ kind: NetworkEvent.Kind) {
        let event = NetworkEvent(
            operation: operation, attempt: attempt, sequence: events.count, time: Self.time(milliseconds), kind: kind)
        events.append(event)
        metrics.apply(event)
    }

    // MARK: The operation

    /// Enqueued at 2026-11-20 21:00:00 UTC, and prepared.
    package mutating func start(at time: Double = 0, timeouts: Timeouts = .init(idleMode: .excludingInitialConnection)) {
        enqueue(at: time, timeouts: timeouts)
        move(at: time, to: .preparing)
    }

    package mutating func enqueue(at time: Double = 0, timeouts: Timeouts = .init(idleMode: .excludingInitialConnection)) {
        at(time, .enqueued(queue: "explorer", date: Date(timeIntervalSince1970: 1_795_208_400), timeouts: timeouts))
    }

    package mutating func move(at time: Double, to state: RequestOperation.State) {
        at(time, .transition(from: metrics.state, to: state))
    }

    package mutating func end(at time: Double, _ state: RequestOperation.State, _ error: NetworkError? = nil) {
        move(at: time, to: state)
        at(time, .completed(state, error))
    }

    // MARK: Attempts

    /// Begins an attempt; the operation goes on to `starting` unless this is a redirect.
    package mutating func attempt(at time: Double, _ request: Request, _ kind: AttemptKind = .initial) {
        attempt = metrics.attempts.count + 1
        at(time, .attemptStarted(kind, request))
        if kind != .redirect { move(at: time, to: .starting) }
    }

    /// Opens a connection: each phase takes so many milliseconds; one without a number doesn't happen.
    ///
    /// - Returns: when the connection is there.
    @discardableResult
    package mutating func connect(
        at time: Double, dns: Double? = nil, tcp: Double? = nil, tls: (Double, TLSInfo)? = nil, host: String = "api.example.org"
    ) -> Double {
        var time = time
        if let dns {
            at(time, .resolveStarted(host: host))
            time += dns
            at(time, .resolveEnded)
        }
        if let tcp {
            connections += 1
            at(time, .connectStarted(address: "127.0.0.1:8080"))
            time += tcp
            at(time, .connectEnded)
        }
        if let (duration, info) = tls {
            at(time, .tlsStarted)
            time += duration
            at(time, .tlsEnded(info))
            if info.verificationFailure != nil { return time }
        }
        at(
            time,
            .connectionAcquired(
                ConnectionInfo(
                    id: connections, isReused: tcp == nil, localAddress: "127.0.0.1:50404", remoteAddress: "127.0.0.1:8080",
                    httpVersion: "HTTP/1.1")))
        return time
    }

    /// The request goes out, head and body at once.
    package mutating func send(at time: Double, _ head: String = "GET / HTTP/1.1\r\nHost: api.example.org\r\n\r\n") {
        at(time, .requestHeadSent(head))
        at(time, .requestSent)
    }

    package mutating func head(at time: Double, status: Int, headers: HTTPFields = [:]) {
        if metrics.state == .starting { move(at: time, to: .running) }
        at(time, .head(ResponseHead(status: .init(code: status), headers: headers)))
    }

    package mutating func upload(at time: Double, _ bytes: Int64, of expected: Int64?) {
        if metrics.state == .starting { move(at: time, to: .running) }
        at(time, .uploadProgress(TransferProgress(bytes: bytes, expected: expected)))
    }

    package mutating func download(at time: Double, _ bytes: Int64, of expected: Int64?) {
        at(time, .downloadProgress(TransferProgress(bytes: bytes, expected: expected)))
    }

    /// Ends the attempt with what its events told.
    package mutating func endAttempt(
        at time: Double, _ disposition: AttemptDisposition = .completing, error: NetworkError? = nil, redirect: RedirectHop? = nil
    ) {
        if let redirect { at(time, .redirect(redirect)) }
        guard var ended = metrics.currentAttempt else { return }
        ended.end = Self.time(time)
        ended.disposition = disposition
        ended.error = error
        if let open = ended.openPhase {
            ended.phases[open.name] = Phases.Interval(start: open.start, end: Self.time(time))
            ended.openPhase = nil
        }
        ended.bytes.responseBody = ended.download.bytes
        ended.bytes.decodedResponseBody = ended.download.bytes
        ended.bytes.requestBody = ended.upload.bytes
        ended.bytes.requestHead = Int64(ended.sentHead?.utf8.count ?? 0)
        at(time, .attemptEnded(ended))
        attempt = nil
    }
}
