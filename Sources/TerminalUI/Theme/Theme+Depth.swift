extension Theme {
    /// The theme on a terminal with these colours. With few, each role gets one that can be read on the ground; without any, a
    /// ground of its own becomes reverse video, and what only a colour told apart becomes bold or underlined.
    package func adapted(to depth: ColorDepth) -> Theme {
        var adapted = Theme(name: name)
        switch depth {
        case .direct: return self
        case .palette: return withFixedColors()
        case .none: for role in ThemeRole.allCases { adapted.styles[role] = withoutColors(role) }
        case .eight, .sixteen:
            for role in ThemeRole.allCases where styles[role] != nil { adapted.styles[role] = withFewColors(role, of: depth) }
        }
        return adapted
    }

    // MARK: Few colours

    private func withFewColors(_ role: ThemeRole, of depth: ColorDepth) -> Style {
        var style = self[role]
        let base = self[.text].background.map(BasicColor.nearest) ?? 0
        let isLight = base % 8 == 7
        let few = FewColors(isLight: isLight, hasBright: depth == .sixteen)
        let own = style.background.map { few.ground($0) }
        if let own, own != few.base {
            style.background = BasicColor.color(own)
            style.foreground = BasicColor.color(few.letters(on: own))
        } else if own != nil, role == .selection {
            style.background = BasicColor.color(few.selection)
            style.foreground = BasicColor.color(few.letters(on: few.selection))
        } else {
            if own != nil {
                style.background = BasicColor.color(few.base)
                // What only a shade has set off would be gone with it.
                if [.selectionUnfocused, .searchMatch, .input].contains(role) { style.attributes.insert(.underline) }
            }
            guard let foreground = style.foreground else { return style }
            let hue = BasicColor.nearest(to: foreground)
            style.foreground = BasicColor.color(few.letters(hue))
            // Red can't be read on black where it can't be bright: for failures it becomes the ground, and orange is yellow.
            if hue % 8 == 1, few.hidesRed, !role.isDrawn {
                style.foreground = BasicColor.color(role.isFailure ? 7 : 3)
                if role.isFailure { style.background = BasicColor.color(1) }
            }
        }
        return style
    }

    // MARK: No colours

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

/// Which of a few colours stands for each hue.
private struct FewColors {
    let isLight: Bool
    let hasBright: Bool

    /// The theme's own ground.
    var base: Int { isLight ? (hasBright ? 15 : 7) : 0 }
    var selection: Int { isLight ? 4 : 6 }
    var hidesRed: Bool { !isLight && !hasBright }

    /// - Parameter hue: of 0 to 15.
    func letters(_ hue: Int) -> Int {
        if isLight { return [0, 1, 0, 1, 4, 4, 4, 0][hue % 8] }
        // Blue and magenta are too dark on black, and so is grey on some terminals.
        if hue == 8 { return 7 }
        return hasBright ? [7, 9, 10, 11, 14, 13, 14, hue == 15 ? 15 : 7][hue % 8] : [7, 1, 2, 3, 6, 7, 6, 7][hue % 8]
    }

    func ground(_ color: Color) -> Int {
        let index = BasicColor.nearest(to: color)
        // A grey is the theme's own ground, a shade lighter or darker; the other end of the greys is the cursor.
        if index == 8 || index % 8 == base % 8 { return base }
        if index % 8 == 0 || index % 8 == 7 { return isLight ? 0 : 7 }
        return index == 4 || index == 12 ? selection : index % 8
    }

    /// Black or white, whichever is read better.
    func letters(on ground: Int) -> Int {
        let color = BasicColor.usual[ground]
        let white = hasBright ? 15 : 7
        return color.contrast(with: BasicColor.usual[0]) > color.contrast(with: BasicColor.usual[white]) ? 0 : white
    }
}

extension ThemeRole {
    fileprivate var isFailure: Bool {
        switch self {
        case .error, .statusError, .status5xx, .stateFailed, .templateUnresolved: true
        default: false
        }
    }

    /// Lines and bars, which are no text.
    package var isDrawn: Bool {
        switch self {
        case .border, .borderFocused, .overlayBorder, .scrollbar, .gauge, .gaugeLow, .gaugeTrack, .progress, .phaseQueue, .phaseDns,
            .phaseConnect, .phaseTls, .phaseSend, .phaseWait, .phaseReceive:
            true
        default: false
        }
    }
}
