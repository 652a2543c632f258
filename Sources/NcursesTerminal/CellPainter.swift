import CNcurses
import TerminalUI

/// Cells as ncurses wants them: attributes, a pair of colours, and characters that this terminal can show.
@MainActor
struct CellPainter {
    private let colors: ColorMap
    private let isUnicode: Bool
    /// Pairs are numbers that ncurses gives meaning to; made when first needed.
    private var pairs: [Pair: Int32] = [:]
    private let pairLimit: Int
    private var styles: [Style: (attributes: attr_t, pair: Int32)] = [:]

    private struct Pair: Hashable {
        var foreground: Int
        var background: Int
    }

    init(depth: ColorDepth, isUnicode: Bool) {
        self.colors = ColorMap(depth: depth)
        self.isUnicode = isUnicode
        self.pairLimit = depth == .none ? 0 : Int(turnstone_ncurses_color_pairs())
    }

    /// - Parameter room: columns up to the edge.
    mutating func cells(_ cells: [Cell], room: Int) -> [cchar_t] {
        var painted: [cchar_t] = []
        painted.reserveCapacity(cells.count)
        var left = room
        for cell in cells {
            let width = max(1, Int(cell.width))
            guard left >= width else { break }
            left -= width
            painted.append(contentsOf: paint(cell))
        }
        return painted
    }

    private mutating func paint(_ cell: Cell) -> [cchar_t] {
        let look = look(cell.style)
        if let byte = cell.character.asciiValue, byte >= 0x20, byte < 0x7F {
            return [made([wchar_t(byte), 0], look.attributes, look.pair)]
        }
        if !isUnicode {
            if let line = CellPainter.lines[cell.character] {
                return [made([wchar_t(line), 0], look.attributes | turnstone_ncurses_line_drawing, look.pair)]
            }
            let byte = ASCIIFallback.character(for: cell.character).asciiValue ?? UInt8(ascii: "?")
            let sign = made([wchar_t(byte), 0], look.attributes, look.pair)
            let blank = made([wchar_t(UInt8(ascii: " ")), 0], look.attributes, look.pair)
            return cell.width == 2 ? [sign, blank] : [sign]
        }
        let scalars = cell.character.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        if let first = scalars.first, Int(turnstone_ncurses_width(first)) == Int(cell.width) {
            return [made(scalars.prefix(5) + [0], look.attributes, look.pair)]
        }
        // The system's C library is older than this character, and ncurses would take it apart.
        return (0..<max(1, cell.width)).map { index in
            made([index == 0 ? 0xFFFD : wchar_t(UInt8(ascii: " ")), 0], look.attributes, look.pair)
        }
    }

    private func made(_ text: [wchar_t], _ attributes: attr_t, _ pair: Int32) -> cchar_t {
        var cell = cchar_t()
        turnstone_ncurses_set_cell(&cell, text, attributes, pair)
        return cell
    }

    private mutating func look(_ style: Style) -> (attributes: attr_t, pair: Int32) {
        if let known = styles[style] { return known }
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= turnstone_ncurses_bold }
        // ncurses knows no strikethrough; what is struck out steps back.
        if !style.attributes.isDisjoint(with: [.dim, .strikethrough]) { attributes |= turnstone_ncurses_dim }
        if style.attributes.contains(.italic) { attributes |= turnstone_ncurses_italic }
        if style.attributes.contains(.underline) { attributes |= turnstone_ncurses_underline }
        if style.attributes.contains(.reverse) { attributes |= turnstone_ncurses_reverse }
        let look = (attributes, pair(style.foreground, style.background))
        styles[style] = look
        return look
    }

    private mutating func pair(_ foreground: Color?, _ background: Color?) -> Int32 {
        let numbers = colors.pair(foreground, on: background)
        let wanted = Pair(foreground: numbers.foreground, background: numbers.background)
        if wanted == Pair(foreground: -1, background: -1) { return 0 }
        if let pair = pairs[wanted] { return pair }
        let next = pairs.count + 1
        guard next < pairLimit else {
            // None left (64 on a terminal of eight colours): rather the right letters than the right ground.
            return pairs[Pair(foreground: wanted.foreground, background: -1)] ?? 0
        }
        init_extended_pair(Int32(next), Int32(wanted.foreground), Int32(wanted.background))
        pairs[wanted] = Int32(next)
        return Int32(next)
    }

    /// Lines by their names in the VT100's line drawing set, which most terminals have in any encoding.
    private static let lines: [Character: UInt8] = {
        let names: [(Character, Character)] = [
            ("─", "q"), ("│", "x"), ("┌", "l"), ("┐", "k"), ("└", "m"), ("┘", "j"), ("├", "t"), ("┤", "u"), ("┬", "w"), ("┴", "v"),
            ("┼", "n"), ("╶", "q"), ("╴", "q"), ("╵", "x"), ("╷", "x"),
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, $1.asciiValue ?? 0) })
    }()
}

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
        case .palette: FixedColors.number(of: color)
        // Below 8 a number is one of the terminal's own colours.
        case .direct: max(8, Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue))
        }
    }
}
