import Base

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

/// The 240 colours behind the first 16 of a terminal with 256: they are the same everywhere, and nobody changes them.
package enum FixedColors {
    /// A cube of six levels, and 24 greys.
    static let all: [Color] = {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        var colors: [Color] = []
        for red in levels {
            for green in levels { for blue in levels { colors.append(Color(red: red, green: green, blue: blue)) } }
        }
        for step in 0..<24 {
            let value = UInt8(8 + 10 * step)
            colors.append(Color(red: value, green: value, blue: value))
        }
        return colors
    }()

    /// The terminal's number for the one that looks most like it.
    package static func number(of color: Color) -> Int {
        let wanted = CIELAB(color)
        return 16 + (all.indices.min { labs[$0].distance(to: wanted) < labs[$1].distance(to: wanted) } ?? 0)
    }

    private static let labs = all.map(CIELAB.init)
    private static let luminances = all.map(\.luminance)

    /// The one that looks most like it among those that satisfy a condition.
    static func nearest(to color: Color, where isFit: (Color) -> Bool = { _ in true }) -> Color? {
        let wanted = CIELAB(color)
        var best: (index: Int, distance: Double)?
        for index in all.indices {
            let distance = labs[index].distance(to: wanted)
            if distance < best?.distance ?? .infinity, isFit(all[index]) { best = (index, distance) }
        }
        return best.map { all[$0.index] }
    }

    /// The one that looks most like it and can be read on all of these grounds; else the one that can be read best.
    static func letters(like color: Color, on grounds: [Color], contrast: Double) -> Color {
        let behind = grounds.map(\.luminance)
        func least(_ index: Int) -> Double {
            behind.reduce(.infinity) { min($0, (max(luminances[index], $1) + 0.05) / (min(luminances[index], $1) + 0.05)) }
        }
        let wanted = CIELAB(color)
        let fit = all.indices.filter { least($0) >= contrast }
        if let index = fit.min(by: { labs[$0].distance(to: wanted) < labs[$1].distance(to: wanted) }) { return all[index] }
        return all.indices.max { least($0) < least($1) }.map { all[$0] } ?? color
    }
}

/// A colour by how the eye sees it (CIE 1976 L*a*b*, D65).
private struct CIELAB {
    var lightness: Double
    var a: Double
    var b: Double

    init(_ color: Color) {
        let (red, green, blue) = (color.linear.red, color.linear.green, color.linear.blue)
        func curve(_ value: Double) -> Double { value > 216.0 / 24_389 ? cbrt(value) : (24_389.0 / 27 * value + 16) / 116 }
        let x = curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
        let y = curve(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
        let z = curve((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
        (lightness, a, b) = (116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    func distance(to other: Self) -> Double {
        let (l, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
        return l * l + a * a + b * b
    }
}

extension Theme {
    /// The theme in the colours that all terminals with 256 have, changed as far as it takes to be read.
    func withFixedColors() -> Theme {
        var adapted = self
        let base = self[.text].background.flatMap { FixedColors.nearest(to: $0) }
        var grounds: [Color: Color] = [:]
        for role in ThemeRole.allCases {
            guard let ground = styles[role]?.background, grounds[ground] == nil else { continue }
            // What is set off from the ground stays so.
            let isBase = ground == self[.text].background
            grounds[ground] = FixedColors.nearest(to: ground) { isBase || $0 != base }
        }
        let common = [ThemeRole.text, .overlay, .selection, .selectionUnfocused].compactMap { self[$0].background }
        var known: [Question: Color] = [:]
        for role in ThemeRole.allCases {
            guard let style = styles[role] else { continue }
            adapted.styles[role]?.background = style.background.flatMap { grounds[$0] }
            guard let color = style.foreground else { continue }
            let isOverlaid = style.background == nil || style.background == self[.text].background
            let under = role.isDrawn ? [.text, .overlay].compactMap { self[$0].background } : common
            let behind = isOverlaid ? under : [style.background].compactMap(\.self)
            // What was easy to read stays so.
            let own = behind.map { color.contrast(with: $0) }.min() ?? 0
            let needed = role.isDrawn ? 3 : own >= 7 ? 7 : 4.5
            let question = Question(color: color, grounds: behind.compactMap { grounds[$0] }, contrast: needed)
            let letters = known[question] ?? FixedColors.letters(like: color, on: question.grounds, contrast: needed)
            known[question] = letters
            adapted.styles[role]?.foreground = letters
        }
        return adapted
    }

    private struct Question: Hashable {
        var color: Color
        var grounds: [Color]
        var contrast: Double
    }
}
