import Base
import HTTPTypes
package import NetworkLayer
package import TerminalUI

/// The events of an operation as lines: when, counted from the first one, which, what.
///
///     +0.000 ms   0  enqueued            queue default
///     +0.412 ms   4  connect started     127.0.0.1:8080
///     +3.871 ms   9  head                302 Found, HTTP/1.1
package enum EventLog {
    private static let nameWidth = 19

    /// - Parameter start: of the first event.
    package static func line(_ event: NetworkEvent, since start: MonotonicTime) -> StyledLine {
        var line = StyledLine(Figures.right(offset(event.time - start), 13), .dim)
        line.append(Figures.right("\(event.sequence)", 5), .lineNumber)
        line.append("  ")
        let (name, role) = name(event.kind)
        line.append(Figures.left(name, nameWidth), role)
        line.append(" ")
        line.spans += details(event.kind, at: event.time).spans
        while line.spans.last?.text.allSatisfy({ $0 == " " }) == true { line.spans.removeLast() }
        return line
    }

    package static func lines(_ events: some Sequence<NetworkEvent>) -> [StyledLine] {
        var start: MonotonicTime?
        return events.map { event in
            start = start ?? event.time
            return line(event, since: start ?? event.time)
        }
    }

    /// Milliseconds to the microsecond, because that is what one compares: `+1,240.003 ms`.
    private static func offset(_ duration: Duration) -> String {
        let microseconds = max(0, duration.wholeMicroseconds)
        let fraction = String(microseconds % 1000)
        return "+\(Figures.count(Int(microseconds / 1000)))." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
    }

    private static func name(_ kind: NetworkEvent.Kind) -> (String, ThemeRole) {
        switch kind {
        case .enqueued: ("enqueued", .stateWaiting)
        case .transition(_, let state): ("state", StateText.role(state))
        case .configurationWarning: ("configuration", .warning)
        case .prepared: ("prepared", .statePreparing)
        case .hostSanitized: ("host changed", .statePreparing)
        case .preparationFailed: ("preparation failed", .error)
        case .waitsFor: ("waits for", .stateWaiting)
        case .backoffSignalled: ("backoff", .warning)
        case .attemptStarted: ("attempt started", .strong)
        case .cache: ("cache", .stateWaiting)
        case .resolveStarted: ("resolve started", .phaseDns)
        case .resolveEnded: ("resolve ended", .phaseDns)
        case .connectStarted: ("connect started", .phaseConnect)
        case .connectFailed: ("connect failed", .error)
        case .connectEnded: ("connect ended", .phaseConnect)
        case .tlsStarted: ("TLS started", .phaseTls)
        case .quicStarted: ("QUIC started", .phaseTls)
        case .tlsEnded: ("TLS ended", .phaseTls)
        case .connectionAcquired: ("connection acquired", .phaseConnect)
        case .leftoverDropped: ("connection given up", .warning)
        case .resent: ("sent again", .warning)
        case .authenticationStep(let head): (head.status.code == 417 ? "expectation" : "authentication", .phaseWait)
        case .requestHeadSent: ("request head sent", .phaseSend)
        case .uploadProgress: ("upload", .phaseSend)
        case .requestSent: ("request sent", .phaseSend)
        case .informational: ("informational", .phaseWait)
        case .head: ("head", .phaseWait)
        case .downloadProgress: ("download", .phaseReceive)
        case .redirect: ("redirect", .status3xx)
        case .challenge(let report):
            ("challenge", report.decision == .answered ? .status4xx : .warning)
        case .sessionOpened: ("session opened", .strong)
        case .sessionProgress: ("session", .phaseReceive)
        case .sessionClosed(let close, _): ("session closed", close.isNormal ? .strong : .warning)
        case .attemptEnded: ("attempt ended", .strong)
        case .retryDecision: ("retry decision", .stateWaitingToRetry)
        case .retryScheduled: ("retry scheduled", .stateWaitingToRetry)
        case .retryStarted: ("retry started", .stateWaitingToRetry)
        case .completed(let state, _): ("completed", StateText.role(state))
        }
    }

    private static func details(_ kind: NetworkEvent.Kind, at time: MonotonicTime) -> StyledLine {
        switch kind {
        case .enqueued(let queue, _, _): StyledLine("queue \(SafeText.line(queue))")
        case .transition(let from, let to):
            StyledLine([StateText.span(from), .init(" → ", .dim), StateText.span(to)])
        case .configurationWarning(let warning): StyledLine(warning.message)
        case .prepared(let step): StyledLine(PreparationText.name(step))
        case .hostSanitized(let from, let to):
            StyledLine([.init(SafeText.line(from), .urlHost), .init(" → ", .dim), .init(SafeText.line(to), .urlHost)])
        case .preparationFailed(let step, let error):
            StyledLine([.init("\(PreparationText.name(step)): ", .dim), .init(SafeText.line(error.message), .error)])
        case .waitsFor(let detail): StyledLine(WaitText.sentence(detail, at: time))
        case .backoffSignalled(let key, let behavior): StyledLine(WaitText.signal(key, behavior))
        case .attemptStarted(let kind, let request):
            StyledLine(
                [.init("\(kind.rawValue) ", .dim), MethodText.span(request.method.rawValue), .init(" ", .text)]
                    + URLText.line(request.url.absoluteString).spans)
        case .cache(let outcome): StyledLine(cache(outcome))
        case .resolveStarted(let host): StyledLine(SafeText.line(host), .urlHost)
        case .connectStarted(let address), .quicStarted(let address): StyledLine(SafeText.line(address))
        case .connectFailed(let address, let number): StyledLine("\(SafeText.line(address)), errno \(number)")
        case .tlsEnded(let tls):
            StyledLine(
                [tls.version, tls.cipher, tls.applicationProtocol, tls.verificationFailure].compactMap { $0 }.map {
                    SafeText.line($0)
                }.joined(separator: ", "))
        case .connectionAcquired(let connection):
            StyledLine(
                "\(connection.id), \(connection.isReused ? "reused" : "new"), \(SafeText.line(connection.remoteAddress))"
                    + (connection.httpVersion.map { ", \(SafeText.line($0))" } ?? ""))
        case .leftoverDropped(let bytes): StyledLine("this server sent \(Figures.bytes(Int64(bytes))) after its answer")
        case .requestHeadSent(let head): StyledLine(Figures.bytes(Int64(head.utf8.count)))
        case .uploadProgress(let progress), .downloadProgress(let progress): StyledLine(self.progress(progress))
        case .authenticationStep(let head), .informational(let head), .head(let head):
            StyledLine([StatusText.span(head.status), .init(", \(SafeText.line(head.version))", .dim)])
        case .redirect(let hop):
            StyledLine([.init("\(decision(hop.decision)) → ", .dim)] + URLText.line(hop.location).spans)
        case .challenge(let report): ChallengeText.line(report)
        case .sessionOpened(let info):
            StyledLine(([info.subprotocol].compactMap(\.self) + info.extensions).map { SafeText.line($0) }.joined(separator: ", "))
        case .sessionProgress(let counts): StyledLine(SessionText.counts(counts))
        case .sessionClosed(let close, let counts): StyledLine("\(SessionText.close(close)), \(SessionText.counts(counts))")
        case .attemptEnded(let attempt):
            StyledLine(
                [StatusText.result(attempt), attempt.duration.map { .init(" after \(Figures.duration($0))", .dim) }].compactMap {
                    $0
                })
        case .retryDecision(let decision, _): RetryText.line(decision)
        case .retryScheduled(let delay): StyledLine("in \(Figures.duration(delay))")
        case .completed(let state, let error):
            StyledLine([StateText.span(state)] + (error.map { [.init(": \(SafeText.line($0.message))", .error)] } ?? []))
        case .resolveEnded, .connectEnded, .tlsStarted, .resent, .requestSent, .retryStarted: StyledLine()
        }
    }

    private static func cache(_ outcome: CacheOutcome) -> String {
        switch outcome {
        case .hit: "hit, nothing is sent"
        case .miss: "miss"
        case .validating: "stale, asking the server"
        case .validated: "still good, says the server"
        case .changed: "changed, says the server"
        }
    }

    private static func progress(_ progress: TransferProgress) -> String {
        guard let expected = progress.expected, let fraction = progress.fraction else { return Figures.bytes(progress.bytes) }
        return "\(Figures.bytes(progress.bytes)) of \(Figures.bytes(expected)), \(Figures.percent(fraction))"
    }

    private static func decision(_ decision: RedirectHop.Decision) -> String {
        switch decision {
        case .followed: "followed"
        case .refusedByPolicy: "refused by policy"
        case .refusedByDelegate: "refused by delegate"
        case .failed: "failed"
        }
    }
}

/// What became of a challenge, as a line: `digest “shop” of a.test answered`.
package enum ChallengeText {
    package static func line(_ report: ChallengeReport) -> StyledLine {
        var who = report.method
        if let realm = report.realm { who += " “\(realm)”" }
        who += report.space == .proxy ? " of the proxy for \(report.host)" : " of \(report.host)"
        return StyledLine([.init(SafeText.line(who), .text), .init(" \(text(report.decision))", .dim)])
    }

    private static func text(_ decision: ChallengeReport.Decision) -> String {
        switch decision {
        case .answered: "answered"
        case .unanswered: "unanswered"
        case .repeated: "asked again: the credentials were not accepted"
        case .bodyNotReplayable: "unanswered: the body can't be sent again"
        case .cancelled: "cancelled"
        }
    }
}

/// What was decided about another try, as a line.
///
///     again in 400 ms: tcp.refused, try 3 of 4
///     not again: status 503, after 4 of 4 tries
package enum RetryText {
    package static func line(_ decision: RetryDecision) -> StyledLine {
        switch decision {
        case .retry(let delay, _, let reason):
            StyledLine([.init("again in \(Figures.duration(delay))", .text), .init(": \(SafeText.line(reason))", .dim)])
        case .stop(let reason): StyledLine([.init("not again", .text), .init(": \(SafeText.line(reason))", .dim)])
        case .abstain: StyledLine([.init("not again", .text), .init(": no policy asks for it", .dim)])
        }
    }
}

/// A session in words.
package enum SessionText {
    /// `↑ 2 (61 B)  ↓ 1,204 (88 KB)`
    package static func counts(_ counts: SessionCounts) -> String {
        "↑ \(direction(counts.sent))  ↓ \(direction(counts.received))"
    }

    /// `↑ 2  ↓ 1,204`
    package static func messages(_ counts: SessionCounts) -> String {
        "↑ \(Figures.count(counts.sent.messages))  ↓ \(Figures.count(counts.received.messages))"
    }

    /// `closed 4001 “enough”`; `nil`: the connection ended without a close.
    package static func closed(_ close: SessionClose) -> String? {
        guard close.code != 1006 else { return nil }
        return "closed" + (close.code == 1005 ? "" : " \(close.code)")
            + (close.reason.isEmpty ? "" : " “\(SafeText.line(close.reason))”")
    }

    /// `4001 enough, by the peer`
    package static func close(_ close: SessionClose) -> String {
        let who =
            switch close.initiator {
            case .us: "by us"
            case .peer: "by the peer"
            case .nobody: "without a close frame"
            }
        return "\(close.code)\(close.reason.isEmpty ? "" : " " + SafeText.line(close.reason)), \(who)"
    }

    private static func direction(_ direction: SessionCounts.Direction) -> String {
        "\(Figures.count(direction.messages)) (\(Figures.bytes(direction.bytes)))"
    }
}

package enum PreparationText {
    package static func name(_ step: PreparationStep) -> String {
        switch step {
        case .validation: "request checked"
        case .hydration: "filled in"
        case .revalidation: "checked again"
        case .configuration: "configuration"
        case .headers: "header fields"
        case .acceptEncoding: "accepted codings"
        case .contentEncoding: "body coded"
        case .hostSanitizer: "host"
        case .authorization: "authorization"
        case .readyToEnqueue: "ready"
        }
    }
}
