import NetworkLayer
import TerminalUI

/// A keymap in full, as a file that says the same; and the page of the manual.
package enum KeymapText {
    /// A keymap file with every command: what is in it can be changed line by line.
    ///
    /// - Parameter heading: lines of comment above it.
    package static func file(_ keymap: Keymap, set: KeySet, heading: [String] = []) -> String {
        var lines = heading.map { "# \($0)" }
        lines += [
            "set: \(set.rawValue)", "", "# The letters of jump labels, the best first.",
            "jump: \"\(String(keymap.jumpLetters))\"", "", "keys:",
        ]
        let width = Command.all.reduce(0) { max($0, line(keymap, $1).count) }
        for group in Command.groups {
            lines.append("  # \(group.title)")
            for command in group.commands {
                let line = line(keymap, command)
                lines.append(line + String(repeating: " ", count: width - line.count) + "  # \(command.title)\(place(command))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ keymap: Keymap, _ command: Command) -> String {
        "  \(command.id.rawValue): [\(keymap.keys(for: command.id).map { "\"\(escaped($0.name))\"" }.joined(separator: ", "))]"
    }

    private static func escaped(_ name: String) -> String {
        name.replacing(scalars: "\\", with: "\\\\").replacing(scalars: "\"", with: "\\\"")
    }

    /// Where a key works that doesn't work everywhere.
    private static func place(_ command: Command) -> String {
        guard command.panes.count < Pane.allCases.count else { return "" }
        return " (\(command.panes.sorted().map { $0.title.lowercased() }.joined(separator: ", ")))"
    }

    /// `docs/keys.md`.
    static var page: String {
        var lines = [
            "# The keys of the explorer",
            "",
            "This page is made from the table of commands; `turnstone keys` prints the same as a keymap file. "
                + "In the explorer `?` shows the keys of",
            "the pane you are in, and `:` finds a command by its name, by its words or by its key, and shows its key.",
            "",
        ]
        for group in Command.groups {
            lines += ["## \(group.title)", "", "| key | command | what it does | where |", "|---|---|---|---|"]
            for command in group.commands {
                let keys = command.keys.map { "`\($0.name.replacing(scalars: "|", with: "\\|"))`" }.joined(separator: " ")
                let isEverywhere = command.panes.count == Pane.allCases.count
                let panes = isEverywhere ? "" : command.panes.sorted().map { $0.title.lowercased() }.joined(separator: ", ")
                let help = command.help.replacing(scalars: "|", with: "\\|")
                lines.append("| \(keys) | `\(command.id.rawValue)` | \(help) | \(panes) |")
            }
            lines.append("")
        }
        lines += [
            "## Keys of your own",
            "",
            "A keymap file names commands and gives them keys. It is `$XDG_CONFIG_HOME/turnstone/keys.yaml`, which is",
            "`~/.config/turnstone/keys.yaml` unless you set that variable:",
            "",
            "```yml",
            "set: vim                 # default, vim or emacs: what holds where this file says nothing",
            "jump: asdfghjklqwertz    # the letters of jump labels, the best first",
            "keys:",
            "  send: [s, F5]",
            "  cancel: C-x            # one key needs no list",
            "  hold-still: []         # no key: it is still found with :",
            "```",
            "",
            "```sh",
            "turnstone keys           # all keys as they are now, and what is wrong with the file",
            "turnstone keys emacs     # all keys of a set, to begin a file with",
            "```",
            "",
            "A key is written as it is shown: `s`, `S`, `Space`, `Enter`, `Esc`, `Tab`, `S-Tab`, `F5`, `PgUp`, `C-r` with Control, "
                + "`M-x` with Alt.",
            "Signs that mean something to YAML stand in quotes: `\"'\"`, `\"#\"`, `\"[\"`, `\":\"`. A key that the file gives to a command is taken from",
            "the command that had it. When the file gives a key twice, the first line keeps it and the program names both; a command that",
            "there isn't is named with the nearest one. Whatever is wrong is shown when the explorer starts, and the rest of the file holds.",
            "",
        ]
        for set in KeySet.allCases where set != .default {
            lines += [
                "### The set \(set.rawValue)", "", set.help + " What differs from the tables above:", "", "| command | keys |",
                "|---|---|",
            ]
            for (id, keys) in set.overrides.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                lines.append("| `\(id.rawValue)` | \(keys.map { "`\($0.name)`" }.joined(separator: " ")) |")
            }
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }
}
