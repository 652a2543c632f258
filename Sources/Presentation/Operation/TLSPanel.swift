package import Base
package import NetworkLayer
package import TerminalUI

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
