package import NetworkLayer
package import TerminalUI

/// The states of an operation as text.
package enum StateText {
    package static func span(_ state: RequestOperation.State) -> StyledLine.Span {
        StyledLine.Span(word(state), role(state))
    }

    /// One word or two, and what it waits for: `running`, `waiting to retry`, `waiting: queue paused`.
    package static func word(_ state: RequestOperation.State) -> String {
        switch state {
        case .waiting(let reason): "waiting: \(Self.reason(reason))"
        case .waitingToRetry: "waiting to retry"
        default: state.description
        }
    }

    /// Short, for lists.
    package static func short(_ state: RequestOperation.State) -> String {
        switch state {
        case .idle: "queue"
        case .waiting(let reason): Self.reason(reason)
        case .preparing: "prepare"
        case .starting: "start"
        case .running: "run"
        case .waitingToRetry: "retry"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .succeeded: "succeeded"
        }
    }

    private static func reason(_ reason: RequestOperation.WaitReason) -> String {
        switch reason {
        case .queueSuspended: "queue paused"
        case .dependency: "dependency"
        case .concurrencyLimit: "limit"
        case .backoff: "backing off"
        case .connectivity: "offline"
        }
    }

    package static func role(_ state: RequestOperation.State) -> ThemeRole {
        switch state {
        case .idle, .waiting: .stateWaiting
        case .preparing: .statePreparing
        case .starting: .stateStarting
        case .running: .stateRunning
        case .waitingToRetry: .stateWaitingToRetry
        case .cancelled: .stateCancelled
        case .failed: .stateFailed
        case .succeeded: .stateSucceeded
        }
    }
}

package enum ErrorText {
    /// The sentence; then phase and type; then the error behind it.
    package static func lines(_ error: NetworkError) -> [StyledLine] {
        var lines = [StyledLine(SafeText.line(error.message), error.code == .cancelled ? .stateCancelled : .error)]
        var details = StyledLine("\(phase(error.phase)), \(SafeText.line(error.type))", .dim)
        if let number = error.systemErrno { details.append(", errno \(number)", .dim) }
        if let source = error.cancelSource {
            details.append(", by \(SafeText.line(source.localizedDescription ?? source.description))", .dim)
        }
        lines.append(details)
        if let underlying = error.underlying?.error {
            lines.append(StyledLine("after: \(SafeText.line(underlying.message))", .dim))
        }
        return lines
    }

    /// When it happened: `while connecting`, `in the queue`.
    package static func phase(_ phase: NetworkError.Phase) -> String {
        switch phase {
        case .preparation: "while preparing"
        case .queue: "in the queue"
        case .dns: "while looking up the name"
        case .connection: "while connecting"
        case .tls: "in the TLS handshake"
        case .request: "while sending the request"
        case .response: "while waiting for the response"
        case .body: "while receiving the body"
        }
    }
}

/// What an operation waits for, as text.
package enum WaitText {
    /// Operations in the order of their numbers, and how long a pause lasts:
    ///
    ///     operations 3 and 7          a pause of a.test, 1.2 s left          the requests before it to a.test
    ///     its turn at a.test:443
    package static func sentence(_ detail: WaitDetail, at time: MonotonicTime) -> String {
        switch detail {
        case .operations(let ids):
            let names = ids.prefix(3).map { "\($0.rawValue)" }
            let others = ids.count - names.count
            let list = others > 0 ? names + ["\(others) more"] : names
            let text = list.count < 2 ? list.joined() : list.dropLast().joined(separator: ", ") + " and " + (list.last ?? "")
            return "\(ids.count == 1 ? "operation" : "operations") \(text)"
        case .backoff(let key, let end?):
            return "a pause of \(SafeText.line(key)), \(Figures.duration(max(.zero, end - time))) left"
        case .backoff(let key, nil):
            return "the requests before it to \(SafeText.line(key))"
        case .concurrencyLimit(""):
            return "its turn"
        case .concurrencyLimit(let host):
            return "its turn at \(SafeText.line(host))"
        }
    }

    /// What an answer asked for: `a.test pauses for 2 s, then one after the other until 5 s are over, 100 ms apart`.
    package static func signal(_ key: String, _ behavior: BackoffBehavior) -> String {
        var text = "\(SafeText.line(key)) pauses for \(Figures.duration(behavior.pause))"
        if behavior.serialize > .zero {
            text += ", one after the other until \(Figures.duration(behavior.serialize)) are over"
        }
        if behavior.spacing > .zero { text += ", \(Figures.duration(behavior.spacing)) apart" }
        return text
    }
}

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
