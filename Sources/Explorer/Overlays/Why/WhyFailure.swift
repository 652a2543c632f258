import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// What shows the cause of a failure, and what mends it.
struct FailureRemedies {
    let error: NetworkError
    let entry: OperationEntry
    let state: ExplorerState

    private typealias Remedy = WhyCard.Remedy
    private typealias Change = WhyCard.Change

    // MARK: Remedies

    var remedies: [WhyCard.Remedy] {
        switch error.code {
        case .connectTimedOut: timeout("connect", \.connect)
        case .idleTimedOut: timeout("idle", \.idle)
        case .attemptTimedOut: timeout("attempt", \.attempt)
        case .operationTimedOut: timeout("operation", \.operation)
        case .certificateRejected:
            trust + [chain] + (error.type == ErrorType.certificateNameInvalid ? [WhyCard.editURL] : [])
        case .pinMismatch: pin + [chain, policy("p", "tls.pins", "edit the pins")]
        case .clientCertificateFailed: [policy("p", "tls.certificate", "name a client certificate"), chain]
        case .tlsFailed: [WhyCard.editURL, policy("p", "tls.min-version", "change the versions of TLS"), chain]
        case .nameNotResolved, .cannotConnect, .notConnected: [WhyCard.editURL] + elsewhere
        case .proxyNotResolved: [policy("p", "proxy", "edit the proxy")]
        case .limitExceeded where error.isBodyTooLong: limit
        case .tooManyRedirects: hops
        case .redirectFailed:
            [
                look("h", "look at the hops", .timing),
                change("n", "follow no redirects, to see the answer", Change("redirects.follow", "never")), WhyCard.editURL,
            ]
        case .contentDecodingFailed: [change("n", "ask for no compression", Change("compression", "false"))]
        case .authorizationFailed: [WhyCard.editAuth]
        case .connectionLost where error.type == ErrorType.httpProtocolError, .protocolViolation:
            [change("1", "ask for HTTP/1.1", Change("http", "1.1")), WhyCard.editURL, events]
        case .cancelled: []
        default: [events]
        }
    }

    private func change(_ key: Character, _ title: String, _ changes: Change...) -> WhyCard.Remedy {
        Remedy(key, title, .change(changes))
    }

    private func look(_ key: Character, _ title: String, _ tab: ResponsePaneState.Tab) -> WhyCard.Remedy {
        Remedy(key, title, .showResponse(tab))
    }

    private func policy(_ key: Character, _ setting: String, _ title: String) -> WhyCard.Remedy {
        guard let field = SettingField[setting] else { preconditionFailure("there is no setting \(setting)") }
        return Remedy(key, "\(title) (tab settings)", .edit(.policy(field)))
    }

    private var chain: WhyCard.Remedy { look("l", "look at the chain", .timing) }
    private var events: WhyCard.Remedy { look("l", "look at what happened until then (tab log)", .log) }

    private func timeout(
        _ name: String, _ path: KeyPath<RequestSettings.TimeoutSettings, RequestSettings.Limit?>
    ) -> [WhyCard.Remedy] {
        let edit = policy("e", "timeouts.\(name)", "type another time")
        let look = look("l", "look at where the time went", .timing)
        guard case .after(let limit)? = state.effective((\RequestSettings.timeouts).appending(path: path)) else {
            return [edit, look]
        }
        let longer = DurationText.format(Self.longer(than: limit))
        return [change("+", "raise timeouts.\(name) to \(longer)", Change("timeouts.\(name)", longer)), edit, look]
    }

    /// The next of 1, 2, 5, 10, 20, 30 s, 1, 2, 5 … that is at least twice as long.
    static func longer(than limit: Duration) -> Duration {
        let steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600].map { Duration.seconds($0) }
        return steps.first { $0 >= limit * 2 } ?? limit * 2
    }

    /// The certificate's key, in place of all authorities: nobody else can answer, whatever name or date stands in the certificate.
    private var trust: [WhyCard.Remedy] {
        guard let pin = shownPin else { return [] }
        return [
            change("t", "trust this certificate for this request", Change("tls.verify", "false"), Change("tls.pins", pin))
        ]
    }

    private var pin: [WhyCard.Remedy] {
        shownPin.map { [change("t", "pin the key that it shows now", Change("tls.pins", $0))] } ?? []
    }

    /// `nil` also after a redirect to another host: pins are for all hops.
    private var shownPin: String? {
        let attempts = entry.metrics.attempts
        guard attempts.first?.request.url.host() == attempts.last?.request.url.host() else { return nil }
        return leaf?.publicKeySHA256.map { "sha256//" + $0 }
    }

    private var leaf: Certificate? { entry.metrics.attempts.last?.tls?.chain.first }

    /// Where else the host's name may come from.
    private var elsewhere: [WhyCard.Remedy] {
        guard entry.sent.definition.url.contains("{{") else { return [] }
        return WhyCard.environments(of: entry.request, in: state)
    }

    private var limit: [WhyCard.Remedy] {
        let now = state.effective(\.responseLimit) ?? 1 << 30
        let (more, overflow) = now.multipliedReportingOverflow(by: 10)
        guard !overflow else { return [] }
        let text = ByteCountText.format(more)
        return [
            change("+", "raise response.limit to \(text)", Change("response.limit", text)),
            policy("e", "response.limit", "type another limit"),
        ]
    }

    private var hops: [WhyCard.Remedy] {
        let most = min(10_000, max(10, (state.effective(\.maxRedirects) ?? 20) * 2))
        return [
            change("+", "follow up to \(most) redirects", Change("redirects.max", "\(most)")),
            look("h", "look at the hops", .timing), WhyCard.editURL,
        ]
    }

    // MARK: Evidence

    var evidence: [StyledLine] {
        var lines: [StyledLine] = []
        switch error.code {
        case .certificateRejected, .pinMismatch:
            if let leaf, let today = entry.metrics.enqueuedDate { lines += TLSPanel.summary(of: leaf, today: today) }
        case .connectTimedOut: lines += setting("timeouts.connect")
        case .idleTimedOut: lines += setting("timeouts.idle")
        case .attemptTimedOut: lines += setting("timeouts.attempt")
        case .operationTimedOut: lines += spent + setting("timeouts.operation")
        case .nameNotResolved, .cannotConnect, .notConnected:
            if entry.sent.definition.url.contains("{{") { lines.append(Self.row("URL", entry.sent.definition.shownURL)) }
        case .proxyNotResolved: lines += setting("proxy")
        case .limitExceeded where error.isBodyTooLong: lines += setting("response.limit")
        case .tooManyRedirects: lines += setting("redirects.max")
        default: break
        }
        if let next = error.underlying?.error, error.code.isTimeout { lines.append(Self.row("before", next.message)) }
        return lines
    }

    /// What the time went to, when there was more than one attempt.
    private var spent: [StyledLine] {
        let attempts = entry.metrics.attempts
        guard attempts.count > 1, let start = entry.metrics.enqueued, let end = entry.metrics.completed else { return [] }
        let inAttempts = attempts.reduce(Duration.zero) { $0 + max(.zero, ($1.end ?? end) - $1.start) }
        let between = max(.zero, end - start - inAttempts)
        return [
            Self.row(
                "time",
                "\(Figures.duration(inAttempts)) in \(Figures.count(attempts.count, "attempt")), "
                    + "\(Figures.duration(between)) between them")
        ]
    }

    /// The value of a setting, and who says it.
    private func setting(_ key: String) -> [StyledLine] {
        guard let field = SettingField[key], let context = state.context, let definition = state.shownDefinition else { return [] }
        let (text, origin) =
            field.text(in: definition.settings).map { ($0, "this request") } ?? context.inherited.setting(field)
        return text.isEmpty ? [] : [Self.row("set to", "\(key) \(text), by \(origin)")]
    }

    static func row(_ label: String, _ text: String) -> StyledLine {
        var line = StyledLine(Figures.left(label, WhyCard.labelColumns), .dim)
        line.append(SafeText.line(text), .text)
        return line
    }
}

extension ExplorerState {
    /// What holds for the shown request: its own setting, else that of the nearest folder, else the library's.
    func effective<Value>(_ path: KeyPath<RequestSettings, Value?>) -> Value? {
        shownDefinition?.settings[keyPath: path] ?? context?.inherited.settings[keyPath: path]
    }
}
