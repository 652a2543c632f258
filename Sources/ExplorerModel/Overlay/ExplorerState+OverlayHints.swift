extension ExplorerState {
    /// The keys of what lies over the panes, where it has no row for them itself: those of the panes below don't act.
    var overlayHints: [Hint]? {
        switch overlay {
        case nil: nil
        case .help: [Hint(key: "↑ ↓", word: "scroll"), Hint(key: "Esc", word: "back")]
        case .comparison: [Hint(key: "↑ ↓", word: "scroll"), Hint(key: "{ }", word: "align"), Hint(key: "Esc", word: "back")]
        case .jump: [Hint(key: "letters", word: "go there"), Hint(key: "Esc", word: "back")]
        case .chooser: [Hint(key: "↑ ↓", word: "choose"), Hint(key: "Enter", word: "take it"), Hint(key: "Esc", word: "back")]
        case .dialog(let dialog):
            [Hint(key: "Enter", word: Self.small(dialog.buttons[dialog.selected].title)), Hint(key: "Esc", word: "back")]
        case .omnibox, .why, .question, .entry, .variables, .lab, .whatIf, .trend, .hosts: []
        }
    }

    /// As the other hints are written; the name of an environment variable stays as it is.
    private static func small(_ title: String) -> String {
        title.split(separator: " ").map { $0.hasPrefix("$") ? String($0) : $0.lowercased() }.joined(separator: " ")
    }
}
