/// How many columns text takes on a terminal.
///
/// The rule is the one that all terminals and ncurses share: a sum over scalars of 0, 1 or 2. Where terminals disagree
/// (emoji joined by ZWJ, skin tones, variation selectors), `Glyph` takes the text apart so that they don't have to agree.
package enum DisplayWidth {
    /// Tab stops are this many columns apart, counted from where the text begins.
    package static let tabStop = 4

    /// 0, 1 or 2; control characters count as 1.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if contains(value, in: zero) { return 0 }
        if value < 0x1100 { return 1 }
        return contains(value, in: wide) ? 2 : 1
    }

    /// What `Canvas` fills with this character (a tab: up to the next stop from `column`).
    package static func of(_ character: Character, at column: Int = 0) -> Int {
        if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F { return 1 }
        if character == "\t" { return tabStop - column % tabStop }
        var width = 0
        Glyph.forEach(in: character) { width += $0.width }
        return width
    }

    package static func of(_ text: some StringProtocol, from column: Int = 0) -> Int {
        var end = column
        for character in text { end += of(character, at: end) }
        return end - column
    }

    private static func contains(_ value: UInt32, in ranges: [UInt32]) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if value < ranges[middle * 2] {
                high = middle
            } else if value > ranges[middle * 2 + 1] {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }
}
