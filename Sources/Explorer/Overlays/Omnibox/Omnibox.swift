import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// One line in which everything is found: requests, runs, commands, environments, themes, settings, tabs and rows. What is a request
/// itself is sent.
struct Omnibox: Hashable, Sendable {
    var line = LineEditor()
    var list = ListState()
    /// Only targets of this kind are shown, as Tab chooses it.
    var kind: Kind?
    /// What was typed is one.
    var typed: TypedRequest?
    /// What is typed goes without what the collection gives to its requests.
    var isBare = false
    /// Why a command for curl can't be read, or what of it is left out.
    var complaint: String?
    /// A long text has been edited: what it is will be read when somebody asks for it.
    private(set) var isPutOff = false
    /// There is a body that a number can be a line of.
    let hasBody: Bool
    private let index: OmniboxIndex
    private let targets: [Target]
    /// The parts of ``targets``, one for each kind.
    private let ranges: [Kind: Range<Int>]
    /// What was used last, the last one first.
    private let recent: [Int32]
    /// In the order of their rank.
    private var found: [Int32] = []
    /// What ``found`` is the answer to.
    private var question = Question()
    /// How many bytes were compared for the last key.
    private(set) var examined = 0

    enum Kind: String, Hashable, Sendable, CaseIterable {
        case request, run, command, environment, setting, tab, row, theme

        /// What narrows to it when it is typed first.
        var sign: Character? {
            switch self {
            case .command: ">"
            case .environment: "@"
            case .run: "#"
            case .theme: "~"
            case .request, .setting, .tab, .row: nil
            }
        }
    }

    enum Target: Hashable, Sendable {
        case request(RequestReference)
        case run(OperationID)
        case command(Command.ID)
        /// `nil`: none.
        case environment(String?, in: String)
        case setting(key: String)
        case requestTab(RequestPaneState.Tab)
        case responseTab(ResponsePaneState.Tab)
        case row(RequestPaneState.Tab, RequestPaneRow)
        case theme(String)

        var kind: Kind {
            switch self {
            case .request: .request
            case .run: .run
            case .command: .command
            case .environment: .environment
            case .setting: .setting
            case .requestTab, .responseTab: .tab
            case .row: .row
            case .theme: .theme
            }
        }

        /// What its uses are counted by; `nil`: they aren't.
        var useKey: String? {
            switch self {
            case .request(let reference): "request \(reference.collection) \(reference.id)"
            case .run, .row: nil
            case .command(let id): "command \(id.rawValue)"
            case .environment(let name, let collection): "environment \(collection) \(name ?? "")"
            case .setting(let key): "setting \(key)"
            case .requestTab(let tab): "tab request \(tab.rawValue)"
            case .responseTab(let tab): "tab response \(tab)"
            case .theme(let name): "theme \(name)"
            }
        }
    }

    /// What stands in a row.
    enum Row: Hashable, Sendable {
        /// What was typed is sent, or kept.
        case send(TypedRequest), keep(TypedRequest)
        /// A line of the body, from 1.
        case line(Int)
        case target(Target)
    }

    private struct Question: Hashable, Sendable {
        var text = ""
        var kind: Kind?
    }

    /// How many of what was used last are shown while nothing is typed.
    static let recentCount = 9

    /// In bytes: reading a longer one anew with each key would hold the keys up, and no name is as long.
    private static let longText = 4096

    init(_ catalog: OmniboxCatalog, hasBody: Bool) {
        index = catalog.index
        targets = catalog.targets
        ranges = catalog.ranges
        recent = catalog.recent
        self.hasBody = hasBody
        narrow(nil)
    }

    // MARK: What is seen

    /// How many targets there are of the chosen kind, or of all.
    var total: Int { effective.kind.map { ranges[$0]?.count ?? 0 } ?? targets.count }

    var count: Int { special.count + found.count }

    func row(_ number: Int) -> Row? {
        let special = special
        if special.indices.contains(number) { return special[number] }
        let place = number - special.count
        return found.indices.contains(place) ? .target(targets[Int(found[place])]) : nil
    }

    var selected: Row? { list.selection.flatMap { row($0) } }

    /// What is looked for, without the sign that narrows.
    var text: String { effective.text }

    /// The kind that Tab or a sign has narrowed to.
    var narrowed: Kind? { effective.kind }

    private var special: [Row] {
        if let typed { return [.send(typed), .keep(typed)] }
        return lineNumber.map { [.line($0)] } ?? []
    }

    private var lineNumber: Int? {
        let digits = line.text.first == ":" ? line.text.dropFirst() : line.text[...]
        guard hasBody, kind == nil, !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits)
        else { return nil }
        return number > 0 ? number : nil
    }

    private var effective: Question {
        if let kind { return Question(text: line.text, kind: kind) }
        guard let first = line.text.first, let kind = Kind.allCases.first(where: { $0.sign == first }), typed == nil else {
            return Question(text: line.text, kind: nil)
        }
        return Question(text: String(line.text.dropFirst()), kind: kind)
    }

    // MARK: Keys

    /// A key of the text's own.
    mutating func handle(_ key: KeyPress, clipboard: inout String, reading: (String) -> Reading) {
        let before = line.revision
        if key.key == .backspace, line.isEmpty, kind != nil {
            kind = nil
            narrow(nil)
            return
        }
        _ = line.handle(key, clipboard: &clipboard)
        guard line.revision != before else { return }
        guard line.text.utf8.count > Self.longText else { return narrow(reading(line.text)) }
        (typed, complaint, isPutOff) = (nil, "The text is long: Enter reads it again.", true)
        (found, question, examined) = ([], Question(), 0)
        list = ListState(count: 0, height: list.height)
    }

    /// - Returns: whether there was something to be read.
    mutating func readPutOff(_ reading: (String) -> Reading) -> Bool {
        guard isPutOff else { return false }
        narrow(reading(line.text))
        return true
    }

    /// Only what is of the selected row's kind, or everything again.
    mutating func narrowToSelected() {
        if kind != nil {
            kind = nil
        } else if case .target(let target)? = selected {
            // The sign has done its work.
            if let first = line.text.first, Kind.allCases.contains(where: { $0.sign == first }) { line.setText(text) }
            kind = target.kind
        }
        narrow(nil)
    }

    /// What is typed, if it is a request.
    typealias Reading = (request: TypedRequest?, complaint: String?)

    mutating func narrow(_ reading: Reading?) {
        if let reading { (typed, complaint) = reading }
        isPutOff = false
        let next = effective
        let text = next.text.trimmingBlanks
        if text.isEmpty {
            let own = next.kind.map { kind in recent.filter { targets[Int($0)].kind == kind } } ?? recent
            let last = Array(own.prefix(Self.recentCount))
            let rest = ranges[next.kind ?? .command].map { $0.map(Int32.init) } ?? []
            found = last + rest.filter { !last.contains($0) }
            examined = 0
        } else {
            // What more letters find is among what fewer have found.
            let goesOn = next.kind == question.kind && !question.text.trimmingBlanks.isEmpty && next.text.hasPrefix(question.text)
            var among = goesOn ? found : next.kind.map { (ranges[$0] ?? 0..<0).map(Int32.init) }
            // A key has a name of its own: `C-r` isn't among what `C` finds.
            if goesOn, let keys = ranges[.command], next.kind ?? .command == .command {
                let known = Set(among ?? [])
                among? += keys.map(Int32.init).filter { !known.contains($0) }
            }
            let answer = text.utf8.count > Self.longText ? .none : index.search(text, among: among)
            found = answer.indices
            examined = answer.examined
        }
        question = next
        list = ListState(count: count, height: list.height)
    }
}

extension Omnibox: ListedOverlay {
    var overlay: Overlay { .omnibox(self) }
    var title: String { narrowed?.plural ?? "Everything" }

    func area(in screen: Rect) -> Rect {
        // The upper edge stays where it is while the list shrinks.
        screen.centered(Size(columns: 100, rows: 18))
    }

    func listArea(in inner: Rect) -> Rect { inner.splitTop(1).rest.splitBottom(inner.rows > 8 ? 1 : 0).rest }

    func hintRow(in inner: Rect) -> Rect? {
        inner.rows > 8 ? inner.line(inner.rows - 1).inset(columns: 1) : nil
    }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let back = ExplorerState.Hint(key: "Esc", word: "back")
        if let typed {
            let bare = ExplorerState.Hint(key: "S-Tab", word: isBare ? "with the defaults" : "without the defaults")
            return [.init(key: "Enter", word: "send"), .init(key: "Tab", word: "keep it in the collection")]
                + (typed.takesDefaults || isBare ? [bare] : []) + [back]
        }
        var hints = [ExplorerState.Hint(key: "Enter", word: "open")]
        if case .target(.request)? = selected, let key = state.keymap.keys(for: .send).first(where: { $0.name.count > 1 }) {
            hints += [.init(key: key.name, word: "send"), .init(key: "→", word: "in the tree")]
        }
        return hints + [.init(key: "Tab", word: kind == nil ? "only this kind" : "everything"), back]
    }

    var isTypedInto: Bool { true }
    var typedLine: LineEditor? {
        get { line }
        set { if let newValue { line = newValue } }
    }

    /// Between what stands before it and how much there is.
    func typedField(in inner: Rect) -> Rect? {
        let row = inner.line(0).inset(columns: 1)
        let start = DisplayWidth.of(prompt.text)
        let columns = max(4, row.columns - start - DisplayWidth.of(tally) - 2)
        return Rect(column: row.column + start, row: row.row, columns: min(columns, row.columns - start), rows: 1)
    }

    /// The kind that Tab has narrowed to, and a sign.
    var prompt: StyledLine {
        var line = StyledLine()
        if let kind { line.append("\(kind.rawValue) ", .accent) }
        line.append("› ", .key)
        return line
    }

    /// At the end of the row.
    var tally: String { typed == nil ? "\(Figures.count(count)) of \(Figures.count(total))" : "a request" }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let isBare = isBare
        let reading: (String) -> Reading = { state.readTyped($0, isBare: isBare) }
        // Keys that type nothing and send elsewhere send here, too.
        let sends = state.isKey(key, of: .send) && !key.isText
        if key.key == .enter || key.key == .tab || sends, readPutOff(reading) { return .stays() }
        switch (key.key, key.modifiers) {
        case (.escape, _), (.character("c"), .control): return .closes()
        case (.enter, _): return selected.map { row in .closes { $0.go(to: row) } } ?? .stays()
        case (.up, _), (.down, _), (.pageUp, _), (.pageDown, _): _ = list.handle(key)
        case (.character("n"), .control): list.move(by: 1)
        case (.character("p"), .control): list.move(by: -1)
        case (.tab, .shift) where typed != nil:
            self.isBare.toggle()
            narrow(state.readTyped(line.text, isBare: self.isBare))
        case (.tab, _):
            if let typed { return .closes { $0.keep(typed) } }
            narrowToSelected()
        case (.right, []) where line.cursor == line.text.utf8.count:
            guard case .target(.request(let reference))? = selected else { return .stays() }
            return .closes {
                _ = $0.reveal(reference)
                return []
            }
        case _ where sends:
            let row = selected
            return .closes { $0.send(row) }
        default: handle(key, clipboard: &clipboard, reading: reading)
        }
        return .stays()
    }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        _ = line.paste(text)
        narrow(state.readTyped(line.text, isBare: isBare))
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool { select(atRow: row) }
}
