import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// Why a run failed, or why nothing was sent: the cause, what shows it, and keys that mend it and send again.
///
///     ┌─ ✗ failed: tls ── expired ─────────────────────────────────────┐
///     │ The certificate of expired.example.org is not accepted: …       │  cause
///     │ valid        2023-01-01 to 2024-01-01, expired 1,054 days ago   │  evidence
///     │                                                                 │
///     │›t  trust this certificate for this request, and send it again   │  remedies
///     │ l  look at the chain                                            │
///     └─────────────────────────────────────────────────────────────────┘
struct WhyCard: Hashable, Sendable {
    var title: String
    var request: RequestReference
    /// As the error itself says it: texts of errors have one place.
    var cause: [StyledLine]
    var evidence: [StyledLine]
    var remedies: [Remedy]
    var list: ListState

    init(_ title: String, _ request: RequestReference, cause: [StyledLine], evidence: [StyledLine] = [], remedies: [Remedy]) {
        self.title = title
        self.request = request
        self.cause = cause
        self.evidence = evidence
        // Where two have the same key, the first one is the more particular.
        var keys: Set<Character> = []
        self.remedies = remedies.filter { keys.insert($0.key).inserted }
        list = ListState(count: self.remedies.count, height: max(1, self.remedies.count))
    }

    struct Remedy: Hashable, Sendable {
        var key: Character
        var title: String
        var action: Action

        init(_ key: Character, _ title: String, _ action: Action) {
            self.key = key
            self.title = title
            self.action = action
        }

        /// The sentence, with what follows from it.
        var sentence: String {
            switch action {
            case .change: "\(title), and send it again"
            case .set: "\(title), and send it"
            default: title
            }
        }
    }

    enum Action: Hashable, Sendable {
        /// Changes settings of the request, and sends it.
        case change([Change])
        /// Begins to edit a field where it stands.
        case edit(RequestField)
        case showRequest(RequestPaneState.Tab)
        case showResponse(ResponsePaneState.Tab)
        /// Another run, which says why in its turn.
        case showOperation(OperationID)
        case set(VariableWish)
        case chooseEnvironment, editVariables, allow
        case open(SourceLocation)
        case send
    }

    /// A setting, as an editor takes it.
    struct Change: Hashable, Sendable {
        var field: SettingField
        var text: String

        /// - Parameter key: as the format has it.
        init(_ key: String, _ text: String) {
            guard let field = SettingField[key] else { preconditionFailure("there is no setting \(key)") }
            self.field = field
            self.text = text
        }
    }

    // MARK: Rows

    enum Row: Hashable, Sendable {
        case text(StyledLine)
        case remedy(Int)
        case blank, hint
    }

    /// As many rows as there is room for: first the hint goes, then what shows it, then the end of the cause; remedies stay.
    func rows(in size: Size) -> [Row] {
        let cause = cause.flatMap { $0.wrapped(columns: size.columns, indent: 2) }
        let evidence = evidence.flatMap { $0.wrapped(columns: size.columns, indent: Self.labelColumns) }
        let listed = remedies.indices.map(Row.remedy)
        var air = 2
        func room() -> Int { size.rows - listed.count - air }
        while air > 0, room() < min(cause.count, 3) { air -= 1 }
        let shown = cause.prefix(max(1, room()))
        let shownEvidence = evidence.prefix(max(0, room() - shown.count - 1))
        var rows = shown.map(Row.text)
        if !shownEvidence.isEmpty { rows += [.blank] + shownEvidence.map(Row.text) }
        if air > 0 { rows.append(.blank) }
        rows += listed
        if air > 1 { rows.append(.hint) }
        guard rows.count > size.rows else { return rows }
        // Below a line of the cause the list scrolls.
        let window = list.window(height: max(1, size.rows - 1))
        return Array((rows.prefix(1) + window.map(Row.remedy)).prefix(max(0, size.rows)))
    }

    /// Where the values of evidence begin, as in the panel about TLS.
    static let labelColumns = 13

    static let hint = "Enter does it, Esc closes"
}

extension WhyCard: OverlayContent {
    var overlay: Overlay { .why(self) }

    func area(in screen: Rect) -> Rect {
        let columns = min(84, screen.columns)
        let rows = rows(in: Size(columns: columns - 4, rows: screen.rows - 2)).count
        return screen.centered(Size(columns: columns, rows: rows + 2))
    }

    func hintRow(in inner: Rect) -> Rect? { nil }

    /// In the status line, where the card has no room for its own.
    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let inner = OverlayLayout(of: self, in: state.screen.size).area.inner
        if rows(in: inner.inset(columns: 1).size).contains(.hint) { return [] }
        return [.init(key: "Enter", word: "do it"), .init(key: "Esc", word: "close")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape: return .closes()
        case .enter, .character(" "): return list.selection.map { perform(remedies[$0]) } ?? .closes()
        case .character(let character) where key.modifiers.isEmpty:
            if let remedy = remedies.first(where: { $0.key == character }) { return perform(remedy) }
            if state.isKey(key, of: .why) || state.isKey(key, of: .quit) { return .closes() }
            _ = list.handle(key)
        case .tab: list.move(by: key.modifiers.contains(.shift) ? -1 : 1)
        case .up, .down, .home, .end, .pageUp, .pageDown: _ = list.handle(key)
        default: break
        }
        return .stays()
    }

    private func perform(_ remedy: Remedy) -> OverlayStep { .closes { [self] in $0.perform(remedy, of: self) } }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool {
        let rows = rows(in: list.inset(columns: 1).size)
        guard rows.indices.contains(row), case .remedy(let index) = rows[row] else { return false }
        self.list.select(index)
        return true
    }
}

/// Why a request was not sent.
struct Refusal: Hashable, Sendable {
    var message: String
    /// The variable that has no value, if that is why.
    var missing: String?
    var code: ResolutionError.Code?
    var location: SourceLocation?
}

extension ExplorerState {
    /// Whether the shown request or its run has something to explain.
    var asksWhy: Bool { refusal != nil || shownOperation?.raisesQuestions == true }

    /// Why the shown request was not sent, when that was asked for last.
    var refusal: Refusal? { selectedRequest.flatMap { operations.refusals[$0] } }

    /// `nil`: nothing went wrong here.
    var whyCard: WhyCard? {
        if let selectedRequest, let refusal { return WhyCard(refusal, of: selectedRequest, in: self) }
        return shownOperation.flatMap { WhyCard($0, in: self) }
    }

    var why: Opening {
        if let card = whyCard { return .overlay(.why(card)) }
        if let shownOperation, !shownOperation.state.isFinal {
            return .notice("it isn't over yet: \(keyName(.cancel)) cancels it")
        }
        return .notice(shownOperation == nil ? "nothing was sent yet" : "nothing went wrong here")
    }

    /// Where to go from what went wrong, in one line below it.
    var remediesLine: StyledLine {
        var line = StyledLine("  ")
        line.append(keyName(.why), .key)
        let titles = (whyCard?.remedies ?? []).filter { $0.action != .send }.map(\.title)
        line.append(" why: \((titles.prefix(2) + ["send it again"]).joined(separator: ", "))", .keyHelp)
        return line
    }

    mutating func perform(_ remedy: WhyCard.Remedy, of card: WhyCard) -> [ExplorerEffect] {
        switch remedy.action {
        case .showOperation(let id):
            show(id)
            open(why)
            return []
        case .showResponse(let tab):
            go(toResponse: tab)
            if tab == .timing, let entry = shownOperation, let index = panes.response.attempt.selectedIndex(of: entry),
                !panes.response.attempt.isOpen(index, of: entry)
            {
                panes.response.attempt.toggle(of: entry)
            }
            return []
        case .set(let wish):
            overlay = .entry(form(of: wish))
            return []
        case .open(let location): return [.openFile(location)]
        default: break
        }
        // It may have come up while another request is shown.
        guard tree.index(of: card.request) != nil else {
            return say("the request isn't there any more")
        }
        show(request: card.request)
        return perform(remedy.action)
    }

    /// With the request shown.
    private mutating func perform(_ action: WhyCard.Action) -> [ExplorerEffect] {
        switch action {
        case .change(let changes):
            let effects = edit { definition in
                for change in changes { try? change.field.set(change.text, in: &definition.settings) }
            }
            let sent = sendShownRequest()
            // A pin is longer than the line.
            let what =
                changes.count == 1
                ? "\(changes[0].field.key) is \(changes[0].text)"
                : "\(changes.map(\.field.key).joined(separator: " and ")) are set"
            notice = Notice(.info, "\(what) now: \(keyName(.save)) saves it, \(keyName(.undo)) takes it back")
            return effects + sent
        case .edit(let field): return edit(field)
        case .showRequest(let tab):
            go(toRequest: tab)
        case .chooseEnvironment: open(environmentChooser)
        case .editVariables: open(variableBoard)
        case .allow: return askTrust()
        case .send: return sendShownRequest()
        case .showOperation, .showResponse, .set, .open: break
        }
        return []
    }

    /// Goes to the row of a field, and begins to edit it there.
    private mutating func edit(_ field: RequestField) -> [ExplorerEffect] {
        switch field {
        case .value:
            go(toRequest: .checks)
            panes.request.select(RequestPaneRow(of: field), in: requestRows)
        case .policy(let setting): go(toSetting: setting)
        default: go(toRequest: .params)
        }
        let effects = fit()
        if let chooser = choices(of: field) { overlay = .chooser(chooser) } else { beginEditing(field) }
        return effects
    }
}

/// Draws the cause, what shows it, and a row for each remedy.
extension WhyCard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner
        canvas.draw(in: inner) { canvas in
            for (row, what) in rows(in: inner.inset(columns: 1).size).enumerated() {
                switch what {
                case .text(let line): canvas.line(line, column: 1, row: row, limit: inner.columns - 2, ellipsis: true)
                case .remedy(let index):
                    let remedy = remedies[index]
                    if index == list.selected { canvas.select(row, sign: 0) }
                    canvas.text("\(remedy.key)", .key, column: 2, row: row)
                    canvas.text(remedy.sentence, .text, column: 5, row: row, limit: inner.columns - 6, ellipsis: true)
                case .hint: canvas.text(Self.hint, .keyHelp, column: 1, row: row)
                case .blank: break
                }
            }
        }
    }
}
