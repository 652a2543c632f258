import TerminalUI
import Testing

@Suite struct ASCIIFallbackTests {
    @Test func `lines, bars and signs have a stand-in of one column`() {
        #expect(String("┌─┐│█▌▏ ✓✗▸…␛é漢".map(ASCIIFallback.character)) == "+-+|##: vx>.[??")
    }
}

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("漢字", 4), ("é", 1), ("e\u{301}", 1), ("한", 2), ("😀", 2), ("ﾊ", 1), ("Ａ", 2), ("क्षि", 3),
        ("👨‍👩‍👧", 6), ("👍🏽", 2), ("❤️", 1), ("🇩🇪", 2), ("1️⃣", 1), ("\u{1B}", 1), ("\u{202E}", 8),
    ])
    func `text takes the columns that terminals agree on`(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func `a tab reaches to the next stop`() {
        #expect(DisplayWidth.of("\t") == 4)
        #expect(DisplayWidth.of("ab\tc") == 5)
        #expect(DisplayWidth.of("\t", from: 3) == 1)
    }

    @Test func `what fits is found without reading on`() {
        #expect(DisplayWidth.fits("漢字", in: 4))
        #expect(!DisplayWidth.fits("漢字", in: 3))
        #expect(DisplayWidth.fits("", in: 0))
    }
}

@Suite struct `A line that is wrapped` {
    private func rows(_ text: String, _ columns: Int, indent: Int = 0) -> [String] {
        StyledLine(text).wrapped(columns: columns, indent: indent).map(\.text)
    }

    @Test func `is broken between words, and the blank there is gone`() {
        #expect(rows("one two three", 7) == ["one two", "three"])
        #expect(rows("one two three", 13) == ["one two three"])
        #expect(rows("one  two", 4) == ["one", "two"])
    }

    @Test func `goes on behind its indent`() {
        #expect(
            rows("name  a value that is long", 12, indent: 6) == ["name  a", "      value", "      that", "      is", "      long"])
    }

    @Test func `breaks a word only when a row can't hold it`() {
        #expect(rows("see https://example.org/a", 10) == ["see https:", "//example.", "org/a"])
        #expect(rows("ab cdefgh", 6) == ["ab", "cdefgh"])
    }

    @Test func `keeps the role of every part, also inside of a word`() {
        let line = StyledLine([.init("GET ", .methodGet), .init("http://", .url), .init("host", .urlHost), .init("/p", .url)])
        #expect(
            line.wrapped(columns: 13) == [
                StyledLine("GET", .methodGet),
                StyledLine([.init("http://", .url), .init("host", .urlHost), .init("/p", .url)]),
            ])
    }

    @Test func `counts columns and not characters`() {
        #expect(rows("鳥鳥鳥鳥", 5) == ["鳥鳥", "鳥鳥"])
        #expect(rows("", 5) == [""])
        #expect(rows("abc", 0) == ["a", "b", "c"])
    }
}

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

@Suite struct ThemeDepthTests {
    private let colored = Theme(
        name: "test",
        styles: [
            .selection: Style(background: Color(red: 40, green: 40, blue: 60)),
            .error: Style(foreground: Color(red: 255, green: 0, blue: 0)), .url: Style(attributes: .italic),
        ])

    @Test func `with 256 colours it takes those that are the same everywhere, as far as they can be read`() {
        func color(_ value: Int) -> Color {
            Color(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }
        var theme = colored
        theme.styles[.text] = Style(foreground: color(0xD3D8E0), background: color(0x14171C))
        // Too dark to be read, by itself and as its nearest one.
        theme.styles[.warning] = Style(foreground: color(0x703010))
        let fixed = theme.adapted(to: .palette)
        #expect(fixed[.text].background == color(0x121212))
        #expect(fixed[.error].foreground.map { $0.contrast(with: fixed[.selection].background ?? $0) >= 4.5 } == true)
        #expect(fixed[.url] == Style(attributes: .italic))
        let warning = fixed[.warning].foreground
        #expect(warning.map { $0.contrast(with: color(0x121212)) >= 4.5 } == true)
        #expect(warning != color(0x5F2F00))
    }

    @Test func `with eight, blue letters on black are cyan, and red ones have a red ground`() {
        func color(_ value: Int) -> Color {
            Color(red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }
        let theme = Theme(
            name: "blue",
            styles: [
                .text: Style(foreground: color(0xD3D8E0), background: color(0x14171C)),
                .key: Style(foreground: color(0x7DB7FF), attributes: .bold), .error: Style(foreground: color(0xFF8F87)),
                .syntaxNumber: Style(foreground: color(0xF0A06A)), .gaugeLow: Style(foreground: color(0xFF8F87)),
            ])
        let few = theme.adapted(to: .eight)
        #expect(few[.key] == Style(foreground: color(0x008080), attributes: .bold))
        #expect(few[.error] == Style(foreground: color(0xC0C0C0), background: color(0x800000)))
        #expect(few[.gaugeLow].background == nil)
        #expect(few[.syntaxNumber] == Style(foreground: color(0x808000)))
        #expect(theme.adapted(to: .sixteen)[.key].foreground == color(0x00FFFF))
    }

    @Test(arguments: [ColorDepth.eight, .sixteen]) func `with few, what only a shade has set off is underlined`(depth: ColorDepth) {
        func grey(_ value: UInt8) -> Color { Color(red: value, green: value, blue: value) }
        let theme = Theme(
            name: "dark",
            styles: [
                .text: Style(foreground: grey(0xD3), background: grey(0x14)), .selectionUnfocused: Style(background: grey(0x27)),
                .input: Style(background: grey(0x27)),
            ])
        let few = theme.adapted(to: depth)
        #expect(few[.selectionUnfocused].background == few[.text].background)
        #expect(few[.selectionUnfocused].attributes == .underline && few[.input].attributes == .underline)
    }

    @Test func `without colours attributes tell apart what only colours did`() {
        let plain = colored.adapted(to: .none)
        #expect(plain[.selection] == Style(attributes: .reverse))
        #expect(plain[.error] == Style(attributes: .bold))
        #expect(plain[.url] == Style(attributes: .italic))
        #expect(plain[.text] == .plain)
        #expect(ThemeRole.allCases.allSatisfy { plain[$0].foreground == nil && plain[$0].background == nil })
    }
}
