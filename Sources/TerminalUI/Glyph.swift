/// What one cell (or two) shows: one scalar that takes space, with the marks that belong on it.
///
/// A character of Unicode may need several: `👨‍👩‍👧` is three glyphs, each in cells of its own, because some terminals draw one
/// picture there and others three. Variation selectors and skin tones are dropped for the same reason. What would not be
/// seen, or would be obeyed by the terminal, becomes a visible sign: `␛` for ESC, `‹U+202E›` for what turns the direction of text.
package struct Glyph: Hashable, Sendable {
    package var character: Character
    /// 1 or 2.
    package var width: Int
    /// It stands for something that can't be shown; drawn in the role `controlCharacter`.
    package var isSubstitute: Bool

    package init(_ character: Character, width: Int = 1, isSubstitute: Bool = false) {
        self.character = character
        self.width = width
        self.isSubstitute = isSubstitute
    }

    /// The glyphs of a character. A tab is one glyph here (`␉`); whoever lays out lines expands it first.
    package static func forEach(in character: Character, _ body: (Glyph) -> Void) {
        if let ascii = character.asciiValue, character != "\r\n" {
            body(ofASCII[Int(ascii)])
            return
        }
        var pending: Glyph?
        var marks = 0
        var follows = false
        for scalar in character.unicodeScalars {
            if let pieces = substitute(for: scalar, after: follows) {
                if let glyph = pending { body(glyph) }
                pending = nil
                for piece in pieces { body(Glyph(piece, isSubstitute: true)) }
            } else if isIgnored(scalar, after: follows) {
                continue
            } else {
                let width = DisplayWidth.of(scalar)
                if width == 0, pending != nil {
                    // A cell of ncurses holds five scalars.
                    if marks < 4 { pending?.append(scalar) }
                    marks += 1
                } else {
                    if let glyph = pending { body(glyph) }
                    // A mark with nothing to stand on gets a dotted circle, as in the code charts.
                    pending = width == 0 ? Glyph("\u{25CC}") : Glyph(Character(scalar), width: width)
                    if width == 0 { pending?.append(scalar) }
                    marks = 0
                }
            }
            follows = true
        }
        if let glyph = pending { body(glyph) }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        var text = String(character)
        text.unicodeScalars.append(scalar)
        // Joined marks stay one grapheme; if they should not, the mark is left out rather than the cell.
        if text.count == 1 { character = text.first! }
    }

    /// Inside of a character: joiners, variation selectors, skin tones, tags of flags.
    private static func isIgnored(_ scalar: Unicode.Scalar, after follows: Bool) -> Bool {
        guard follows else { return false }
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F, 0xE0100...0xE01EF: return true
        default: return false
        }
    }

    /// The sign for what can't be shown, or `nil`.
    private static func substitute(for scalar: Unicode.Scalar, after follows: Bool) -> String? {
        switch scalar.value {
        case 0...0x1F: String(Character(Unicode.Scalar(0x2400 + scalar.value)!))
        case 0x7F: "\u{2421}"
        case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB,
            0xE0001:
            "‹U+\(hexadecimal(scalar))›"
        case 0x200C, 0x200D, 0xE0020...0xE007F: follows ? nil : "‹U+\(hexadecimal(scalar))›"
        default: nil
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static let ofASCII: [Glyph] = (0..<128).map { value in
        let scalar = Unicode.Scalar(UInt8(value))
        if let sign = substitute(for: scalar, after: false) { return Glyph(sign.first!, isSubstitute: true) }
        return Glyph(Character(scalar))
    }
}

/// What a terminal gets that can't show Unicode: one ASCII character per column, so that no layout moves.
package enum ASCIIFallback {
    package static func character(for character: Character) -> Character {
        if character.isASCII { return character }
        return signs[character] ?? "?"
    }

    private static let signs: [Character: Character] = {
        var signs: [Character: Character] = [:]
        func map(_ characters: String, to ascii: Character) {
            for character in characters { signs[character] = ascii }
        }
        map("─━┄┈╌═╴╶╸╺–—", to: "-")
        map("│┆┊╎║╵╷", to: "|")
        map("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬╞╡╪", to: "+")
        // A heavy line is a scrollbar's thumb on a border.
        map("█▓▉▊▋▌■▮◼┃", to: "#")
        map("▍▎▏░▒▕▁▂▃▄▅▆▇▐", to: ":")
        map("…‥·•∙⋯", to: ".")
        map("●◉◆★⬤", to: "*")
        map("○◌◇☆◦", to: "o")
        map("✓✔☑", to: "v")
        map("✗✘✕×☒", to: "x")
        map("▶▸►→›»❯⇒↦⟶", to: ">")
        map("◀◂◄←‹«❮⇐⟵", to: "<")
        map("▲▴△↑⇡⬆", to: "^")
        map("▼▾▽↓⇣⬇⤵", to: "v")
        map("↵⏎↩", to: "<")
        map("⚠", to: "!")
        map("“”„", to: "\"")
        map("‘’′", to: "'")
        map("µ", to: "u")
        map("↻⟳↺⟲", to: "@")
        map("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", to: "*")
        for code in UInt32(0)...0x1F { signs[Character(Unicode.Scalar(0x2400 + code)!)] = Character(Unicode.Scalar(0x40 + code)!) }
        signs["\u{2421}"] = "?"
        return signs
    }()
}
