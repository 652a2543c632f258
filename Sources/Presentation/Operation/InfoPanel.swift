package import Base
package import NetworkLayer
package import TerminalUI

/// An operation and its attempts at a glance: over what, how large, how long; and what went wrong.
package enum InfoPanel {
    private static let labelWidth = 13

    package struct Row: Sendable, Hashable {
        package var name: String
        package var value: StyledLine
    }

    /// An attempt: over what, and how large.
    package static func rows(_ attempt: AttemptMetrics) -> [Row] {
        var rows = [Row(name: "URL", value: URLText.line(attempt.request.url.absoluteString))]
        func add(_ name: String, _ value: String, _ role: ThemeRole = .text) {
            rows.append(Row(name: name, value: StyledLine(value, role)))
        }
        if let source = source(attempt.source) { add("source", source) }
        if let connection = attempt.connection { rows += connectionRows(connection).map { Row(name: $0, value: $1) } }
        if let tls = attempt.tls { rows.append(Row(name: "TLS", value: tlsLine(tls))) }
        // What came from the cache didn't travel.
        if attempt.source != .cache { rows += byteRows(attempt).map { Row(name: $0, value: $1) } }
        if let hash = attempt.bodyHash { add(hash.algorithm.name, hash.hexadecimal) }
        if attempt.resends > 0 {
            add("sent again", "\(Figures.count(attempt.resends, "time")), because a reused connection was dead", .warning)
        }
        for failed in attempt.failedAddresses { add("failed", "\(SafeText.line(failed.address)), error \(failed.errno)", .warning) }
        return rows
    }

    /// The operation as a whole.
    ///
    /// - Parameter body: of the final response, for its decoded size and whereabouts.
    package static func rows(_ metrics: OperationMetrics, body: ResponseBody? = nil, now: MonotonicTime) -> [Row] {
        var rows: [Row] = []
        func add(_ name: String, _ value: String, _ role: ThemeRole = .text) {
            rows.append(Row(name: name, value: StyledLine(value, role)))
        }
        if let error = metrics.error ?? metrics.attempts.last?.error {
            rows += ErrorText.lines(error).enumerated().map { Row(name: $0 == 0 ? "error" : "", value: $1) }
        }
        switch body {
        case nil, ResponseBody.none?: break
        case .data(let data)?: add("body", "\(Figures.bytes(Int64(data.count))) in memory")
        case .file(let file)?: add("body", "\(Figures.bytes(Int64(file.count))) in a file")
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

    package static func lines(_ rows: [Row]) -> [StyledLine] {
        rows.map { row in
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

/// What TLS negotiated, whom the server said it is, and whether that was believed.
package enum TLSPanel {
    private static let labelWidth = 13

    /// - Parameters:
    ///   - tls: `nil` when the connection had none.
    ///   - today: for the days that a certificate has left.
    ///   - isPinned: the request names the key that it wants.
    package static func lines(_ tls: TLSInfo?, today: Date, isPinned: Bool = false) -> [StyledLine] {
        guard let tls else { return [StyledLine("no TLS: this connection is not encrypted", .dim)] }
        var lines: [StyledLine] = []
        if let failure = tls.verificationFailure {
            lines.append(StyledLine("the certificate was not accepted: \(SafeText.line(failure))", .error))
        } else if !tls.isVerified, isPinned {
            lines.append(StyledLine("trusted by its key alone, which the request pins: no authority was asked", .info))
        } else if !tls.isVerified {
            lines.append(StyledLine("not verified: anyone could have answered, because this request turns the check off", .warning))
        }
        lines.append(row("version", tls.version ?? "none: the handshake did not get that far"))
        if let cipher = tls.cipher { lines.append(row("cipher", cipher)) }
        if let name = tls.applicationProtocol { lines.append(row("ALPN", name)) }
        for (index, certificate) in tls.chain.enumerated() {
            lines.append(StyledLine())
            lines += self.lines(certificate, position: position(index, tls.chain.count), today: today)
        }
        if tls.chain.isEmpty { lines.append(StyledLine("the server showed no certificate", .dim)) }
        return lines
    }

    /// A certificate in as few lines as it takes to know it.
    package static func summary(of certificate: Certificate, today: Date) -> [StyledLine] {
        lines(certificate, position: "certificate", today: today).filter { line in
            !["key", "serial"].contains { line.text.hasPrefix($0 + " ") }
        }
    }

    private static func position(_ index: Int, _ count: Int) -> String {
        if index == 0 { return "server" }
        return index == count - 1 ? "root" : "intermediate"
    }

    private static func lines(_ certificate: Certificate, position: String, today: Date) -> [StyledLine] {
        var lines = [row(position, certificate.subject, .strong)]
        let isSelfSigned = certificate.subject == certificate.issuer
        lines.append(row("issued by", isSelfSigned ? "itself" : certificate.issuer))
        if !certificate.alternativeNames.isEmpty {
            lines.append(row("valid for", certificate.alternativeNames.joined(separator: ", ")))
        }
        var validity = row("valid", "\(Figures.day(certificate.notBefore)) to \(Figures.day(certificate.notAfter))")
        let left = remaining(certificate, today: today)
        validity.append(", ", .dim)
        validity.spans.append(left)
        lines.append(validity)
        let key = [certificate.publicKey, certificate.signatureAlgorithm].filter { !$0.isEmpty }.joined(separator: ", ")
        if !key.isEmpty { lines.append(row("key", key)) }
        if !certificate.serialNumber.isEmpty { lines.append(row("serial", certificate.serialNumber)) }
        if !certificate.sha256.isEmpty { lines.append(row("SHA-256", certificate.sha256, .dim)) }
        return lines
    }

    /// `23 days left`, `expired 3 days ago`, `not valid for 5 days yet`. Less than 14 days are a warning.
    static func remaining(_ certificate: Certificate, today: Date) -> StyledLine.Span {
        let day = 86_400.0
        if today < certificate.notBefore {
            let days = Int((certificate.notBefore.timeIntervalSince(today) / day).rounded(.up))
            return StyledLine.Span("not valid for \(Figures.count(days, "day")) yet", .error)
        }
        let seconds = certificate.notAfter.timeIntervalSince(today)
        let days = Int(abs(seconds) / day)
        if seconds < 0 { return StyledLine.Span(days == 0 ? "expired today" : "expired \(Figures.count(days, "day")) ago", .error) }
        if days == 0 { return StyledLine.Span("less than a day left", .warning) }
        return StyledLine.Span("\(Figures.count(days, "day")) left", days < 14 ? .warning : .success)
    }

    private static func row(_ label: String, _ value: String, _ role: ThemeRole = .text) -> StyledLine {
        var line = StyledLine(Figures.left(label, labelWidth), .dim)
        line.append(SafeText.line(value), role)
        return line
    }
}
