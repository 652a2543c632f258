import TerminalUI

/// What lies over the panes and takes all keys: one at a time.
///
/// A new one is a case here and in ``content``, and a folder of its own; a command that opens it is in ``ExplorerState/open(by:)``.
enum Overlay: Hashable, Sendable {
    case start(StartLine)
    case help(Help)
    case omnibox(Omnibox)
    case chooser(Chooser)
    case dialog(Dialog)
    case why(WhyCard)
    case question(QuestionForm)
    case entry(EntryForm)
    case comparison(Comparison)
    case variables(VariableBoard)
    case lab(LabBoard)
    case whatIf(WhatIfBoard)

    var content: any OverlayContent {
        switch self {
        case .start(let line): line
        case .help(let help): help
        case .omnibox(let omnibox): omnibox
        case .chooser(let chooser): chooser
        case .dialog(let dialog): dialog
        case .why(let card): card
        case .question(let form): form
        case .entry(let form): form
        case .comparison(let comparison): comparison
        case .variables(let board): board
        case .lab(let board): board
        case .whatIf(let board): board
        }
    }
}

extension ExplorerState {
    /// Opens what a command opens wherever one is; `nil`: it opens nothing.
    mutating func open(by command: Command.ID) -> [ExplorerEffect]? {
        switch command {
        case .help: overlay = .help(Help(pane: screen.focus, now: hintedCommands))
        case .palette: overlay = .omnibox(omnibox)
        case .chooseEnvironment: open(environmentChooser)
        case .chooseTheme: open(themeChooser)
        case .copy: open(copyChooser)
        case .share: open(shareChooser)
        case .method: if let chooser = choices(of: .method) { overlay = .chooser(chooser) }
        case .why: open(why)
        case .editVariables: open(variableBoard)
        case .lab: return openLab()
        case .whatIf: return openWhatIf()
        default: return nil
        }
        return []
    }
}

/// What comes of asking for something over the panes. It is thrown by what another thing was asked of, which isn't to be had.
enum Opening: Error {
    case overlay(Overlay)
    /// Why there is nothing to show.
    case notice(String)
    case nothing

    static func chooser(_ chooser: Chooser) -> Self { .overlay(.chooser(chooser)) }
    static func entry(_ form: EntryForm) -> Self { .overlay(.entry(form)) }
    static func dialog(_ dialog: Dialog) -> Self { .overlay(.dialog(dialog)) }
}

/// What lies over the panes: a value that knows all that the screen asks of it.
protocol OverlayContent: Hashable, Sendable {
    /// Itself, as one of those that can lie over the panes.
    var overlay: Overlay { get }
    /// In its upper edge.
    var title: String { get }
    /// Where it is on the screen, its border included; empty: it has none, and is drawn over the panes themselves.
    func area(in screen: Rect) -> Rect
    /// The rows of its list.
    func listArea(in inner: Rect) -> Rect
    /// The row of its own for the hints; `nil`: they stand in the status line.
    func hintRow(in inner: Rect) -> Rect?
    /// The keys that help most, the most useful first. Those of the panes below it don't act.
    func hints(in state: ExplorerState) -> [ExplorerState.Hint]
    /// Whether keys that scroll in the panes edit a text in it.
    var isTypedInto: Bool { get }
    /// The line that has the cursor; `nil`: none, or one that stands there as dots.
    var typedLine: LineEditor? { get set }
    /// Where the line with the cursor is drawn; `nil`: there is none.
    func typedField(in inner: Rect) -> Rect?
    /// Whether a click beside it is as Esc.
    var closesOutside: Bool { get }
    /// Whether it is about the request that the panes show: it goes when they show another one, which no key has asked for.
    var isAboutRequest: Bool { get }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep
    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep
    /// A click in a row, counted from the first one of the list.
    ///
    /// - Returns: whether it is as Enter now.
    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool
    /// Fits it to the screen, and to what there is by now. Called after each event.
    ///
    /// - Returns: whether something is left of it.
    mutating func fit(in state: ExplorerState) -> Bool
}

extension OverlayContent {
    func listArea(in inner: Rect) -> Rect { inner }
    func hintRow(in inner: Rect) -> Rect? { inner.line(inner.rows - 1).inset(columns: 1) }
    func hints(in state: ExplorerState) -> [ExplorerState.Hint] { [] }
    var isTypedInto: Bool { false }
    var typedLine: LineEditor? {
        get { nil }
        set {}
    }
    func typedField(in inner: Rect) -> Rect? { nil }
    var closesOutside: Bool { true }
    var isAboutRequest: Bool { false }
    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep { .stays() }
    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool { false }
    mutating func fit(in state: ExplorerState) -> Bool { true }
}

/// What follows from a key or a paste over the panes.
struct OverlayStep {
    /// Whether it stays there, as it is by now.
    let stays: Bool
    /// What is done afterwards; this may open something else.
    let then: (inout ExplorerState) -> [ExplorerEffect]

    static func stays(_ effects: [ExplorerEffect] = []) -> Self { .stays { _ in effects } }
    static func stays(then: @escaping (inout ExplorerState) -> [ExplorerEffect]) -> Self { .init(stays: true, then: then) }
    static func closes(_ effects: [ExplorerEffect] = []) -> Self { .closes { _ in effects } }
    static func closes(then: @escaping (inout ExplorerState) -> [ExplorerEffect]) -> Self { .init(stays: false, then: then) }

    static func stays(saying text: String) -> Self { .init(stays: true) { $0.say(text) } }
    static func closes(saying text: String) -> Self { .init(stays: false) { $0.say(text) } }

    static func opens(_ overlay: Overlay) -> Self {
        .closes {
            $0.overlay = overlay
            return []
        }
    }
}

/// Where an overlay and its parts are, for the one who draws it and for the mouse.
struct OverlayLayout {
    /// Border included.
    let area: Rect
    let list: Rect
    let hints: Rect?
    /// Where the line that has the cursor is drawn.
    let typedField: Rect?

    init(of content: any OverlayContent, in size: Size) {
        // The status line has the keys of some, and what has just been said. Where there is room the panes' borders are seen, too.
        let screen = Rect(Size(columns: size.columns, rows: size.rows - 1))
            .inset(columns: size.columns >= 60 ? 2 : 0, rows: size.rows >= 20 ? 1 : 0)
        area = content.area(in: screen)
        list = content.listArea(in: area.inner)
        hints = content.hintRow(in: area.inner)
        let inner = area.inner
        typedField = content.typedField(in: inner).flatMap { !$0.isEmpty && inner.intersection($0) == $0 ? $0 : nil }
    }
}

/// An overlay with a list that scrolls.
protocol ListedOverlay: OverlayContent {
    var list: ListState { get set }
}

extension ListedOverlay {
    mutating func fit(in state: ExplorerState) -> Bool {
        list.height = OverlayLayout(of: self, in: state.screen.size).list.rows
        return true
    }

    /// - Returns: whether there is such a row.
    mutating func select(atRow row: Int) -> Bool {
        guard let index = list.index(atRow: row) else { return false }
        list.select(index)
        return true
    }
}

/// One with a line above its list.
protocol TypedListOverlay: ListedOverlay {
    var line: LineEditor { get set }
    /// What is typed has changed.
    mutating func find()
}

extension TypedListOverlay {
    var isTypedInto: Bool { true }
    var typedLine: LineEditor? {
        get { line }
        set { if let newValue { line = newValue } }
    }

    func typedField(in inner: Rect) -> Rect? { inner.line(0).inset(columns: 1).splitLeft(2).rest }

    mutating func type(_ change: (inout LineEditor) -> Void) {
        let revision = line.revision
        change(&line)
        if line.revision != revision { find() }
    }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        type { _ = $0.paste(text) }
        return .stays()
    }
}

extension ExplorerState {
    mutating func open(_ opening: Opening) {
        switch opening {
        case .overlay(let overlay): self.overlay = overlay
        case .notice(let text): notice = Notice(.info, text)
        case .nothing: break
        }
    }

    // MARK: Keys

    mutating func overlay(_ content: any OverlayContent, key: KeyPress) -> [ExplorerEffect] {
        var (content, clipboard) = (content, clipboard)
        let step = content.handle(key, in: self, clipboard: &clipboard)
        self.clipboard = clipboard
        return follow(step, of: content)
    }

    mutating func overlay(_ content: any OverlayContent, paste text: String) -> [ExplorerEffect] {
        var content = content
        let step = content.paste(text, in: self)
        return follow(step, of: content)
    }

    mutating func overlay(_ content: any OverlayContent, mouse event: MouseEvent) -> [ExplorerEffect] {
        let layout = OverlayLayout(of: content, in: screen.size)
        switch event.action {
        case .wheelUp: return overlay(content, key: KeyPress(.up))
        case .wheelDown: return overlay(content, key: KeyPress(.down))
        case .drag, .release: return []
        case .press, .doubleClick: break
        }
        guard layout.area.contains(event.point) else {
            return content.closesOutside ? overlay(content, key: KeyPress(.escape)) : []
        }
        guard layout.list.contains(event.point) else { return [] }
        var content = content
        let isEnter = content.click(row: event.point.row - layout.list.row, in: layout.list, of: self)
        return isEnter ? overlay(content, key: KeyPress(.enter)) : follow(.stays(), of: content)
    }

    private mutating func follow(_ step: OverlayStep, of content: any OverlayContent) -> [ExplorerEffect] {
        if step.stays { keep(content) } else { overlay = nil }
        return step.then(&self)
    }

    /// What lies over the panes has changed, and is still the same.
    mutating func keep(_ content: any OverlayContent) {
        let openings = screen.openings
        overlay = content.overlay
        screen.openings = openings
    }

    /// Called after each event.
    mutating func fitOverlay() {
        guard var content = overlay?.content else { return }
        if content.fit(in: self) { keep(content) } else { overlay = nil }
    }

    /// What moves and goes back in all panes does so over them and in texts, too: `C-n` of the emacs set is Down there, and `C-g` is Esc.
    /// Keys that type something are those of what lies over the panes.
    func overPanes(_ key: KeyPress) -> KeyPress {
        guard overlay != nil || isTyping, !key.isText else { return key }
        let isTypedInto = overlay?.content.isTypedInto ?? true
        let known: KeyPress.Key? =
            switch keymap.command(for: key, in: screen.focus) {
            case .up: .up
            case .down: .down
            case .back: .escape
            // In a text, C-d and C-u delete.
            case .pageUp where !isTypedInto: .pageUp
            case .pageDown where !isTypedInto: .pageDown
            case .left where !isTypedInto: .left
            case .right where !isTypedInto: .right
            default: nil
            }
        return known.map { KeyPress($0) } ?? key
    }

    /// Whether the key puts away what is only looked at: also the one that has opened it.
    func isClosing(_ key: KeyPress, _ command: Command.ID) -> Bool {
        key.key == .escape || key.key == .enter || isKey(key, of: command) || isKey(key, of: .quit)
    }

    func isKey(_ key: KeyPress, of command: Command.ID) -> Bool {
        keymap.keys(for: command).contains(key)
    }
}

/// What lies over the panes, as it is drawn.
protocol DrawnOverlay: OverlayContent {
    /// Draws what is inside of its border, but for the row with its hints.
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas)
}

/// Draws what lies over the panes.
enum OverlayView {
    static func draw(_ content: any OverlayContent, of state: ExplorerState, on canvas: inout Canvas) {
        let layout = OverlayLayout(of: content, in: state.screen.size)
        canvas.fill(layout.area, .overlay)
        canvas.box(layout.area, title: content.title, isFocused: true, border: .overlayBorder)
        (content as? any DrawnOverlay)?.draw(of: state, in: layout, on: &canvas)
        if let row = layout.hints { canvas.draw(in: row) { $0.keys(content.hints(in: state)) } }
    }
}

extension Canvas {
    /// The keys of what lies over the panes, in the first row: as many as fit, whole, the first ones first, and the way out in any case.
    mutating func keys(_ hints: [ExplorerState.Hint]) {
        let gap = 3
        func columns(_ hint: ExplorerState.Hint) -> Int { DisplayWidth.of(hint.key) + 1 + DisplayWidth.of(hint.word) + gap }
        func leads(_ hint: ExplorerState.Hint) -> Bool { hint.key == "Esc" || hint.key == "any other key" }
        var room = bounds.columns + gap
        room -= hints.filter(leads).reduce(0) { $0 + columns($1) }
        let shown = hints.filter { hint in
            if leads(hint) { return true }
            guard columns(hint) <= room else { return false }
            room -= columns(hint)
            return true
        }
        var line = StyledLine()
        for hint in shown {
            if !line.spans.isEmpty { line.append(String(repeating: " ", count: gap)) }
            line.append(hint.key, .key)
            line.append(" " + hint.word, .keyHelp)
        }
        self.line(line, row: 0, ellipsis: true)
    }
}
