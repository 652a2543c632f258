import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

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
            #expect(!command.keys.isEmpty, "\(command.id) has no key")
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

    @Test func `is all in the help, pane by pane`() {
        let listed = Set(Pane.allCases.flatMap { Help(pane: $0).commands.map(\.id) })
        #expect(listed == Set(Command.ID.allCases))
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
