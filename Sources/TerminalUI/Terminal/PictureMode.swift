/// How pictures are shown.
package enum PictureMode: String, Sendable, Hashable, CaseIterable {
    /// Whatever the terminal supports, by what it says about itself.
    case auto
    /// Two points a cell, in its colours.
    case blocks
    /// By kitty's graphics protocol.
    case kitty

    /// Whether the terminal is told by kitty's protocol.
    ///
    /// Only those are taken for able that keep quiet when they are told to: the answers of others would be read as keys. tmux and screen
    /// pass nothing on.
    package func usesKitty(_ environment: [String: String]) -> Bool {
        switch self {
        case .blocks: return false
        case .kitty: return true
        case .auto:
            let term = environment["TERM"] ?? ""
            guard environment["TMUX"] == nil, environment["STY"] == nil, environment["NO_COLOR", default: ""].isEmpty else {
                return false
            }
            return term == "xterm-kitty" || term == "xterm-ghostty"
        }
    }
}
