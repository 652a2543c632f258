import NetworkLayer
import TerminalUI

/// A list to choose one from.
struct Chooser: Hashable, Sendable {
    var title: String
    var items: [Item]
    var list: ListState
    var purpose: Purpose

    struct Item: Hashable, Sendable {
        var title: String
        /// Dimmed, behind the title.
        var detail: String

        init(_ title: String, detail: String = "") {
            self.title = title
            self.detail = detail
        }
    }

    enum Purpose: Hashable, Sendable {
        /// The last item is "none".
        case environment(collection: String)
        /// The theme to go back to.
        case theme(before: String)
        case field(RequestField)
        case copy([CopyItem])
        /// One for each item.
        case check([CheckItem])
        /// One place for each item.
        case move(RequestReference, [TreePlace])
        case priority(OperationID)
        /// Another type or charset of a body.
        case reading(OperationID)
    }

    init(_ title: String, _ items: [Item], selected: Int = 0, purpose: Purpose) {
        self.title = title
        self.items = items
        self.list = ListState(count: items.count, selected: selected, height: max(1, items.count))
        self.purpose = purpose
    }
}

/// What can be made a check of a request, out of its response: rows of its tab `checks`.
enum CheckItem: Hashable, Sendable {
    case expect(subject: String, matcher: String)
    case capture(name: String, source: String)
}

/// What can be copied from where the user is.
enum CopyItem: Hashable, Sendable {
    case text(String, what: String)
    /// One that is masked on the screen, as it is in the file: only whoever asks for it gets it.
    case credential(String)
    /// The request, ready to be used elsewhere.
    case request(RequestRendering)
    /// The body of the shown response, as it is shown.
    case responseBody
}

extension Chooser: ListedOverlay {
    var overlay: Overlay { .chooser(self) }

    var isAboutRequest: Bool {
        switch purpose {
        case .field, .check, .copy: true
        case .environment, .theme, .move, .priority, .reading: false
        }
    }

    func area(in screen: Rect) -> Rect {
        let titles = items.map { DisplayWidth.of($0.title) }.max() ?? 0
        let details = items.map { DisplayWidth.of($0.detail) }.max() ?? 0
        let widest = max(titles + (details > 0 ? details + 2 : 0), DisplayWidth.of(title))
        return screen.centered(Size(columns: widest + 6, rows: items.count + 2))
    }

    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "↑ ↓", word: "choose"), .init(key: "Enter", word: "take it"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape, .character("q"):
            if case .theme(let before) = purpose, before != state.screen.theme { return .closes([.setTheme(before)]) }
            return .closes()
        case .enter, .character(" "):
            let chooser = self
            return .closes { $0.choose(chooser, item: chooser.list.selected) }
        case .tab: list.move(by: key.modifiers.contains(.shift) ? -1 : 1)
        default: guard list.handle(key) else { return .stays() }
        }
        // A theme is tried on while it is looked for.
        if case .theme = purpose, items.indices.contains(list.selected) { return .stays([.setTheme(items[list.selected].title)]) }
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool { select(atRow: row) }
}
