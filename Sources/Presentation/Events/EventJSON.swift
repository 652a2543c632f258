import Base
import HTTPTypes
package import NetworkLayer
import RequestCollections
import TerminalUI

/// Events as JSON Lines, for other programs: `turnstone send --events jsonl`.
///
/// One object a line. Every one has, in this order:
///
/// | member      | value |
/// |-------------|-------|
/// | `event`     | the name of its kind, in snake case |
/// | `operation` | counts the operations of the process from 1 |
/// | `attempt`   | counts the attempts of the operation from 1; absent outside of attempts |
/// | `sequence`  | counts the events of the operation from 0, without a gap |
/// | `time_us`   | microseconds since the operation's first event |
///
/// and behind them what belongs to its kind:
///
/// | `event`               | members |
/// |-----------------------|---------|
/// | `enqueued`            | `queue`, `date` (RFC 3339), `timeouts`: { `connect_us`, `idle_us`, `attempt_us`, `operation_us` } |
/// | `transition`          | `from`, `to`: as `RequestOperation.State` prints: `idle`, `waiting:REASON`, `running` … |
/// | `configuration_warning` | `warning`, `message` |
/// | `prepared`            | `step`: one that a role took part in: `hydration`, `headers`, `authorization` … |
/// | `host_sanitized`      | `from`, `to` |
/// | `preparation_failed`  | `step`, `error`; no attempt follows |
/// | `attempt_started`     | `kind` (`initial`, `redirect`, `retry`, `challenge`), `head`: { `method`, `url`, `headers`, `body_bytes` } |
/// | `waits_for`           | `operations`: their numbers; or `backoff`: whose pause, and `left_us` until it ends; or `concurrency_limit`: of which host |
/// | `cache`               | `outcome` (`hit`, `miss`, `validating`, `validated`, `changed`) |
/// | `resolve_started`     | `host` |
/// | `connect_started`, `quic_started` | `address` |
/// | `connect_failed`      | `address`, `errno` |
/// | `tls_ended`           | `tls`: { `version`, `cipher`, `alpn`, `verified`, `failure`, `chain` } |
/// | `connection_acquired` | `connection`: { `id`, `reused`, `local`, `remote`, `http`, `proxy` } |
/// | `request_head_sent`   | `head_bytes` |
/// | `upload_progress`, `download_progress` | `body_bytes`, `expected_bytes` |
/// | `authentication_step`, `informational`, `head` | `response`: { `status`, `version`, `headers` } |
/// | `redirect`            | `redirect`: { `location`, `decision`, `dropped_headers`, `new_method`, `downgrade` } |
/// | `challenge`           | `challenge`: { `space`, `host`, `method`, `realm`, `decision` } |
/// | `session_opened`      | `subprotocol`, `extensions` |
/// | `session_progress`    | `sent`, `received`: { `messages`, `message_bytes`, `wire_bytes` }, `pings`, `pongs`, `latency_us` |
/// | `session_closed`      | `code`, `reason`, `initiator` (`us`, `peer`, `nobody`), `clean`, and what `session_progress` has |
/// | `attempt_ended`       | `kind`, `disposition`, `status`, `error`, `duration_us`, `phases`, `connection`, `resends`, bytes, `source` (absent: network), `body_hash` |
/// | `retry_decision`      | `decision` (`retry`, `stop`, `abstain`), `reason`, `delay_us`, `policy` |
/// | `retry_scheduled`     | `delay_us` |
/// | `backoff_signalled`   | `key`, `pause_us`, `serialize_us`, `spacing_us` |
/// | `completed`           | `state`, `error` |
///
/// `phases` has `queue_us`, `dns_us`, `quic_us`, `connect_us`, `tls_us`, `send_us`, `wait_us`, `receive_us`; the bytes are
/// `request_head_bytes`, `request_body_bytes`, `response_head_bytes`, `response_body_bytes` (on the wire) and
/// `decoded_body_bytes`; where coders of the client's own worked, `coding`: { `encode_us`, `plain_request_body_bytes`,
/// `encoded_request_body_bytes`, `decode_us`, `decoded_response_body_bytes` }. An `error` has `type`, `code`, `phase`, `message`,
/// `errno`, `curl_code`, `cancel_source`, `callbacks` (the calls that had not returned), `underlying`.
///
/// `resolve_ended`, `connect_ended`, `tls_started`, `resent`, `request_sent` and `retry_started` have none. `headers` are pairs of name and
/// value, because names repeat and their order matters. Times are integer microseconds and end in `_us`, numbers of bytes end in
/// `_bytes`; what did not happen or is not known is absent, never 0 or null. Members may be added; those that are here keep
/// their names and meanings. Secrets in header fields and URLs are masked as on the screen unless `reveals`.
package struct EventJSON: Sendable {
    private let reveals: Bool
    private var start: [OperationID: MonotonicTime] = [:]

    package init(reveals: Bool = false) {
        self.reveals = reveals
    }

    /// The line of an event, without a line end. Events of an operation must come in their order.
    ///
    /// - Parameters:
    ///   - request: the name of the saved request that it belongs to.
    ///   - iteration: which row of several that request is sent for.
    package mutating func line(_ event: NetworkEvent, request: String? = nil, iteration: String? = nil) -> String {
        let start = self.start[event.operation] ?? event.time
        self.start[event.operation] = start
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("event", .string(Self.name(event.kind)))
        add("request", request.map(JSONValue.string))
        add("iteration", iteration.map(JSONValue.string))
        add("operation", .integer(Int64(event.operation.rawValue)))
        add("attempt", event.attempt.map { .integer(Int64($0)) })
        add("sequence", .integer(Int64(event.sequence)))
        add("time_us", .integer((event.time - start).wholeMicroseconds))
        if case .object(let details) = details(event.kind, at: event.time) { members += details }
        if case .completed = event.kind { self.start[event.operation] = nil }
        return JSONValue.object(members).line
    }

    package static func name(_ kind: NetworkEvent.Kind) -> String {
        switch kind {
        case .enqueued: "enqueued"
        case .transition: "transition"
        case .configurationWarning: "configuration_warning"
        case .prepared: "prepared"
        case .hostSanitized: "host_sanitized"
        case .preparationFailed: "preparation_failed"
        case .waitsFor: "waits_for"
        case .attemptStarted: "attempt_started"
        case .cache: "cache"
        case .resolveStarted: "resolve_started"
        case .resolveEnded: "resolve_ended"
        case .connectStarted: "connect_started"
        case .connectFailed: "connect_failed"
        case .connectEnded: "connect_ended"
        case .tlsStarted: "tls_started"
        case .quicStarted: "quic_started"
        case .tlsEnded: "tls_ended"
        case .connectionAcquired: "connection_acquired"
        case .leftoverDropped: "leftover_dropped"
        case .resent: "resent"
        case .authenticationStep: "authentication_step"
        case .requestHeadSent: "request_head_sent"
        case .uploadProgress: "upload_progress"
        case .requestSent: "request_sent"
        case .informational: "informational"
        case .head: "head"
        case .backoffSignalled: "backoff_signalled"
        case .downloadProgress: "download_progress"
        case .redirect: "redirect"
        case .challenge: "challenge"
        case .sessionOpened: "session_opened"
        case .sessionProgress: "session_progress"
        case .sessionClosed: "session_closed"
        case .attemptEnded: "attempt_ended"
        case .retryDecision: "retry_decision"
        case .retryScheduled: "retry_scheduled"
        case .retryStarted: "retry_started"
        case .completed: "completed"
        }
    }

    private func details(_ kind: NetworkEvent.Kind, at time: MonotonicTime) -> JSONValue {
        switch kind {
        case .enqueued(let queue, let date, let timeouts):
            .object([
                "queue": .string(queue), "date": .string(Self.date(date)), "timeouts": .object(Self.timeouts(timeouts)),
            ])
        case .transition(let from, let to): .object(["from": .string(from.description), "to": .string(to.description)])
        case .configurationWarning(let warning):
            .object(["warning": .string(warning.rawValue), "message": .string(warning.message)])
        case .prepared(let step): .object(["step": .string(step.rawValue)])
        case .hostSanitized(let from, let to): .object(["from": .string(from), "to": .string(to)])
        case .preparationFailed(let step, let error):
            .object(["step": .string(step.rawValue), "error": self.error(error)])
        case .waitsFor(.operations(let ids)):
            .object(["operations": .array(ids.map { .integer(Int64($0.rawValue)) })])
        case .waitsFor(.backoff(let key, let end)):
            .object(["backoff": .string(key), "left_us": end.map { .integer(max(0, ($0 - time).wholeMicroseconds)) }])
        case .waitsFor(.concurrencyLimit(let host)):
            .object(["concurrency_limit": .string(host)])
        case .backoffSignalled(let key, let behavior):
            .object([
                "key": .string(key), "pause_us": .integer(behavior.pause.wholeMicroseconds),
                "serialize_us": .integer(behavior.serialize.wholeMicroseconds),
                "spacing_us": .integer(behavior.spacing.wholeMicroseconds),
            ])
        case .attemptStarted(let kind, let request): .object(["kind": .string(kind.rawValue), "head": self.request(request)])
        case .cache(let outcome): .object(["outcome": .string(outcome.rawValue)])
        case .resolveStarted(let host): .object(["host": .string(host)])
        case .connectStarted(let address), .quicStarted(let address): .object(["address": .string(address)])
        case .connectFailed(let address, let number):
            .object(["address": .string(address), "errno": .integer(Int64(number))])
        case .tlsEnded(let tls): .object(["tls": self.tls(tls)])
        case .connectionAcquired(let connection): .object(["connection": self.connection(connection)])
        case .requestHeadSent(let head): .object(["head_bytes": .integer(Int64(head.utf8.count))])
        case .uploadProgress(let progress), .downloadProgress(let progress):
            .object(["body_bytes": .integer(progress.bytes), "expected_bytes": progress.expected.map { .integer($0) }])
        case .authenticationStep(let head), .informational(let head), .head(let head): .object(["response": self.head(head)])
        case .redirect(let hop): .object(["redirect": redirect(hop)])
        case .challenge(let report): .object(["challenge": challenge(report)])
        case .sessionOpened(let info):
            .object([
                "subprotocol": info.subprotocol.map { .string($0) }, "extensions": .array(info.extensions.map { .string($0) }),
            ])
        case .sessionProgress(let counts): .object(self.counts(counts))
        case .sessionClosed(let close, let counts):
            .object(
                [
                    .init(name: "code", value: .integer(Int64(close.code))), .init(name: "reason", value: .string(close.reason)),
                    .init(name: "initiator", value: .string(close.initiator.rawValue)),
                    .init(name: "clean", value: .boolean(close.isClean)),
                ] + self.counts(counts))
        case .attemptEnded(let attempt): .object(self.attempt(attempt))
        case .retryDecision(let decision, let policy): .object(retryDecision(decision, policy: policy))
        case .leftoverDropped(let bytes): .object(["bytes": .integer(Int64(bytes))])
        case .retryScheduled(let delay): .object(["delay_us": .integer(delay.wholeMicroseconds)])
        case .completed(let state, let error):
            .object(["state": .string(state.description), "error": error.map { self.error($0) }])
        case .resolveEnded, .connectEnded, .tlsStarted, .resent, .requestSent, .retryStarted: .object([])
        }
    }

    // MARK: Parts

    private func counts(_ counts: SessionCounts) -> [JSONValue.Member] {
        func numbers(_ direction: SessionCounts.Direction) -> JSONValue {
            .object([
                "messages": .integer(Int64(direction.messages)), "message_bytes": .integer(direction.bytes),
                "wire_bytes": .integer(direction.wireBytes),
            ])
        }
        var members: [JSONValue.Member] = [
            .init(name: "sent", value: numbers(counts.sent)), .init(name: "received", value: numbers(counts.received)),
            .init(name: "pings", value: .integer(Int64(counts.pings))), .init(name: "pongs", value: .integer(Int64(counts.pongs))),
        ]
        if let latency = counts.latency { members.append(.init(name: "latency_us", value: .integer(latency.wholeMicroseconds))) }
        return members
    }

    private func request(_ request: Request) -> JSONValue {
        .object([
            "method": .string(request.method.rawValue), "url": .string(url(request.url.absoluteString)),
            "headers": headers(request.headers), "body_bytes": request.body.length.map { .integer($0) },
        ])
    }

    private func head(_ head: ResponseHead) -> JSONValue {
        .object([
            "status": .integer(Int64(head.status.code)), "version": .string(head.version), "headers": headers(head.headers),
        ])
    }

    /// Pairs, because names repeat and their order matters.
    private func headers(_ fields: HTTPFields) -> JSONValue {
        .array(
            fields.map { field in
                let name = field.name.rawName
                return .array([.string(name), .string(reveals ? field.value : Redaction.standard.masked(field.value, of: name))])
            })
    }

    private func url(_ url: String) -> String { reveals ? url : URLText.line(url).text }

    private func connection(_ connection: ConnectionInfo) -> JSONValue {
        .object([
            "id": .integer(Int64(connection.id)), "reused": .boolean(connection.isReused),
            "local": .string(connection.localAddress),
            "remote": .string(connection.remoteAddress), "http": connection.httpVersion.map { .string($0) },
            "proxy": connection.proxy.map { .string($0) },
        ])
    }

    private func challenge(_ report: ChallengeReport) -> JSONValue {
        .object([
            "space": .string(report.space.rawValue), "host": .string(report.host), "method": .string(report.method),
            "realm": report.realm.map { .string($0) }, "decision": .string(report.decision.rawValue),
        ])
    }

    private func tls(_ tls: TLSInfo) -> JSONValue {
        .object([
            "version": tls.version.map { .string($0) }, "cipher": tls.cipher.map { .string($0) },
            "alpn": tls.applicationProtocol.map { .string($0) },
            "verified": .boolean(tls.isVerified && tls.verificationFailure == nil),
            "failure": tls.verificationFailure.map { .string($0) }, "chain": .array(tls.chain.map { certificate($0) }),
        ])
    }

    private func certificate(_ certificate: Certificate) -> JSONValue {
        .object([
            "subject": .string(certificate.subject), "issuer": .string(certificate.issuer),
            "not_before": .string(Self.date(certificate.notBefore)), "not_after": .string(Self.date(certificate.notAfter)),
            "names": .array(certificate.alternativeNames.map { .string($0) }), "sha256": .string(certificate.sha256),
        ])
    }

    private func redirect(_ hop: RedirectHop) -> JSONValue {
        .object([
            "location": .string(url(hop.location)), "decision": .string(hop.decision.rawValue),
            "dropped_headers": .array(hop.droppedHeaders.map { .string($0) }),
            "withheld": hop.withheld.isEmpty ? nil : .array(hop.withheld.map(withheld)),
            "new_method": hop.newMethod.map { .string($0) },
            "downgrade": .boolean(hop.isDowngrade),
        ])
    }

    private func withheld(_ withheld: RedirectHop.Withheld) -> JSONValue {
        .object([
            "part": .string(withheld.part), "secrets": .array(withheld.secrets.map { .string($0) }),
            "for": .array(withheld.origins.map { .string($0) }),
        ])
    }

    private func retryDecision(_ decision: RetryDecision, policy: String?) -> KeyValuePairs<String, JSONValue?> {
        let (name, delay): (String, Duration?) =
            switch decision {
            case .retry(let delay, _, _): ("retry", delay)
            case .stop: ("stop", nil)
            case .abstain: ("abstain", nil)
            }
        return [
            "decision": .string(name), "reason": decision.reason.map { .string($0) },
            "delay_us": delay.map { .integer($0.wholeMicroseconds) }, "policy": policy.map { .string($0) },
        ]
    }

    private func attempt(_ attempt: AttemptMetrics) -> KeyValuePairs<String, JSONValue?> {
        [
            "kind": .string(attempt.kind.rawValue),
            "disposition": attempt.disposition.map { .string($0.rawValue) },
            "status": attempt.head.map { .integer(Int64($0.status.code)) },
            "error": attempt.error.map { error($0) },
            "duration_us": attempt.duration.map { .integer($0.wholeMicroseconds) },
            "phases": phases(attempt.phases),
            "connection": attempt.connection.map { connection($0) },
            "resends": attempt.resends > 0 ? .integer(Int64(attempt.resends)) : nil,
            "request_head_bytes": .integer(attempt.bytes.requestHead),
            "request_body_bytes": .integer(attempt.bytes.requestBody),
            "response_head_bytes": .integer(attempt.bytes.responseHead),
            "response_body_bytes": .integer(attempt.bytes.responseBody),
            "decoded_body_bytes": .integer(attempt.bytes.decodedResponseBody),
            "coding": attempt.coding.map { coding($0) },
            "trailers": attempt.trailers.isEmpty ? nil : headers(HeaderText.trailers(attempt)),
            "source": attempt.source == .network ? nil : .string(attempt.source.rawValue),
            "body_hash": attempt.bodyHash.map { .string($0.description) },
        ]
    }

    private func coding(_ coding: CodingMetrics) -> JSONValue {
        .object([
            "encode_us": coding.requestEncodingLatency.map { .integer($0.wholeMicroseconds) },
            "plain_request_body_bytes": coding.requestOriginalContentLength.map { .integer($0) },
            "encoded_request_body_bytes": coding.requestEncodedContentLength.map { .integer($0) },
            "decode_us": coding.responseDecodingLatency.map { .integer($0.wholeMicroseconds) },
            "decoded_response_body_bytes": coding.responseDecodedContentLength.map { .integer($0) },
        ])
    }

    /// `queue_us`, `dns_us`, `quic_us`, `connect_us`, `tls_us`, `send_us`, `wait_us`, `receive_us`.
    private func phases(_ phases: Phases) -> JSONValue {
        .object(
            Phases.Name.allCases.compactMap { name in
                phases[name].map { .init(name: "\(name.rawValue)_us", value: .integer($0.duration.wholeMicroseconds)) }
            })
    }

    private func error(_ error: NetworkError) -> JSONValue {
        .object([
            "type": .string(error.type), "code": .integer(Int64(error.code.rawValue)), "phase": .string(error.phase.rawValue),
            "message": .string(error.message), "errno": error.systemErrno.map { .integer(Int64($0)) },
            "curl_code": error.curlCode.map { .integer(Int64($0)) },
            "cancel_source": error.cancelSource.map { .string($0.description) },
            "cancel_source_localized": error.cancelSource?.localizedDescription.map { .string($0) },
            "callbacks": error.details[.timeoutTags].map { .string($0) },
            "underlying": (error.underlying?.error).map { self.error($0) },
        ])
    }

    private static func timeouts(_ timeouts: Timeouts) -> KeyValuePairs<String, JSONValue?> {
        func value(_ duration: Duration?) -> JSONValue? { duration.map { .integer($0.wholeMicroseconds) } }
        return [
            "connect_us": value(timeouts.connect), "idle_us": value(timeouts.idle), "attempt_us": value(timeouts.attempt),
            "operation_us": value(timeouts.operation),
        ]
    }

    /// RFC 3339, in UTC, to the millisecond.
    private static func date(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
    }
}

extension JSONValue {
    /// On one line, without spaces. Besides what JSON demands, everything that a terminal could obey is escaped.
    var line: String { text(pretty: false, quote: Self.quotedForTerminals) }

    static func integer(_ value: Int64) -> JSONValue { .number("\(value)") }

    /// An object of the members that have a value.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    private static func quotedForTerminals(_ value: String) -> String {
        JSONText.quoted(value).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.value {
            case 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
