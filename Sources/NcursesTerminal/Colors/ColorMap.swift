import TerminalUI

/// A theme's colours as numbers of the terminal's palette.
struct ColorMap {
    let depth: ColorDepth
    /// Below this contrast, letters can't be told from their background.
    private static let leastContrast = 3.0

    /// The numbers of a pair; -1: the terminal's own. Letters never get the colour of their ground: where few colours make
    /// them fall together, they become black or white.
    func pair(_ foreground: Color?, on background: Color?) -> (foreground: Int, background: Int) {
        let ground = background.flatMap(index) ?? -1
        var letters = foreground.flatMap(index) ?? -1
        if depth == .eight, letters == 8 { letters = 7 }
        if depth == .eight { letters = letters < 0 ? -1 : letters % 8 }
        let below = depth == .eight && ground >= 0 ? ground % 8 : ground
        guard depth == .eight || depth == .sixteen, letters >= 0, below >= 0 else { return (letters, below) }
        func contrast(_ letters: Int) -> Double { BasicColor.usual[letters].contrast(with: BasicColor.usual[below]) }
        if contrast(letters) < ColorMap.leastContrast {
            let white = depth == .eight ? 7 : 15
            letters = contrast(0) > contrast(white) ? 0 : white
        }
        return (letters, below)
    }

    /// - Returns: `nil`: the terminal's own. With eight colours, 8 to 15 stand for what a bright one would be.
    func index(_ color: Color) -> Int? {
        switch depth {
        case .none: nil
        case .eight, .sixteen: BasicColor.nearest(to: color)
        case .palette: ColorMap.nearestFixed(to: color)
        // Below 8 a number is one of the terminal's own colours.
        case .direct: max(8, Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue))
        }
    }

    /// 16 to 255 are the same on every terminal: a cube of six levels, and 24 greys.
    private static func nearestFixed(to color: Color) -> Int {
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        let (red, green, blue) = (level(color.red), level(color.green), level(color.blue))
        let cube = Color(red: levels[red], green: levels[green], blue: levels[blue])
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let step = min(max(0, (mean - 3) / 10), 23)
        let value = UInt8(8 + 10 * step)
        let grey = Color(red: value, green: value, blue: value)
        return distance(grey, color) < distance(cube, color) ? 232 + step : 16 + 36 * red + 6 * green + blue
    }

    private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// With the weights of how bright the eye finds each.
    private static func distance(_ one: Color, _ other: Color) -> Int {
        func square(_ one: UInt8, _ other: UInt8) -> Int { (Int(one) - Int(other)) * (Int(one) - Int(other)) }
        return 3 * square(one.red, other.red) + 6 * square(one.green, other.green) + 1 * square(one.blue, other.blue) * 2
    }
}
