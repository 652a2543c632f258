extension Overlay {
    /// The keys of what lies over the panes, where it has no row for them itself: those of the panes below don't act.
    var hints: [ExplorerState.Hint] {
        switch self {
        case .help: [.init(key: "↑ ↓", word: "scroll"), .init(key: "Esc", word: "back")]
        case .comparison: [.init(key: "↑ ↓", word: "scroll"), .init(key: "{ }", word: "align"), .init(key: "Esc", word: "back")]
        case .jump: [.init(key: "letters", word: "go there"), .init(key: "Esc", word: "back")]
        case .chooser: [.init(key: "↑ ↓", word: "choose"), .init(key: "Enter", word: "take it"), .init(key: "Esc", word: "back")]
        case .dialog(let dialog):
            [.init(key: "Enter", word: Self.small(dialog.buttons[dialog.selected].title)), .init(key: "Esc", word: "back")]
        case .omnibox, .why, .question, .entry, .variables, .lab, .whatIf, .trend, .hosts: []
        }
    }

    /// As the other hints are written; the name of an environment variable stays as it is.
    private static func small(_ title: String) -> String {
        title.split(separator: " ").map { $0.hasPrefix("$") ? String($0) : $0.lowercased() }.joined(separator: " ")
    }
}
