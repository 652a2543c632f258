extension Theme {
    /// The theme on a terminal with these colours. Without any, a ground of its own becomes reverse video, and what only a
    /// colour told apart becomes bold or underlined.
    package func adapted(to depth: ColorDepth) -> Theme {
        guard depth == .none else { return self }
        var plain = Theme(name: name)
        for role in ThemeRole.allCases { plain.styles[role] = withoutColors(role) }
        return plain
    }

    private func withoutColors(_ role: ThemeRole) -> Style {
        var attributes = self[role].attributes
        switch role {
        case .selection, .tabSelected, .searchMatchCurrent, .statusLine: attributes.insert(.reverse)
        case .selectionUnfocused, .searchMatch, .input: attributes.insert(.underline)
        case .borderFocused, .titleFocused, .strong, .error, .status4xx, .status5xx, .statusError, .stateFailed, .unsaved, .key:
            attributes.insert(.bold)
        case .dim, .stale, .disabled, .placeholder, .border, .gaugeTrack, .lineNumber: attributes.insert(.dim)
        case .controlCharacter: attributes.formUnion([.bold, .underline])
        default: break
        }
        return Style(attributes: attributes)
    }
}
