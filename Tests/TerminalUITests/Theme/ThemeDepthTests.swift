import TerminalUI
import Testing

@Suite struct ThemeDepthTests {
    private let colored = Theme(
        name: "test",
        styles: [
            .selection: Style(background: Color(red: 40, green: 40, blue: 60)),
            .error: Style(foreground: Color(red: 255, green: 0, blue: 0)), .url: Style(attributes: .italic),
        ])

    @Test func `with colours a theme is what it is`() {
        #expect(colored.adapted(to: .eight) == colored)
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
