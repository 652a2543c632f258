import NetworkLayer
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
