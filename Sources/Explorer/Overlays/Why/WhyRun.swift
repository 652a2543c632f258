import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

extension WhyCard {
    /// `nil`: it runs still, or there is nothing to explain.
    init?(_ entry: OperationEntry, in state: ExplorerState) {
        guard entry.raisesQuestions, let verdict = entry.verdict else { return nil }
        var cause: [StyledLine] = []
        var evidence: [StyledLine] = []
        var remedies: [Remedy] = []
        let isHere = state.selectedRequest == entry.request && state.shownDefinition != nil
        if let report = entry.report, !report.isPassed, report.unseen == 0 {
            if verdict == .checkFailed { cause += state.unmet(report) }
            remedies += Self.checks(report, of: state.shownDefinition)
        }
        if let error = entry.metrics.error {
            cause += entry.isStopped || error.code == .cancelled ? [FailureText.sentence(error)] : ErrorText.lines(error)
            let failure = FailureRemedies(error: error, entry: entry, state: state)
            evidence += failure.evidence
            if !entry.isStopped { remedies = failure.remedies + remedies }
        } else if let answer = AnswerRemedies(entry, state) {
            if cause.isEmpty { cause.append(answer.cause) }
            evidence += answer.evidence
            remedies += answer.remedies
        }
        if entry.isStopped, let culprit = state.culprit(of: entry) {
            remedies.append(Remedy("g", "go to \(culprit.title), which says why in its turn", .showOperation(culprit.id)))
        }
        if !isHere { remedies.removeAll { $0.action.needsRequest } }
        if isHere { remedies.append(Self.sendAgain) }
        self.init("\(verdict.sign) \(entry.reason)", entry.request, cause: cause, evidence: evidence, remedies: remedies)
    }

    /// The checks that didn't hold, each to be edited where it stands.
    private static func checks(_ report: RunReport, of definition: RequestDefinition?) -> [Remedy] {
        guard let definition else { return [] }
        var remedies: [Remedy] = []
        if let name = report.missing, let index = definition.captures.firstIndex(where: { $0.name == name }) {
            remedies.append(Remedy("c", "edit what \(name) is captured from", .edit(.value(.captures, index))))
        }
        for (number, result) in report.expectations.filter({ !$0.isMet }).prefix(3).enumerated() {
            // An edit keeps the place of what it changes; one that was added has none of its own.
            let index = definition.expectations.firstIndex { $0.location == result.location && $0.subject == result.subject }
            guard let index = index ?? definition.expectations.firstIndex(where: { $0.subject == result.subject }) else { continue }
            let key: Character = number == 0 && remedies.isEmpty ? "c" : Character("\(number + 1)")
            remedies.append(Remedy(key, "edit the check \(result.what)", .edit(.value(.expectations, index))))
        }
        return remedies + [Remedy("k", "look at all checks", .showResponse(.checks))]
    }
}

extension WhyCard.Action {
    /// Whether it is about the request itself, and not only about its run.
    fileprivate var needsRequest: Bool {
        switch self {
        case .change, .edit, .showRequest, .set, .chooseEnvironment, .editVariables, .allow, .send: true
        case .showResponse, .showOperation, .open: false
        }
    }
}

/// What an answer that is an error by its status says, and what may mend it.
private struct AnswerRemedies {
    let entry: OperationEntry
    let state: ExplorerState
    let attempt: AttemptMetrics
    let head: ResponseHead

    init?(_ entry: OperationEntry, _ state: ExplorerState) {
        guard let attempt = entry.metrics.attempts.last, let head = attempt.head else { return nil }
        self.entry = entry
        self.state = state
        self.attempt = attempt
        self.head = head
    }

    var cause: StyledLine {
        var line = StyledLine([StatusText.span(head.status)])
        line.append(": " + sentence)
        return line
    }

    private var sentence: String {
        if attempt.redirect?.decision == .refusedByPolicy {
            return "the server leads elsewhere, and redirects.follow says not to go."
        }
        if case .completed(_, let errors) = entry.verdict, errors > 0, head.status.code < 400 {
            return "the answer has \(Figures.count(errors, "error")), and nothing is expected of `errors` in its body."
        }
        return switch head.status.code {
        case 401:
            isAuthorized ? "the server doesn't take these credentials." : "the server wants to know who asks, and nothing said it."
        case 403: "the server knows what was asked, and refuses it."
        case 404, 410: "the server has nothing at this URL."
        case 405: "the server has this URL, but not for \(attempt.request.method.rawValue)."
        case 407: "the proxy wants to know who asks."
        case 400, 413, 415, 422: "the server can't do anything with what was sent; its answer may say with what of it."
        case 408, 425, 429, 502, 503, 504: "the server can't answer now; later it may."
        case 500...: "the server failed at it by itself; its answer may say why."
        default: "the server refuses it; its answer may say why."
        }
    }

    var evidence: [StyledLine] {
        var lines: [StyledLine] = []
        for (label, name) in [("wants", HTTPField.Name.wwwAuthenticate), ("allows", .allow), ("leads to", .location)] {
            guard [401, 405].contains(head.status.code) || attempt.redirect != nil, let value = head.headers[name] else { continue }
            lines.append(FailureRemedies.row(label, name == .location ? Self.masked(value) : value))
        }
        if let value = head.headers[.retryAfter] { lines.append(FailureRemedies.row("Retry-After", value)) }
        if head.status.code == 401 {
            lines.append(FailureRemedies.row("sent with", isAuthorized ? "an authorization" : "no authorization"))
            if isAuthorized, let collection = state.workspace[entry.sent.reference.collection], collection.asksForSecrets {
                let key = state.keyName(.forgetCookies)
                lines.append(FailureRemedies.row("secrets", "\(key) forgets what commands and people said, and asks them again"))
            }
            if let hop = droppingHop {
                let next = Self.masked(hop.redirect?.location ?? "")
                lines.append(FailureRemedies.row("dropped", "by hop \(hop.number + 1), on the way to \(next)"))
            }
        }
        return lines
    }

    private static func masked(_ url: String) -> String { Redaction.standard.url(url).map(\.text).joined() }

    var remedies: [WhyCard.Remedy] {
        let hops = WhyCard.Remedy("h", "look at the hops", .showResponse(.timing))
        if attempt.redirect?.decision == .refusedByPolicy {
            return [change("f", "follow redirects", .init("redirects.follow", "always")), hops]
        }
        switch head.status.code {
        case 401 where droppingHop != nil:
            return [
                change("k", "keep the credentials on every redirect", .init("redirects.keep-auth", "always")), hops,
                WhyCard.editAuth,
            ]
        case 401, 403: return [WhyCard.editAuth]
        case 407: return [WhyCard.Remedy("p", "edit the proxy (tab settings)", .edit(.policy(SettingField["proxy"]!)))]
        case 404, 410: return [WhyCard.editURL]
        case 405: return [WhyCard.Remedy("m", "choose another method", .edit(.method))]
        case 400, 413, 415, 422:
            return entry.sent.definition.body == nil
                ? [WhyCard.editURL] : [WhyCard.Remedy("b", "edit the body", .showRequest(.body)), WhyCard.editURL]
        case 408, 425, 429, 502, 503, 504:
            return state.effective(\.retry.isOn) == true
                ? [] : [change("+", "try up to 3 times", .init("retry.attempts", "3"))]
        default: return []
        }
    }

    private func change(_ key: Character, _ title: String, _ change: WhyCard.Change) -> WhyCard.Remedy {
        WhyCard.Remedy(key, title, .change([change]))
    }

    private var isAuthorized: Bool {
        attempt.sentHead?.lowercased().contains("\r\nauthorization:") ?? attempt.request.headers.contains(.authorization)
    }

    /// The attempt whose redirect left the credentials behind.
    private var droppingHop: AttemptMetrics? {
        guard !isAuthorized else { return nil }
        return entry.metrics.attempts.last { attempt in
            attempt.redirect?.droppedHeaders.contains { $0.lowercased() == "authorization" } ?? false
        }
    }
}

extension OperationEntry {
    /// Whether somebody may ask why: it ended otherwise than well, or before where it leads to.
    var raisesQuestions: Bool {
        guard state.isFinal, let verdict else { return false }
        return !verdict.isGood || metrics.attempts.last?.redirect?.decision == .refusedByPolicy && verdict != .passed
    }

    /// The verdict in words, for a title.
    fileprivate var reason: String {
        let status = metrics.attempts.last?.head.map { StatusText.span($0.status).text }
        return switch verdict {
        case .completed, .passed: status ?? "completed"
        case .failed(let kind): "failed: \(kind.rawValue)"
        case .checkFailed: [verdictWord, status].compactMap(\.self).joined(separator: ", ")
        case .stopped, .cancelled, nil: verdict?.word ?? ""
        }
    }
}

extension ExplorerState {
    /// The run because of which another was never sent.
    fileprivate func culprit(of stopped: OperationEntry) -> OperationEntry? {
        guard let index = operations.entries.index(forKey: stopped.id) else { return nil }
        return operations.entries.values[..<index].last { $0.sent.isNeeded && $0.raisesQuestions }
    }
}

extension WhyCard {
    /// When only a variable has no value, it can be set here.
    init(_ refusal: Refusal, of request: RequestReference, in state: ExplorerState) {
        var remedies: [Remedy] = []
        if let variable = refusal.missing, state.workspace[request.collection] != nil {
            remedies += Self.setting(variable, of: request, in: state)
        }
        switch refusal.code {
        case .notAllowed: remedies.append(Remedy("t", "see what it wants, and allow it", .allow))
        case .environment, .variable: remedies += Self.environments(of: request, in: state)
        case .url: remedies.append(Self.editURL)
        case .header: remedies.append(Remedy("h", "edit the headers", .showRequest(.headers)))
        case .body, .file: remedies.append(Remedy("b", "edit the body", .showRequest(.body)))
        case .authentication: remedies.append(Self.editAuth)
        default: break
        }
        if let location = refusal.location, !location.path.isEmpty {
            remedies.append(Remedy("o", "open \(state.shortPlace(location)) in $EDITOR", .open(location)))
        }
        remedies.append(Remedy("s", "send it as it stands", .send))
        self.init(
            "Not sent: \(request.id)", request, cause: [StyledLine(SafeText.line(refusal.message), .error)], remedies: remedies)
    }

    private static func setting(_ variable: String, of request: RequestReference, in state: ExplorerState) -> [Remedy] {
        func set(_ key: Character, _ title: String, _ place: VariableWish.Place) -> Remedy {
            Remedy(key, title, .set(VariableWish(name: variable, request: request, place: place)))
        }
        let secret = set("p", "set \(variable) as a secret, unseen, for this session", .secret)
        if state.templates(of: request)?.isSecret(variable) == true { return [secret] }
        let environment = state.workspace.environments[request.collection]
        return [
            set("n", "set \(variable) for this session", .session), secret,
            set(
                "f", "set \(variable) in the \(environment.map { "environment \($0)" } ?? "file")",
                .file(environment: environment)),
        ]
    }

    static func environments(of request: RequestReference, in state: ExplorerState) -> [Remedy] {
        guard let collection = state.workspace[request.collection] else { return [] }
        let choice = Remedy("v", "choose another environment", .chooseEnvironment)
        return (collection.environments.isEmpty ? [] : [choice]) + [Remedy("V", "edit the variables", .editVariables)]
    }

    static let editURL = Remedy("e", "edit the URL", .edit(.url))
    static let editAuth = Remedy("a", "edit the authentication (tab auth)", .showRequest(.auth))
    static let sendAgain = Remedy("s", "send it again as it stands", .send)
}
