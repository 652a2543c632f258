import TerminalUI

/// Which key asks for which command, pane by pane.
package struct Keymap: Sendable, Hashable {
    private var commands: [Pane: [KeyPress: Command.ID]]
    private var keys: [Command.ID: [KeyPress]]

    /// - Parameter overrides: the keys of a command, instead of the table's; an empty list takes them all away.
    init(overrides: [Command.ID: [KeyPress]] = [:]) {
        commands = [:]
        keys = [:]
        for command in Command.all {
            let presses = overrides[command.id] ?? command.keys
            keys[command.id] = presses
            for pane in command.panes {
                for press in presses {
                    commands[pane, default: [:]][press] = command.id
                }
            }
        }
    }

    /// The keys of a set, as they are when the user's file says nothing.
    package init(set: KeySet) { self.init(overrides: set.overrides) }

    func command(for key: KeyPress, in pane: Pane) -> Command.ID? {
        commands[pane]?[key]
    }

    /// The first is the one to show.
    func keys(for command: Command.ID) -> [KeyPress] {
        keys[command] ?? []
    }
}

/// Keys that people have in their fingers from elsewhere, over those of the table of commands.
package enum KeySet: String, Sendable, Hashable, CaseIterable {
    case `default`, vim, emacs

    /// What the set is for, in one sentence.
    package var help: String {
        switch self {
        case .default: "The keys of the table of commands, which have h j k l already."
        case .vim: "C-d and C-u scroll, i edits, U is redo, and Z quits."
        case .emacs: "C-n C-p C-f C-b move, C-v and M-v scroll, C-s searches, C-g goes back, M-x finds anything."
        }
    }

    /// What differs from the table.
    var overrides: [Command.ID: [KeyPress]] {
        switch self {
        case .default: [:]
        case .vim:
            [
                .pageDown: keys("C-d", "C-f", "PgDn"), .pageUp: keys("C-u", "C-b", "PgUp"), .edit: keys("i", "e"),
                .redo: keys("C-r", "U"), .quit: keys("q", "Z"),
            ]
        case .emacs:
            [
                .up: keys("C-p", "Up", "k"), .down: keys("C-n", "Down", "j"), .left: keys("C-b", "Left", "h"),
                .right: keys("C-f", "Right", "l"), .pageDown: keys("C-v", "PgDn"), .pageUp: keys("M-v", "PgUp"),
                .top: keys("M-<", "Home"), .bottom: keys("M->", "End", "G"), .search: keys("C-s", "/"),
                .back: keys("C-g", "Esc"), .palette: keys("M-x", ":"), .undo: keys("C-_", "u"), .redo: keys("M-_", "C-r"),
                .copy: keys("M-w", "y"), .deleteRow: keys("C-d", "d"),
                .deleteEntry: keys("C-d", "d"),
            ]
        }
    }

    private func keys(_ names: String...) -> [KeyPress] { names.compactMap { KeyPress(name: $0) } }
}

extension KeyPress {
    /// As help, hints and keymap files write it: `s`, `C-r`, `S-Tab`, `F5`, `Space`.
    var name: String {
        var name = ""
        if modifiers.contains(.control) { name += "C-" }
        if modifiers.contains(.alt) { name += "M-" }
        if modifiers.contains(.shift) { name += "S-" }
        switch key {
        case .character(" "): name += "Space"
        case .character(let character): name.append(character)
        case .function(let number): name += "F\(number)"
        default: name += Self.names.first { $0.key == key }?.name ?? ""
        }
        return name
    }

    /// - Parameter name: as ``name`` gives it; the names of keys in any case.
    init?(name: String) {
        var rest = name[...]
        var modifiers: Modifiers = []
        while rest.count > 2, rest.dropFirst().first == "-", let modifier = Self.modifierLetters[rest.first!] {
            modifiers.insert(modifier)
            rest = rest.dropFirst(2)
        }
        let word = rest.lowercased()
        if rest.count == 1 {
            self.init(.character(rest.first!), modifiers)
        } else if word == "space" {
            self.init(.character(" "), modifiers)
        } else if word.first == "f", let number = Int(word.dropFirst()), (1...24).contains(number) {
            self.init(.function(number), modifiers)
        } else if let known = Self.names.first(where: { $0.name.lowercased() == word }) {
            self.init(known.key, modifiers)
        } else {
            return nil
        }
    }

    private static let modifierLetters: [Character: Modifiers] = ["C": .control, "M": .alt, "S": .shift]

    private static let names: [(key: Key, name: String)] = [
        (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backspace, "Backspace"), (.delete, "Delete"), (.insert, "Insert"),
        (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"),
        (.pageDown, "PgDn"),
    ]
}
