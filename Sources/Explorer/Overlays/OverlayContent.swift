import TerminalUI

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
    mutating func settle(in state: ExplorerState) -> Bool
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
    mutating func settle(in state: ExplorerState) -> Bool { true }
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
    mutating func settle(in state: ExplorerState) -> Bool {
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
