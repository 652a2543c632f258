import TerminalUI

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
                .top: keys("M-<", "Home", "g"), .bottom: keys("M->", "End", "G"), .search: keys("C-s", "/"),
                .back: keys("C-g", "Esc"), .palette: keys("M-x", ":"), .undo: keys("C-_", "u"), .redo: keys("M-_", "C-r"),
                .copy: keys("M-w", "y"), .newCollection: keys("M-n"), .deleteRow: keys("C-d", "d"),
                .deleteEntry: keys("C-d", "d"),
            ]
        }
    }

    private func keys(_ names: String...) -> [KeyPress] { names.compactMap { KeyPress(name: $0) } }
}
