import TerminalUI
import Testing

@Suite struct GlyphTests {
    private func glyphs(_ character: Character) -> [Glyph] {
        var glyphs: [Glyph] = []
        Glyph.forEach(in: character) { glyphs.append($0) }
        return glyphs
    }

    @Test(
        arguments: [
            ("\u{1B}", "␛"), ("\u{0}", "␀"), ("\n", "␊"), ("\u{7F}", "␡"), ("\r\n", "␍␊"), ("\u{9B}", "‹U+009B›"),
            ("\u{202E}", "‹U+202E›"), ("\u{200B}", "‹U+200B›"), ("\u{FEFF}", "‹U+FEFF›"), ("\u{2028}", "‹U+2028›"),
        ] as [(Character, String)])
    func `what a terminal would obey or hide is shown as a sign`(character: Character, sign: String) {
        #expect(glyphs(character) == sign.map { Glyph($0, isSubstitute: true) })
    }

    @Test func `no control character of Unicode gets through`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            guard category == .control || category == .lineSeparator || category == .paragraphSeparator else { continue }
            for glyph in glyphs(Character(scalar)) {
                #expect(glyph.isSubstitute && !glyph.character.unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func `a family is its people, a skin tone is left out, a mark stays on its letter`() {
        #expect(glyphs("👨‍👩‍👧") == [Glyph("👨", width: 2), Glyph("👩", width: 2), Glyph("👧", width: 2)])
        #expect(glyphs("👍🏽") == [Glyph("👍", width: 2)])
        #expect(glyphs("e\u{301}") == [Glyph("e\u{301}")])
        #expect(glyphs("\u{301}") == [Glyph("\u{25CC}\u{301}")])
    }

    @Test func `a cell never holds more scalars than ncurses has room for`() {
        let zalgo = Character("a" + String(repeating: "\u{301}", count: 40))
        #expect(glyphs(zalgo).map(\.character.unicodeScalars.count) == [5])
    }
}
