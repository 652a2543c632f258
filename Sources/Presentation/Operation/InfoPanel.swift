import Base
package import NetworkLayer
package import TerminalUI

/// An operation at a glance: where it ended, over what, how large, how long; and what went wrong.
package enum InfoPanel {
    private static let labelWidth = 13

    package struct Row: Sendable, Hashable {
        package var name: String
        package var value: StyledLine
    }

    /// - Parameter body: of the final response, for its decoded size and whereabouts.
    package static func rows(_ metrics: OperationMetrics, body: ResponseBody? = nil, now: MonotonicTime) -> [Row] {
        var rows: [Row] = []
        func add(_ name: String, _ value: StyledLine) { rows.append(Row(name: name, value: value)) }
        func add(_ name: String, _ value: String, _ role: ThemeRole = .text) { add(name, StyledLine(value, role)) }

        if let error = metrics.error ?? metrics.attempts.last?.error {
            ErrorText.lines(error).enumerated().forEach { add($0 == 0 ? "error" : "", $1) }
        }
        if let last = metrics.attempts.last {
            add("URL", URLText.line(last.request.url.absoluteString))
            if let head = last.head {
                var status = StyledLine([StatusText.span(head.status)])
                status.append("  " + SafeText.line(head.version), .dim)
                add("status", status)
            }
            if let source = source(last.source) { add("source", source) }
            if let connection = last.connection { connectionRows(connection).forEach { add($0, $1) } }
            if let tls = last.tls { add("TLS", tlsLine(tls)) }
            // What came from the cache didn't travel.
            if last.source != .cache { byteRows(last).forEach { add($0, $1) } }
            if let hash = last.bodyHash { add(hash.algorithm.name, hash.hexadecimal) }
            if last.resends > 0 {
                add("sent again", "\(Figures.count(last.resends, "time")), because a reused connection was dead", .warning)
            }
            for failed in last.failedAddresses {
                add("failed", "\(SafeText.line(failed.address)), error \(failed.errno)", .warning)
            }
        }
        if let body {
            switch body {
            case .none: break
            case .data(let data): add("body", "\(Figures.bytes(Int64(data.count))) in memory")
            case .file(let file): add("body", "\(Figures.bytes(Int64(file.count))) in a file")
            }
        }
        add("attempts", attempts(metrics))
        if let enqueued = metrics.enqueued {
            add(
                "total", Figures.duration(max(.zero, (metrics.completed ?? now) - enqueued)),
                metrics.completed == nil ? .stateRunning : .text)
            if let first = metrics.attempts.first { add("queued", Figures.duration(max(.zero, first.start - enqueued))) }
        }
        if let date = metrics.enqueuedDate { add("started", Figures.date(date)) }
        return rows
    }

    package static func lines(_ metrics: OperationMetrics, body: ResponseBody? = nil, now: MonotonicTime) -> [StyledLine] {
        rows(metrics, body: body, now: now).map { row in
            var line = StyledLine(Figures.left(row.name, labelWidth), .dim)
            line.spans += row.value.spans
            return line
        }
    }

    private static func connectionRows(_ connection: ConnectionInfo) -> [(String, StyledLine)] {
        var rows = [("connection", StyledLine("\(connection.id), \(connection.isReused ? "reused" : "new")"))]
        rows.append(("server", StyledLine(SafeText.line(connection.remoteAddress))))
        rows.append(("from", StyledLine(SafeText.line(connection.localAddress))))
        if let proxy = connection.proxy { rows.append(("proxy", StyledLine(SafeText.line(proxy)))) }
        return rows
    }

    private static func tlsLine(_ tls: TLSInfo) -> StyledLine {
        var line = StyledLine([tls.version, tls.cipher].compactMap { $0 }.map { SafeText.line($0) }.joined(separator: ", "))
        if tls.verificationFailure != nil {
            line.append(line.spans.isEmpty ? "not accepted" : ", not accepted", .error)
        } else if !tls.isVerified {
            line.append(line.spans.isEmpty ? "not verified" : ", not verified", .warning)
        }
        return line
    }

    private static func byteRows(_ attempt: AttemptMetrics) -> [(String, StyledLine)] {
        let bytes = attempt.bytes
        var rows: [(String, StyledLine)] = []
        func size(_ head: Int64, _ body: Int64) -> String { "\(Figures.bytes(head)) head, \(Figures.bytes(body)) body" }
        rows.append(("sent", StyledLine(size(bytes.requestHead, max(bytes.requestBody, attempt.upload.bytes)))))
        rows.append(("received", StyledLine(size(bytes.responseHead, max(bytes.responseBody, attempt.download.bytes)))))
        if let ratio = compression(bytes) { rows.append(("decoded", StyledLine(ratio))) }
        if let receive = attempt.phases.receive, bytes.responseBody > 0,
            let rate = Figures.rate(bytes: bytes.responseBody, in: receive.duration)
        {
            rows.append(("rate", StyledLine(rate)))
        }
        return rows
    }

    /// `1.2 MB, 5.3 times as much`; `nil` when the body was sent as it is.
    static func compression(_ bytes: ByteCounts) -> String? {
        guard bytes.responseBody > 0, bytes.decodedResponseBody > 0, bytes.decodedResponseBody != bytes.responseBody else {
            return nil
        }
        let tenths = Int((Double(bytes.decodedResponseBody) / Double(bytes.responseBody) * 10).rounded())
        return "\(Figures.bytes(bytes.decodedResponseBody)), \(tenths / 10).\(tenths % 10) times as much"
    }

    /// `nil` for the network: most answers come from there.
    private static func source(_ source: ResponseSource) -> String? {
        switch source {
        case .network: nil
        case .cache: "cache, nothing was sent"
        case .validatedCache: "cache, still good says the server"
        case .mock: "mock, nothing was sent"
        }
    }

    private static func attempts(_ metrics: OperationMetrics) -> String {
        let redirects = metrics.attempts.count { $0.kind == .redirect }
        let retries = metrics.attempts.count { $0.kind == .retry }
        var parts = [Figures.count(metrics.attempts.count)]
        if redirects > 0 { parts.append(Figures.count(redirects, "redirect")) }
        if retries > 0 { parts.append(Figures.count(retries, "retry", "retries")) }
        return parts.joined(separator: ", ")
    }
}
