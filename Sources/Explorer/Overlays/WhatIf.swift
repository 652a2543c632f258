import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// What is to be different when a request is sent once more; the file stays as it is.
struct WhatIf: Sendable, Hashable {
    var dropsAuth = false
    var dropsCookies = false
    /// `nil`: as it is.
    var httpVersion: HTTPVersionPreference?
    var usesFreshConnection = false
    var followsNoRedirects = false
    var triesOnce = false
    /// The timeout of the whole operation; `nil`: as it is.
    var timeout: Duration?
    var ignoresMock = false
    /// `nil`: the chosen one.
    var environment: String?

    /// `auth off, fresh connection`: what the run is marked with.
    var words: String {
        [
            dropsAuth ? "auth off" : nil, dropsCookies ? "no cookies" : nil, httpVersion.map { "HTTP \($0.rawValue)" },
            usesFreshConnection ? "fresh connection" : nil, followsNoRedirects ? "no redirects" : nil,
            triesOnce ? "no retry" : nil, timeout.map { "timeout \(DurationText.format($0))" }, ignoresMock ? "no mock" : nil,
            environment.map { "in \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    var isEmpty: Bool { self == WhatIf() }

    func applied(to definition: RequestDefinition) -> RequestDefinition {
        var definition = definition
        if dropsAuth { definition.auth = AuthDefinition.none }
        if dropsCookies { definition.settings.cookieJar = "" }
        if let httpVersion { definition.settings.httpVersion = httpVersion }
        if followsNoRedirects { definition.settings.followRedirects = .never }
        if triesOnce { definition.settings.retry.isOn = false }
        if let timeout { definition.settings.timeouts.operation = .after(timeout) }
        return definition
    }
}

/// The row of choices before a request is sent again.
struct WhatIfBoard: Sendable, Hashable {
    var choices: [Choice]
    var selected = 0
    /// The last one that was sent: the key again sends it.
    var last: WhatIf?

    struct Choice: Sendable, Hashable {
        var label: String
        var options: [String]
        var picked = 0
        var field: Field
    }

    enum Field: Sendable, Hashable {
        case auth, cookies, http, connection, redirects, retry, timeout, mock, environment
    }

    private static let timeouts: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(30)]
    private static let versions: [HTTPVersionPreference] = [.http1, .http2]

    init(environments: [String], hasMocks: Bool, last: WhatIf?) {
        self.last = last
        choices = [
            Choice(label: "auth", options: ["as is", "off"], field: .auth),
            Choice(label: "http", options: ["as is"] + Self.versions.map(\.rawValue), field: .http),
            Choice(label: "connection", options: ["any", "fresh"], field: .connection),
            Choice(label: "redirects", options: ["as is", "none"], field: .redirects),
            Choice(label: "retry", options: ["as is", "off"], field: .retry),
            Choice(label: "timeout", options: ["as is"] + Self.timeouts.map(DurationText.format), field: .timeout),
            Choice(label: "cookies", options: ["as is", "none"], field: .cookies),
        ]
        if hasMocks { choices.append(Choice(label: "mock", options: ["as is", "off"], field: .mock)) }
        if !environments.isEmpty {
            choices.append(Choice(label: "environment", options: ["as is"] + environments, field: .environment))
        }
    }

    var whatIf: WhatIf {
        var whatIf = WhatIf()
        for choice in choices where choice.picked > 0 {
            switch choice.field {
            case .auth: whatIf.dropsAuth = true
            case .cookies: whatIf.dropsCookies = true
            case .http: whatIf.httpVersion = Self.versions[choice.picked - 1]
            case .connection: whatIf.usesFreshConnection = true
            case .redirects: whatIf.followsNoRedirects = true
            case .retry: whatIf.triesOnce = true
            case .timeout: whatIf.timeout = Self.timeouts[choice.picked - 1]
            case .mock: whatIf.ignoresMock = true
            case .environment: whatIf.environment = choice.options[choice.picked]
            }
        }
        return whatIf
    }
}

extension WhatIfBoard: OverlayContent {
    var overlay: Overlay { .whatIf(self) }
    var title: String { "Again, but" }
    var isAboutRequest: Bool { true }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 84, rows: choices.count + 3)) }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let again = last.map { [ExplorerState.Hint(key: ".", word: "again: \($0.words)")] } ?? []
        return [
            .init(key: "Enter", word: "send"), .init(key: "← →", word: "choose"), .init(key: "Esc", word: "drop"),
            .init(key: "c", word: "both ways, compared"),
        ] + again
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let whatIf = whatIf
        switch key.key {
        case .escape, .character("q"): return .closes()
        case .enter: return .closes { $0.send(whatIf) }
        case _ where state.isKey(key, of: .compare):
            return whatIf.isEmpty
                ? .stays(saying: "choose first what is to be different") : .closes { $0.sendBothWays(whatIf) }
        case _ where state.isKey(key, of: .whatIf): return last.map { last in .closes { $0.send(last) } } ?? .stays()
        case .right, .character("l"), .character(" "): pick(1)
        case .left, .character("h"): pick(-1)
        case .down, .character("j"): move(1)
        case .up, .character("k"): move(-1)
        case .tab: move(key.modifiers.contains(.shift) ? -1 : 1)
        default: break
        }
        return .stays()
    }

    private mutating func pick(_ step: Int) {
        choices[selected].picked = choices[selected].picked.stepped(by: step, of: choices[selected].options.count)
    }

    private mutating func move(_ step: Int) { selected = selected.stepped(by: step, of: choices.count) }
}

/// A request that is sent as it is and with a change, in turn.
struct Contrast: Sendable, Hashable {
    var reference: RequestReference
    var definition: RequestDefinition
    var environment: String?
    var whatIf: WhatIf
    /// The operations that were sent, in order.
    var ids: [OperationID] = []
    /// The next one was asked for.
    var isAwaiting = true

    /// How often requests are sent in all.
    static let times = 4
}

/// The last what-if that was sent, and the comparison that is under way.
struct WhatIfRuns: Sendable {
    /// The last one that was sent.
    var last: WhatIf?
    var contrast: Contrast?

    /// The next one was sent.
    mutating func sent(_ id: OperationID, _ sent: SentRequest) {
        guard let contrast, contrast.reference == sent.reference, contrast.isAwaiting, !sent.isNeeded else { return }
        self.contrast?.ids.append(id)
        self.contrast?.isAwaiting = false
    }

    /// One of them was not sent.
    mutating func giveUp(_ reference: RequestReference) {
        if contrast?.reference == reference { contrast = nil }
    }
}

extension ExplorerState {
    /// `.`: a row of choices for the next time alone.
    mutating func openWhatIf() -> [ExplorerEffect] {
        guard let reference = selectedRequest, definition(of: reference) != nil else {
            return say("pick a request first")
        }
        let known =
            workspace[reference.collection]?.environments.keys.filter {
                $0 != workspace.environments[reference.collection]
            } ?? []
        let last = whatIfRuns.last.map { fitting($0, reference.collection) }
        overlay = .whatIf(
            WhatIfBoard(
                environments: Array(known), hasMocks: transport.usesMocks, last: last.flatMap { $0.isEmpty ? nil : $0 }))
        return []
    }

    /// Without an environment that this collection doesn't have.
    private func fitting(_ whatIf: WhatIf, _ path: String) -> WhatIf {
        var whatIf = whatIf
        if let name = whatIf.environment, workspace[path]?.environments[name] == nil { whatIf.environment = nil }
        return whatIf
    }

    /// The request as it stands, but for that. What is edited stays edited.
    mutating func send(_ whatIf: WhatIf) -> [ExplorerEffect] {
        var effects = sendShownRequest()
        guard case .send(let definition, let path, let environment)? = effects.last else { return effects }
        let whatIf = fitting(whatIf, path)
        guard !whatIf.isEmpty else { return effects }
        whatIfRuns.last = whatIf
        effects[effects.count - 1] = sending(definition, in: path, environment, whatIf)
        notice = Notice(.info, "what if: \(whatIf.words); \(keyName(.compare)) compares with the run before")
        return effects
    }

    // MARK: Both ways

    /// As it is and with the change, twice each in turn, so that what changes by itself hits both; then the last two are compared.
    mutating func sendBothWays(_ whatIf: WhatIf) -> [ExplorerEffect] {
        let effects = sendShownRequest()
        guard case .send(let definition, let path, let environment)? = effects.last else { return effects }
        let whatIf = fitting(whatIf, path)
        let reference = RequestReference(collection: path, id: definition.id)
        whatIfRuns.contrast = Contrast(reference: reference, definition: definition, environment: environment, whatIf: whatIf)
        whatIfRuns.last = whatIf
        notice = Notice(.info, "as it is and with \(whatIf.words), in turn; \(keyName(.cancel)) ends it")
        return effects
    }

    /// An operation is over: what comes next.
    mutating func contrastGoesOn(after id: OperationID) -> [ExplorerEffect] {
        guard let contrast = whatIfRuns.contrast, contrast.ids.last == id else { return [] }
        if operations[id]?.state == .cancelled || contrast.ids.count == Contrast.times { whatIfRuns.contrast = nil }
        guard operations[id]?.state != .cancelled else { return [] }
        guard whatIfRuns.contrast != nil else {
            return [.compareRuns(contrast.ids[Contrast.times - 2], contrast.ids[Contrast.times - 1])]
        }
        whatIfRuns.contrast?.isAwaiting = true
        let path = contrast.reference.collection
        operations.shownAtSend[contrast.reference] = contrast.reference
        guard contrast.ids.count % 2 == 1 else { return [.send(contrast.definition, in: path, environment: contrast.environment)] }
        return [sending(contrast.definition, in: path, contrast.environment, contrast.whatIf)]
    }

    private func sending(
        _ definition: RequestDefinition, in path: String, _ environment: String?, _ whatIf: WhatIf
    ) -> ExplorerEffect {
        let whatIf = fitting(whatIf, path)
        return .sendWhatIf(whatIf.applied(to: definition), in: path, environment: whatIf.environment ?? environment, whatIf)
    }
}

/// Draws the choices before a request is sent again, one a row.
extension WhatIfBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner) { canvas in
            let room = canvas.bounds.rows - 1
            let top = max(0, selected - room + 1)
            for (row, index) in (top..<min(choices.count, top + room)).enumerated() {
                let choice = choices[index]
                if index == selected { canvas.select(row, sign: 0) }
                canvas.text(choice.label, .text, column: 2, row: row)
                var column = 15
                for (number, option) in choice.options.enumerated() where column < canvas.bounds.columns - 2 {
                    let isPicked = number == choice.picked
                    // It has a sign, too, because not every terminal has colours.
                    let text = isPicked ? "[\(option)]" : " \(option) "
                    canvas.text(
                        SafeText.line(text), isPicked ? number > 0 ? .unsaved : .strong : .dim, column: column, row: row,
                        limit: canvas.bounds.columns - column - 1, ellipsis: true)
                    column += text.count + 1
                }
            }
        }
    }
}
