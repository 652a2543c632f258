import FoundationEssentials
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `A keymap file` {
    private func problems(_ text: String) -> [String] { KeymapFile(text, path: "keys.yaml").problems.map(\.description) }

    @Test func `gives commands other keys, by their names`() {
        let file = KeymapFile("keys:\n  send: [C-x, F5]\n  zoom: []\n  back: Q\n", path: "keys.yaml")
        #expect(file.problems == [])
        #expect(file.keymap.command(for: .character("x", .control), in: .collection) == .send)
        #expect(file.keymap.command(for: .character("s"), in: .collection) == nil)
        #expect(file.keymap.keys(for: .zoom) == [])
        #expect(file.keymap.keys(for: .back) == [.character("Q")])
        #expect(file.keymap.keys(for: .cancel).map(\.name) == ["x"])
    }

    @Test func `a key that is given away is taken from whoever had it`() {
        let file = KeymapFile("keys: { zoom: j }\n", path: "keys.yaml")
        #expect(file.problems == [])
        #expect(file.keymap.command(for: .character("j"), in: .response) == .zoom)
        #expect(file.keymap.keys(for: .down).map(\.name) == ["Down"])
    }

    @Test func `a command that loses its only key is named`() {
        #expect(problems("keys:\n  zoom: x\n") == ["keys.yaml:2: x was the only key of `cancel`, which has none now"])
    }

    @Test func `a clash is told with both lines, and the first one keeps the key`() {
        let text = "keys:\n  zoom: Q\n  filter: [Q, f]\n"
        let file = KeymapFile(text, path: "keys.yaml")
        #expect(file.problems.map(\.description) == ["keys.yaml:3: Q is `zoom` already, in line 2, which keeps it"])
        #expect(file.keymap.command(for: .character("Q"), in: .response) == .zoom)
        #expect(file.keymap.keys(for: .filter).map(\.name) == ["f"])
    }

    @Test func `two commands of different panes may share a key`() {
        #expect(problems("keys:\n  new-request: n\n  add-row: n\n  next-match: C-x\n") == [])
    }

    @Test func `whatever is wrong is named with its line and the nearest name, and the rest holds`() {
        let text = """
            sett: vim
            set: vi
            keys:
              sned: s
              send: Ctrl+R
              zoom: C-i
              save: [w]
              filter: { a: b }
              save: W
            """
        #expect(
            problems(text) == [
                "keys.yaml:1: there is no \"sett\"; did you mean \"set\"?",
                "keys.yaml:2: there is no set \"vi\"; there are: default, vim, emacs",
                "keys.yaml:4: there is no command \"sned\"; did you mean \"send\"?",
                "keys.yaml:5: there is no key \"Ctrl+R\": write C-r",
                "keys.yaml:6: a terminal sends C-i for Tab: it can't be told apart",
                "keys.yaml:8: a key is a text such as s, F5 or C-r",
                "keys.yaml:9: `save` stands in line 7 already, which holds",
            ])
    }

    @Test(arguments: ["", "- 1", "keys: 7", "a: [", "\u{0}", "keys:\n  send: \"\n", "set: [1]\n"])
    func `what is no keymap leaves the usual keys`(text: String) {
        let file = KeymapFile(text, path: "keys.yaml")
        #expect(file.keymap == Keymap())
        #expect(file.problems.isEmpty == text.isEmpty)
    }

    @Test func `the way out and the way to everything can't be lost`() {
        let file = KeymapFile("keys: { quit: [], palette: [] }\n", path: "keys.yaml")
        #expect(file.keymap.keys(for: .quit).map(\.name) == ["F10"])
        #expect(file.keymap.keys(for: .palette).map(\.name) == ["F9"])
        #expect(file.problems.count == 2)
    }

    @Test(arguments: [
        "keys: { send: F10, quit: [] }\n", "keys: { quit: [F9], palette: [] }\n",
        "keys: { save: [F9, F10, F12], quit: [], palette: [] }",
    ])
    func `nor does it take a key that the file has given to something else`(text: String) {
        let keymap = KeymapFile(text, path: "keys.yaml").keymap
        let keys = Command.ID.allCases.filter { Command[$0]?.panes.contains(.request) == true }.flatMap { keymap.keys(for: $0) }
        #expect(Set(keys).count == keys.count)
        #expect(keymap.keys(for: .quit).count == 1 && !keymap.keys(for: .palette).isEmpty)
    }

    @Test(arguments: ["Ctrl+R", "C-I", "S-a", "[C-m, S-1]"])
    func `a key that can't come leaves the command those that it had`(keys: String) {
        let file = KeymapFile("keys: { send: \(keys) }\n", path: "keys.yaml")
        #expect(!file.problems.isEmpty)
        #expect(file.keymap.keys(for: .send).map(\.name) == ["s", "F5"])
    }

    @Test func `a file that can't be read is a problem, and one that isn't there is none`() throws {
        #expect(KeymapFile.load(path: "/nowhere/keys.yaml") == nil)
        #expect(KeymapFile.load(path: "/")?.problems.map(\.message) == ["can't be read"])
    }
}

@Suite struct `The sets of keys` {
    @Test(arguments: KeySet.allCases) func `give no key two meanings in a pane`(set: KeySet) {
        for pane in Pane.allCases {
            var owners: [KeyPress: [Command.ID]] = [:]
            for command in Command.all where command.panes.contains(pane) {
                for key in set.overrides[command.id] ?? command.keys { owners[key, default: []].append(command.id) }
            }
            #expect(owners.filter { $0.value.count > 1 } == [:], "\(set) in \(pane)")
        }
    }

    @Test(arguments: KeySet.allCases) func `leave no command without a key that has one in the table`(set: KeySet) {
        let keymap = Keymap(overrides: set.overrides)
        for command in Command.all where !command.keys.isEmpty { #expect(!keymap.keys(for: command.id).isEmpty, "\(command.id)") }
    }

    @Test(arguments: KeySet.allCases) func `are printed in full, as a file that says the same`(set: KeySet) {
        let keymap = Keymap(overrides: set.overrides)
        let text = KeymapText.file(keymap, set: set)
        let file = KeymapFile(text, path: "keys.yaml")
        #expect(file.problems == [])
        #expect(file.keymap == keymap)
        #expect(file.set == set)
        for command in Command.ID.allCases { #expect(text.contains("\n  \(command.rawValue): "), "\(command)") }
    }

    @Test func `are what the file builds on`() {
        let file = KeymapFile("set: emacs\nkeys: { send: M-s }\n", path: "keys.yaml")
        #expect(file.problems == [])
        #expect(file.keymap.command(for: .character("n", .control), in: .collection) == .down)
        #expect(file.keymap.command(for: .character("s", .alt), in: .collection) == .send)
        #expect(file.keymap.command(for: .character("x", .alt), in: .queue) == .palette)
    }

    @Test func `and the example of the manual is a file without a problem`() throws {
        let parts = KeymapText.page.split(separator: "```yml\n")
        let block = try #require(parts.dropFirst().first?.split(separator: "```").first)
        let file = KeymapFile(String(block), path: "keys.yaml")
        #expect(file.problems == [])
        #expect(file.keymap.keys(for: .cancel).map(\.name) == ["C-x"])
    }

    @Test func `no more than sixty commands have a key`() {
        #expect(KeymapText.page.split(separator: "\n").count { $0.hasPrefix("| `") } <= 60)
    }

    /// With `RECORD_PAGES=1` in the environment it is written.
    @Test func `and all commands are on the page of the manual`() throws {
        let path = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/docs/keys.md"
        if ProcessInfo.processInfo.environment["RECORD_PAGES"] != nil {
            try Data(KeymapText.page.utf8).write(to: URL(filePath: path))
        }
        let page = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        #expect(page == KeymapText.page, "docs/keys.md isn't what the table says: run this test with RECORD_PAGES=1")
    }
}

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

    @Test(arguments: ["?", "M-x", "v", "B", ".", "a"]) func `C-g of emacs closes it`(opening: String) {
        var explorer = explorer(.emacs)
        explorer.press(opening)
        #expect(explorer.state.overlay != nil)
        explorer.press("C-g")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `C-n and C-p of emacs move in it`() {
        var explorer = explorer(.emacs)
        func selected() -> Int? { if case .chooser(let chooser)? = explorer.state.overlay { chooser.list.selected } else { nil } }
        explorer.press("m")
        let first = selected()
        explorer.press("C-n C-n C-p")
        #expect(selected() == first.map { $0 + 1 })
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

@Suite struct `The table of commands` {
    @Test func `has every command once`() {
        #expect(
            Command.all.map(\.id).sorted { $0.rawValue < $1.rawValue } == Command.ID.allCases.sorted { $0.rawValue < $1.rawValue })
    }

    @Test(arguments: Pane.allCases) func `gives no key two meanings in a pane`(pane: Pane) {
        var owners: [KeyPress: [Command.ID]] = [:]
        for command in Command.all where command.panes.contains(pane) {
            for key in command.keys { owners[key, default: []].append(command.id) }
        }
        #expect(owners.filter { $0.value.count > 1 } == [:])
    }

    /// What terminals take for themselves (C-s stops output, C-h is Backspace, C-j and C-m are Enter, C-i is Tab).
    @Test func `uses no chord that a terminal doesn't give us`() {
        let forbidden = Set("shjmiq".map { KeyPress.character($0, .control) })
        let used = Set(Command.all.flatMap(\.keys))
        #expect(used.intersection(forbidden) == [])
        #expect(used.allSatisfy { !$0.modifiers.contains(.control) || $0.key.isPlainLetter })
    }

    @Test func `says of each command what it does`() {
        for command in Command.all {
            #expect(!command.title.isEmpty && command.help.hasSuffix(".") && !command.panes.isEmpty, "\(command.id)")
        }
    }

    @Test(arguments: Command.ID.allCases) func `has no command that no pane knows`(command: Command.ID) {
        let explorer = ExplorerDriver.having(.success())
        #expect(
            Pane.allCases.contains { pane in
                var explorer = explorer
                explorer.focus(pane)
                return explorer.state.answer(to: command) != nil
            })
    }

    @Test func `has no more keys than one can learn`() {
        #expect(Command.all.count { !$0.keys.isEmpty } <= 60)
    }

    @Test func `is all in the help, pane by pane`() {
        let listed = Set(Pane.allCases.flatMap { Help(pane: $0).commands.map(\.id) })
        #expect(listed == Set(Command.ID.allCases))
    }

    @Test func `is found in the help by what is typed, whatever the pane, those that help now first`() throws {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.help)
        explorer.type("value under")
        guard case .help(let help)? = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(help.commands.map(\.id) == [.expectThis, .captureThis])
        let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(screen.contains("=            Expect this  in Response"))
        explorer.press("Esc")
        explorer.press(.help)
        explorer.type("send")
        guard case .help(let other)? = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(other.rows.prefix(2) == [.heading("Now"), .command(try #require(Command[.send]))])
    }

    @Test func `is done from the help in its own pane, where what it acts on is seen`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.run(.success(), body: Data(#"{"id":"5"}"#.utf8))
        explorer.press(.focusCollection, .help)
        explorer.type("expect this")
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.request?.expectationRows.last?.name == ".")
        explorer.press(.help)
        explorer.type("save all")
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .response)
    }

    @Test(arguments: Pane.allCases) func `has whole rows in the help at 80 columns`(pane: Pane) throws {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.focus(pane)
        for command in Command.all {
            explorer.press(.help)
            explorer.type(command.title)
            let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
            let places = Pane.allCases.filter(command.panes.contains).map(\.title).joined(separator: ", ")
            #expect(screen.contains(command.title + (command.panes.contains(pane) ? "" : "  in \(places)")), "\(command.id)")
            explorer.press("Esc")
        }
    }

    @Test func `is all in the omnibox`() throws {
        var explorer = ExplorerDriver()
        explorer.press(.palette)
        explorer.type(">")
        let omnibox = try #require(explorer.omnibox)
        let listed = (0..<omnibox.count).compactMap { row -> Command.ID? in
            if case .target(.command(let id))? = omnibox.row(row) { id } else { nil }
        }
        #expect(Set(listed) == Set(Command.ID.allCases))
    }

    @Test func `has names of keys that can be read back`() {
        for key in Command.all.flatMap(\.keys) {
            #expect(KeyPress(name: key.name) == key, "\(key.name)")
        }
        #expect(KeyPress(name: "C-") == nil)
        #expect(KeyPress(name: "F99") == nil)
    }

    @Test func `can have other keys`() {
        let keymap = Keymap(overrides: [.send: [.character("r", .alt)], .zoom: []])
        #expect(keymap.command(for: .character("r", .alt), in: .collection) == .send)
        #expect(keymap.command(for: .character("s"), in: .collection) == nil)
        #expect(keymap.command(for: .character("z"), in: .collection) == nil)
        #expect(keymap.keys(for: .send).map(\.name) == ["M-r"])
    }
}

extension KeyPress.Key {
    fileprivate var isPlainLetter: Bool {
        if case .character(let character) = self { character.isLetter && character.isLowercase } else { false }
    }
}
