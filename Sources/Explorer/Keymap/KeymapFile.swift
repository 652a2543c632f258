import Base
import NetworkLayer
import RequestCollections
import TerminalUI

/// What a keymap file says, read without giving up: whatever is wrong becomes a problem, and the rest holds.
///
///     set: vim                 # default, vim or emacs: what holds where this file says nothing
///     keys:
///       send: [s, F5]          # commands by their names, as `turnstone keys` prints them
///       zoom: []               # no key
package struct KeymapFile: Sendable, Hashable {
    package private(set) var set = KeySet.default
    package private(set) var keymap: Keymap
    package private(set) var problems: [KeymapProblem] = []

    private let path: String
    private var given: [Command.ID: Given] = [:]

    private struct Given: Hashable, Sendable {
        var keys: [KeyPress]
        var line: Int
    }

    /// What it takes to get out and to find everything else.
    private static let needed: [Command.ID] = [.quit, .palette]

    /// - Parameters:
    ///   - text: YAML.
    ///   - path: for problems.
    init(_ text: String, path: String) {
        self.path = path
        keymap = Keymap()
        do throws(CollectionProblem) {
            if let root = try YAMLDocument(path: path, bytes: Array(text.utf8)).root { read(root) }
        } catch {
            report(error.message, line: error.location.line)
        }
        keymap = resolved()
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    mutating func report(_ message: String, line: Int?) {
        problems.append(KeymapProblem(path: path, line: line, message: message))
    }

    private func line(of node: YAMLNode) -> Int { node.location(in: path).line }

    // MARK: Reading

    private mutating func read(_ root: YAMLNode) {
        guard let members = root.pairs else {
            return report("a keymap is a mapping with `set` and `keys`", line: line(of: root))
        }
        for member in members {
            switch member.key.text {
            case "set": readSet(member.value)
            // Earlier versions had letters to jump by.
            case "jump": break
            case "keys": readKeys(member.value)
            default:
                let name = member.key.text ?? ""
                report("there is no \"\(name)\"" + Self.suggestion(name, ["set", "keys"]), line: line(of: member.key))
            }
        }
    }

    private mutating func readSet(_ node: YAMLNode) {
        let name = node.text ?? ""
        if let set = KeySet(rawValue: name) {
            self.set = set
        } else {
            let names = KeySet.allCases.map(\.rawValue)
            report("there is no set \"\(name)\"; there are: \(names.joined(separator: ", "))", line: line(of: node))
        }
    }

    private mutating func readKeys(_ node: YAMLNode) {
        guard let members = node.pairs else {
            return report("`keys` must map commands to keys, such as `send: [s, F5]`", line: line(of: node))
        }
        for member in members {
            let name = member.key.text ?? ""
            guard let command = Command.ID(rawValue: name) else {
                report(
                    "there is no command \"\(name)\"" + Self.suggestion(name, Command.ID.allCases.map(\.rawValue)),
                    line: line(of: member.key))
                continue
            }
            if let before = given[command] {
                report("`\(name)` stands in line \(before.line) already, which holds", line: line(of: member.key))
                continue
            }
            let problemsBefore = problems.count
            let keys = self.keys(member.value)
            // A slip takes no keys away; an empty list does.
            guard !keys.isEmpty || problems.count == problemsBefore else { continue }
            given[command] = Given(keys: keys, line: line(of: member.key))
        }
    }

    private mutating func keys(_ node: YAMLNode) -> [KeyPress] {
        let nodes: [YAMLNode]
        if case .sequence(let items, _) = node.content { nodes = items } else { nodes = [node] }
        return nodes.compactMap { node in
            guard let name = node.text else {
                report("a key is a text such as s, F5 or C-r", line: line(of: node))
                return nil
            }
            if name.isEmpty || name == "~" || name == "null" { return nil }
            guard let key = KeyPress(name: name) else {
                report("there is no key \"\(name)\": \(Self.advice(name))", line: line(of: node))
                return nil
            }
            let pressed = key.lowercased
            if let other = Self.sameOnTerminals[pressed] {
                report("a terminal sends \(name) for \(other): it can't be told apart", line: line(of: node))
                return nil
            }
            if case .character(let character) = key.key, key.modifiers.contains(.shift) {
                let capital = KeyPress(.character(character.uppercased().first ?? character), key.modifiers.subtracting(.shift))
                report(
                    "there is no key \"\(name)\": what Shift makes of one stands alone, such as \(capital.name)",
                    line: line(of: node))
                return nil
            }
            return pressed
        }
    }

    // MARK: Who has which key

    /// The file before the set, and what comes first before what comes later.
    private mutating func resolved() -> Keymap {
        var overrides = set.overrides
        let order = given.sorted { ($0.value.line, $0.key.rawValue) < ($1.value.line, $1.key.rawValue) }
        var owners: [Pane: [KeyPress: Command.ID]] = [:]
        for (id, entry) in order {
            let panes = Command[id]?.panes ?? []
            overrides[id] = entry.keys.filter { key in
                let rivals = panes.sorted().compactMap { owners[$0]?[key] }
                guard let rival = rivals.first, let other = given[rival] else { return true }
                report("\(key.name) is `\(rival.rawValue)` already, in line \(other.line), which keeps it", line: entry.line)
                return false
            }
            for pane in panes { for key in overrides[id] ?? [] { owners[pane, default: [:]][key] = id } }
        }
        // A key that the file gives away is taken from whoever has it in the set.
        for command in Command.all where given[command.id] == nil {
            let keys = overrides[command.id] ?? command.keys
            let lost = keys.filter { key in command.panes.contains { owners[$0]?[key] != nil } }
            guard !lost.isEmpty else { continue }
            overrides[command.id] = keys.filter { !lost.contains($0) }
            guard overrides[command.id]?.isEmpty == true, let key = lost.first,
                let taker = command.panes.lazy.sorted().compactMap({ owners[$0]?[key] }).first
            else { continue }
            report(
                "\(key.name) was the only key of `\(command.id.rawValue)`, which has none now", line: given[taker]?.line)
        }
        for id in Self.needed where overrides[id]?.isEmpty == true {
            let line = given[id]?.line
            // A key that no command has in any pane.
            let taken = Command.all.flatMap { overrides[$0.id] ?? $0.keys }
            let usual = id == .quit ? 10 : 9
            let numbers = [usual] + (6...24).reversed()
            let key = KeyPress(.function(numbers.first { !taken.contains(KeyPress(.function($0))) } ?? usual))
            overrides[id] = [key]
            report("`\(id.rawValue)` must have a key: it is \(key.name)", line: line)
        }
        return Keymap(overrides: overrides)
    }

    // MARK: Words

    private static func suggestion(_ name: String, _ known: [String]) -> String {
        nearestName(to: name, in: known).map { "; did you mean \"\($0)\"?" } ?? "; `turnstone keys` prints all there are"
    }

    /// `Ctrl+R` is how others write it.
    private static func advice(_ name: String) -> String {
        let parts = name.split(whereSeparator: { "+-".contains($0) }).map(String.init)
        let letters = ["ctrl": "C-", "control": "C-", "alt": "M-", "meta": "M-", "option": "M-", "shift": "S-"]
        if parts.count > 1, let last = parts.last {
            let modifiers = parts.dropLast().map { letters[$0.lowercased()] }
            let key = modifiers.compactMap(\.self).joined() + (last.count == 1 ? last.lowercased() : last)
            if !modifiers.contains(nil), KeyPress(name: key) != nil { return "write \(key)" }
        }
        return "write s, S, Space, F5, C-r, M-x, S-Tab, Enter, PgUp"
    }

    private static let sameOnTerminals: [KeyPress: String] = [
        .control("i"): "Tab", .control("m"): "Enter", .control("j"): "Enter", .control("h"): "Backspace", .control("["): "Esc",
    ]
}

/// What is wrong with a keymap file; the rest of it holds.
package struct KeymapProblem: Hashable, Sendable, CustomStringConvertible {
    var path: String
    /// From 1.
    var line: Int?
    var message: String

    /// `keys.yaml:7: C-r is redo already, in line 5, which keeps it`
    package var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(message)" }
}

extension KeyPress {
    /// A terminal tells no capital letter with control from a small one.
    fileprivate var lowercased: KeyPress {
        guard modifiers.contains(.control), case .character(let character) = key, let lower = character.lowercased().first else {
            return self
        }
        return KeyPress(.character(lower), modifiers)
    }
}

/// A keymap in full, as a file that says the same; and the page of the manual.
package enum KeymapText {
    /// A keymap file with every command: what is in it can be changed line by line.
    ///
    /// - Parameter heading: lines of comment above it.
    package static func file(_ keymap: Keymap, set: KeySet, heading: [String] = []) -> String {
        var lines = heading.map { "# \($0)" }
        lines += [
            "set: \(set.rawValue)", "", "keys:",
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

    private static func help(_ command: Command) -> String { command.help.replacing(scalars: "|", with: "\\|") }

    /// The panes where its keys work; empty: all.
    private static func places(_ command: Command) -> String {
        command.panes.count == Pane.allCases.count
            ? "" : command.panes.sorted().map { $0.title.lowercased() }.joined(separator: ", ")
    }

    /// `docs/keys.md`.
    static var page: String {
        var lines = [
            "# The keys of the explorer",
            "",
            "This page is made from the table of commands; `turnstone keys` prints the same as a keymap file. "
                + "In the explorer `?` shows the keys of",
            "the pane you are in, and `:` finds a command by its name, by its words or by its key, and shows its key. `C-c` only says which keys",
            "cancel and quit, so that nothing is lost by habit.",
            "",
        ]
        for group in Command.groups {
            lines += ["## \(group.title)", "", "| key | command | what it does | where |", "|---|---|---|---|"]
            for command in group.commands where !command.keys.isEmpty {
                let keys = command.keys.map { "`\($0.name.replacing(scalars: "|", with: "\\|"))`" }.joined(separator: " ")
                lines.append("| \(keys) | `\(command.id.rawValue)` | \(help(command)) | \(places(command)) |")
            }
            lines.append("")
        }
        let others = Command.all.filter(\.keys.isEmpty).map { "`\($0.id.rawValue)`" }.joined(separator: ", ")
        lines += ["`:` finds those without a key, and says what they do: \(others).", ""]
        lines += [
            "## Keys of your own",
            "",
            "A keymap file names commands and gives them keys. It is `$XDG_CONFIG_HOME/turnstone/keys.yaml`, which is",
            "`~/.config/turnstone/keys.yaml` unless you set that variable:",
            "",
            "```yml",
            "set: vim                 # default, vim or emacs: what holds where this file says nothing",
            "keys:",
            "  send: [s, F5]",
            "  cancel: C-x            # one key needs no list",
            "  zoom: []               # no key: it is still found with :",
            "  move-down: J           # and a key for a command that has none",
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
            let changes = set.overrides.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, keys in
                "`\(id.rawValue)` \(keys.map { "`\($0.name)`" }.joined(separator: " "))"
            }
            lines += ["### The set \(set.rawValue)", "", "\(set.help) What differs: \(changes.joined(separator: "; ")).", ""]
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }
}
