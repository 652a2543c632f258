import TerminalUI
import Testing

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
