import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

/// What `send --verbose` tells, as it happens: `*` about the connection, `>` what is sent, `<` what is received.
struct SendTranscript {
    private let reveals: Bool
    private var attempt = 0

    /// - Parameter reveals: masks nothing.
    init(reveals: Bool = false) {
        self.reveals = reveals
    }

    /// The lines for one event; none for most.
    mutating func lines(for event: NetworkEvent) -> [StyledLine] {
        switch event.kind {
        case .configurationWarning(let warning): return [note(warning.message, .warning)]
        case .hostSanitized(let from, let to): return [note("going to \(to) instead of \(from)")]
        case .attemptStarted(let kind, let request):
            attempt += 1
            return kind == .initial
                ? []
                : [
                    note(
                        "\(kind.rawValue), attempt \(attempt): \(request.method.rawValue) \(shown(request.url.absoluteString))"
                    )
                ]
        case .cache(.hit): return [note("answered from the cache")]
        case .cache(.validating): return [note("asking the server about the answer in the cache")]
        case .cache(.validated): return [note("the answer in the cache is still good")]
        case .resolveStarted(let host): return [note("resolving \(host)")]
        case .connectStarted(let address): return [note("connecting to \(address)")]
        case .quicStarted(let address): return [note("connecting to \(address) by QUIC")]
        case .connectFailed(let address, let errno):
            return [note("\(address) did not answer: \(String(cString: strerror(errno)))", .warning)]
        case .tlsEnded(let tls): return tlsLines(tls)
        case .connectionAcquired(let connection):
            let version = connection.httpVersion.map { ", \($0)" } ?? ""
            return [
                note(
                    "\(connection.isReused ? "reusing" : "new") connection \(connection.id) to \(connection.remoteAddress)\(version)"
                )
            ]
        case .leftoverDropped(let bytes):
            return [
                note(
                    "this server sent \(bytes == 1 ? "1 byte" : "\(bytes) bytes") after its answer; taking another connection",
                    .warning)
            ]
        case .resent: return [note("the connection had died; the request went out again", .warning)]
        case .requestHeadSent(let head): return headLines(head, mark: ">")
        case .informational(let head), .head(let head):
            return headLines(String(decoding: head.raw, as: UTF8.self), mark: "<")
        case .redirect(let hop): return [note(text(of: hop))]
        case .authenticationStep(let head):
            return headLines(String(decoding: head.raw, as: UTF8.self), mark: "<")
        case .challenge(let report): return [note(ChallengeText.line(report).text, report.decision == .answered ? .dim : .warning)]
        case .sessionOpened(let info):
            let agreed = ([info.subprotocol].compactMap(\.self) + info.extensions).joined(separator: ", ")
            return [note("the session is open\(agreed.isEmpty ? "" : ": \(agreed)")")]
        case .sessionClosed(let close, let counts):
            return [
                note(
                    "the session is closed: \(SessionText.close(close)); \(SessionText.counts(counts))",
                    close.isNormal ? .dim : .warning)
            ]
        case .retryDecision(let decision, _): return [note(RetryText.line(decision).text, .warning)]
        case .attemptEnded(let metrics): return [note(figures(of: metrics))]
        case .completed(let state, _): return [note("\(state)")]
        default: return []
        }
    }

    private func note(_ text: String, _ role: ThemeRole = .dim) -> StyledLine {
        StyledLine("* " + SafeText.line(text), role)
    }

    /// Each phase, in the order in which they come.
    private func figures(of attempt: AttemptMetrics) -> String {
        let phases = Phases.Name.allCases.compactMap { name in
            attempt.phases[name].map { "\(PhaseText.label(name)) \(Figures.duration($0.duration))" }
        }
        let total = attempt.duration.map { " took \(Figures.duration($0))" } ?? ""
        return "attempt \(attempt.number)\(total)" + (phases.isEmpty ? "" : ": \(phases.joined(separator: ", "))")
    }

    private func tlsLines(_ tls: TLSInfo) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let version = tls.version {
            let negotiated = [version, tls.cipher, tls.applicationProtocol.map { "ALPN \($0)" }].compactMap(\.self)
            lines.append(note(negotiated.joined(separator: ", ")))
        }
        for (depth, certificate) in tls.chain.enumerated() {
            let indent = String(repeating: "  ", count: depth)
            lines.append(
                note("\(indent)\(certificate.subject), until \(Figures.day(certificate.notAfter)), by \(certificate.issuer)"))
        }
        if let failure = tls.verificationFailure { lines.append(note("not trusted: \(failure)", .error)) }
        if !tls.isVerified { lines.append(note("the certificate was not checked", .warning)) }
        return lines
    }

    private func headLines(_ head: String, mark: String) -> [StyledLine] {
        head.split(whereSeparator: \.isNewline).enumerated().map { index, line in
            guard index > 0, let colon = line.firstIndex(of: ":") else {
                return StyledLine([.init("\(mark) ", .dim), .init(SafeText.line(shown(String(line))), .strong)])
            }
            let name = String(line[..<colon])
            let value = String(line[line.index(after: colon)...].drop(while: { $0 == " " }))
            let shown = HeaderText.value(value, of: name, reveals: reveals)
            return StyledLine([.init("\(mark) ", .dim), .init(SafeText.line(name), .headerName), .init(": ", .dim)] + shown.spans)
        }
    }

    /// An address, or a line with one, without what is secret in it by its name.
    private func shown(_ url: String) -> String {
        reveals ? url : Redaction.standard.url(url).map(\.text).joined()
    }

    private func text(of hop: RedirectHop) -> String {
        let location = shown(hop.location)
        let without = hop.otherDroppedHeaders.isEmpty ? "" : ", without \(hop.otherDroppedHeaders.joined(separator: ", "))"
        let withheld = hop.withheld.map(\.description).joined(separator: ", ")
        let dropped = withheld.isEmpty ? without : "\(without), withholding \(withheld) (--location-trusted sends it along)"
        let method = hop.newMethod.map { ", now \($0)" } ?? ""
        return switch hop.decision {
        case .followed: "redirected to \(location)\(method)\(dropped)"
        case .refusedByPolicy: "not following the redirect to \(location) (-L follows)"
        case .refusedByDelegate: "the redirect to \(location) was refused"
        case .failed: "can't follow the redirect to \(location)"
        }
    }
}
