import TerminalUI

/// Which key asks for which command, pane by pane.
package struct Keymap: Sendable, Hashable {
    private var commands: [Pane: [KeyPress: Command.ID]]
    private var keys: [Command.ID: [KeyPress]]
    /// What jump labels are made of, the best first.
    let jumpLetters: [Character]

    /// - Parameters:
    ///   - overrides: the keys of a command, instead of the table's; an empty list takes them all away.
    ///   - jumpLetters: all different.
    init(overrides: [Command.ID: [KeyPress]] = [:], jumpLetters: [Character] = JumpLabels.letters) {
        self.jumpLetters = jumpLetters
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
