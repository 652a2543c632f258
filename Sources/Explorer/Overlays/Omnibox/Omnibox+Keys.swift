import Presentation
import TerminalUI

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
