import TerminalUI

/// The line at the bottom that a search is typed into.
struct SearchLine: Hashable, Sendable {
    var pane: Pane
    var line: LineEditor
    /// Where the tree's cursor was: Escape brings it back.
    var row: RequestReference?
}

extension ExplorerState {
    mutating func openSearch() {
        let before = screen.focus == .collection ? panes.collection.filter : ""
        var line = LineEditor(before)
        line.selectAll()
        searchLine = SearchLine(
            pane: screen.focus, line: line, row: screen.focus == .collection ? panes.collection.selectedEntry?.reference : nil)
    }

    mutating func searchLine(_ search: SearchLine, key: KeyPress) -> [ExplorerEffect] {
        var search = search
        switch key.key {
        case .enter where search.pane != .collection || panes.collection.selectedEntry != nil:
            searchLine = nil
            return []
        // With nothing found there is no row to stay on.
        case .enter, .escape:
            searchLine = nil
            if let row = search.row {
                panes.collection.setFilter("")
                panes.collection.reveal(row)
            }
            return look(for: "", in: search.pane)
        case .up, .down, .pageUp, .pageDown:
            guard search.pane == .collection, let command = keymap.command(for: key, in: .collection) else { return [] }
            return collectionPane(perform: command) ?? []
        default:
            let revision = search.line.revision
            _ = search.line.handle(key, clipboard: &clipboard)
            searchLine = search
            return search.line.revision == revision ? [] : look(for: search.line.text, in: search.pane)
        }
    }

    mutating func searchLine(_ search: SearchLine, paste text: String) -> [ExplorerEffect] {
        var search = search
        _ = search.line.paste(text)
        searchLine = search
        return look(for: search.line.text, in: search.pane)
    }

    /// What is looked for in a pane; empty: nothing is.
    func searchText(in pane: Pane) -> String {
        pane.description.searchText(self)
    }

    /// An empty text ends the search.
    mutating func look(for text: String, in pane: Pane) -> [ExplorerEffect] { pane.description.search(&self, text) }
}
