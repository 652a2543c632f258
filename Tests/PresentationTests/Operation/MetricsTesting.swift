import FoundationEssentials
import HTTPTypes
import NetworkLayer

/// Metrics made of events, as the network layer makes them.
struct MetricsScript {
    private(set) var metrics = OperationMetrics()
    private(set) var events: [NetworkEvent] = []
    private var attempt: Int?

    /// - Parameter time: in microseconds since the operation was enqueued.
    mutating func at(_ time: Int64, _ kind: NetworkEvent.Kind) {
        if case .attemptStarted = kind { attempt = (attempt ?? 0) + 1 }
        let event = NetworkEvent(
            operation: OperationID(rawValue: 7), attempt: attempt, sequence: events.count, time: .at(time), kind: kind)
        events.append(event)
        metrics.apply(event)
    }

    mutating func enqueue(timeouts: Timeouts = Timeouts(idleMode: .excludingInitialConnection)) {
        at(0, .enqueued(queue: "default", date: Date(timeIntervalSince1970: 1_795_212_847), timeouts: timeouts))
    }

    mutating func transitions(_ states: (Int64, RequestOperation.State)...) {
        for (time, state) in states { at(time, .transition(from: metrics.state, to: state)) }
    }

    mutating func end(_ time: Int64, _ change: (inout AttemptMetrics) -> Void = { _ in }) {
        var attempt = metrics.attempts.last!
        attempt.end = .at(time)
        attempt.openPhase = nil
        change(&attempt)
        at(time, .attemptEnded(attempt))
    }
}

extension MonotonicTime {
    /// Microseconds after the start of the script.
    static func at(_ microseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: 1_000_000_000 + microseconds * 1000) }
}

extension Phases.Interval {
    /// In microseconds.
    init(_ start: Int64, _ end: Int64) {
        self.init(start: .at(start), end: .at(end))
    }
}

extension Request {
    init(_ url: String, _ method: HTTPRequest.Method = .get) {
        self.init(url: URL(string: url)!, method: method)
    }
}

extension MetricsScript {
    /// A redirect that changes the method and drops a header, then an answer that says what the server did.
    static let redirected: MetricsScript = {
        var script = MetricsScript()
        script.enqueue()
        script.transitions((100, .preparing), (200, .starting), (300, .running))
        script.at(300, .attemptStarted(.initial, Request("http://localhost:8080/first", .post)))
        script.end(4300) { attempt in
            attempt.disposition = .redirecting
            attempt.head = ResponseHead(status: .init(code: 303, reasonPhrase: "See Other"))
            attempt.phases = Phases(
                dns: .init(300, 800), connect: .init(800, 1300), send: .init(1300, 1310), wait: .init(1310, 4200),
                receive: .init(4200, 4300))
            attempt.connection = ConnectionInfo(
                id: 1, isReused: false, localAddress: "127.0.0.1:50000", remoteAddress: "127.0.0.1:8080", httpVersion: "HTTP/1.1")
            attempt.redirect = RedirectHop(
                location: "http://other.example:8081/second", decision: .followed,
                droppedHeaders: ["Authorization", "Content-Type"], newMethod: "GET")
        }
        script.at(4400, .attemptStarted(.redirect, Request("http://other.example:8081/second")))
        script.end(8400) { attempt in
            attempt.disposition = .completing
            attempt.head = ResponseHead(
                status: .ok, headers: [HTTPField.Name("Server-Timing")!: "db;dur=1.5, cache;desc=\"a hit\""])
            attempt.phases = Phases(send: .init(4400, 4500), wait: .init(4500, 8000), receive: .init(8000, 8400))
            attempt.connection = ConnectionInfo(
                id: 2, isReused: true, localAddress: "127.0.0.1:50001", remoteAddress: "127.0.0.1:8081", httpVersion: "HTTP/1.1")
            attempt.bytes = ByteCounts(
                requestHead: 120, requestBody: 0, responseHead: 250, responseBody: 1000, decodedResponseBody: 5300)
        }
        script.transitions((8500, .succeeded))
        script.at(8500, .completed(.succeeded, nil))
        return script
    }()

    /// A request that is tried again after 7 ms, and another one for which the host backs off.
    ///
    /// - Parameter time: in microseconds; what comes later hasn't happened.
    static func retried(until time: Int64) -> MetricsScript {
        var script = MetricsScript()
        script.enqueue()
        script.transitions((50, .preparing), (100, .starting))
        script.at(100, .attemptStarted(.initial, Request("http://localhost:8080/flaky")))
        script.end(1100) { attempt in
            attempt.disposition = .retrying
            attempt.head = ResponseHead(status: .serviceUnavailable)
            attempt.phases = Phases(wait: .init(100, 1100))
        }
        script.transitions((1100, .waitingToRetry))
        guard time > 1100 else { return script }
        script.transitions((8100, .waiting(.backoff)), (9100, .preparing), (9100, .starting))
        script.at(9100, .attemptStarted(.retry, Request("http://localhost:8080/flaky")))
        script.end(10_100) { attempt in
            attempt.disposition = .completing
            attempt.head = ResponseHead(status: .ok)
            attempt.phases = Phases(wait: .init(9100, 10_100))
        }
        script.transitions((10_100, .succeeded))
        script.at(10_100, .completed(.succeeded, nil))
        return script
    }

    /// Waits for the answer.
    static let running: MetricsScript = {
        var script = MetricsScript()
        script.enqueue()
        script.transitions((100, .preparing), (200, .starting), (300, .running))
        script.at(300, .attemptStarted(.initial, Request("http://localhost:8080/slow")))
        script.at(400, .connectStarted(address: "127.0.0.1:8080"))
        script.at(500, .connectEnded)
        script.at(
            500,
            .connectionAcquired(
                ConnectionInfo(id: 3, isReused: false, localAddress: "127.0.0.1:50002", remoteAddress: "127.0.0.1:8080")))
        script.at(600, .requestSent)
        return script
    }()
}
