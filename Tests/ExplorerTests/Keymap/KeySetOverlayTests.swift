import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// What moves and goes back in the panes does so in what lies over them, and in texts.
@Suite struct `A set of keys over the panes` {
    private func explorer(_ set: KeySet) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.state = ExplorerState(
            size: Size(columns: 120, rows: 40), themes: ["dark", "light", "nord"], keymap: Keymap(overrides: set.overrides))
        explorer.send(.collectionLoaded(ShopCollection.collection))
        explorer.pick("login")
        return explorer
    }

    @Test(arguments: ["?", "M-x", "t", "B", ".", "V", "a", "'"]) func `C-g of emacs closes it`(opening: String) {
        var explorer = explorer(.emacs)
        explorer.press(opening)
        #expect(explorer.state.overlay != nil)
        explorer.press("C-g")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `C-n and C-p of emacs move in it`() {
        var explorer = explorer(.emacs)
        explorer.press("t C-n C-n C-p")
        guard case .chooser(let chooser)? = explorer.state.overlay else {
            Issue.record("there is no chooser")
            return
        }
        #expect(chooser.list.selected == 1)
    }

    @Test func `C-g of emacs leaves a text as it was, and a search`() {
        var explorer = explorer(.emacs)
        explorer.press("2 e")
        #expect(explorer.state.panes.request.editing != nil)
        explorer.type("zzz")
        explorer.press("C-g")
        #expect(explorer.state.panes.request.editing == nil)
        #expect(explorer.request?.url.contains("zzz") == false)
        explorer.press("C-s")
        explorer.type("x")
        explorer.press("C-g")
        #expect(explorer.state.searchLine == nil)
    }

    @Test func `C-u of vim deletes in a text, and scrolls elsewhere`() {
        var explorer = explorer(.vim)
        explorer.press(":")
        explorer.type("login")
        explorer.press("C-u")
        guard case .omnibox(let omnibox)? = explorer.state.overlay else {
            Issue.record("there is no omnibox")
            return
        }
        #expect(omnibox.line.text == "")
    }

    @Test func `typed letters stay those of what lies over the panes`() {
        var explorer = explorer(.default)
        explorer.press("B")
        explorer.type("7")
        explorer.press("j")
        guard case .lab(let board)? = explorer.state.overlay else {
            Issue.record("there is no lab")
            return
        }
        #expect(board.fields[0].line.text == "7j")
    }
}
