import Base

/// The 240 colours behind the first 16 of a terminal with 256: they are the same everywhere, and nobody changes them.
enum FixedColors {
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
