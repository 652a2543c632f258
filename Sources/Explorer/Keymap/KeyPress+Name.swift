import TerminalUI

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
