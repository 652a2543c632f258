import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

@Suite struct ThemeTests {
    /// The folder `Themes` of the source tree.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Themes").path(percentEncoded: false)

    private static let shipped = ThemeLibrary.load(searchPaths: [folder])

    @Test func `the shipped themes have no problems and name every role`() throws {
        #expect(Self.shipped.problems == [])
        for theme in Self.shipped.themes {
            #expect(ThemeRole.allCases.filter { theme.styles[$0] == nil } == [], "\(theme.name)")
        }
    }

    @Test func `a theme chosen by its file hides another of its name`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("name: light\nextends: dark\nroles: { error: \"#010203\" }\n".utf8).write(to: file)
        let path = file.path(percentEncoded: false)
        let library = ThemeLibrary.load(searchPaths: [Self.folder], chosen: path)
        #expect(library.chosen == "light")
        #expect(library.problems == [])
        #expect(library.themes.map(\.name) == Self.shipped.themes.map(\.name))
        #expect(library.theme(named: "light") != Self.shipped.theme(named: "light"))

        let missing = ThemeLibrary.load(searchPaths: [Self.folder], chosen: path + ".not")
        #expect(missing.chosen == nil)
        #expect(missing.problems == [ThemeProblem(path: path + ".not", message: "can't be read")])
    }

    @Test func `the built-in theme is the dark one`() throws {
        #expect(try #require(Self.shipped.theme(named: "dark")) == .builtin)
    }

    @Test func `looks are written in short or in full`() {
        let file = ThemeFile(
            """
            name: x
            palette: { rose: "#ff9fb0" }
            roles:
              error: rose bold
              title: "#010203 on rose underline"
              selection: { bg: rose, bold: true, italic: false }
              status-2xx: reverse
            """, path: "t/x.yaml")
        let rose = Color(red: 0xFF, green: 0x9F, blue: 0xB0)
        #expect(file.problems == [])
        #expect(
            file.styles == [
                .error: Style(foreground: rose, attributes: .bold),
                .title: Style(foreground: Color(red: 1, green: 2, blue: 3), background: rose, attributes: .underline),
                .selection: Style(background: rose, attributes: .bold),
                .status2xx: Style(attributes: .reverse),
            ])
    }

    @Test func `what is wrong is named with its line and the nearest name, and the rest holds`() {
        let file = ThemeFile(
            """
            pallete: {}
            palette:
              rose: red
              blue: "#0000ff"
            roles:
              eror: "#ff0000"
              error: bleu
              warning: "#12345"
              dim: { colour: "#ffffff", bold: perhaps, fg: blue }
              text: [1]
              success: "#00ff00"
            extra: 1
            """, path: "t/x.yaml")
        #expect(
            file.problems.map(\.description) == [
                "t/x.yaml:1: there is no key \"pallete\"; did you mean \"palette\"?",
                "t/x.yaml:3: `rose` must be a colour such as \"#7db7ff\", in quotes",
                "t/x.yaml:6: there is no role \"eror\"; did you mean \"error\"?",
                "t/x.yaml:7: there is no colour \"bleu\"; did you mean \"blue\"?",
                "t/x.yaml:8: \"#12345\" is no colour: write six digits, such as \"#7db7ff\"",
                "t/x.yaml:9: there is no part of a look \"colour\"",
                "t/x.yaml:9: `bold` must be true or false",
                "t/x.yaml:10: a look is text such as `red bold` or a mapping such as { fg: red, bold: true }",
                "t/x.yaml:12: there is no key \"extra\"",
            ])
        #expect(file.styles[.success] == Style(foreground: Color(red: 0, green: 255, blue: 0)))
        #expect(file.styles[.dim] == Style(foreground: Color(red: 0, green: 0, blue: 255)))
        #expect(file.name == "x")
    }

    @Test(arguments: ["a: [", "- 1", "", "roles: 7", "palette: 7"])
    func `a file that is no theme has a problem, not a crash`(text: String) {
        let file = ThemeFile(text, path: "x.yml")
        #expect(file.styles == [:])
        #expect(file.problems.count == (text.isEmpty ? 0 : 1))
    }

    @Test func `a theme that extends another changes only what it names`() {
        let base = ThemeFile("{ name: base, roles: { error: '#ff0000', dim: '#888888' } }", path: "base.yaml")
        let own = ThemeFile("{ name: own, extends: base, roles: { error: '#00ff00' } }", path: "own.yaml")
        let library = ThemeLibrary.resolve([own, base])
        #expect(library.problems == [])
        #expect(library.themes.map(\.name) == ["base", "dark", "own"])
        #expect(
            library.theme(named: "own")?.styles == [
                .error: Style(foreground: Color(red: 0, green: 255, blue: 0)),
                .dim: Style(foreground: Color(red: 0x88, green: 0x88, blue: 0x88)),
            ])
    }

    @Test func `a theme with a palette of its own colours the looks of the one that it extends`() {
        let base = ThemeFile(
            "{ name: base, palette: { red: '#ff0000', grey: '#888888' }, roles: { error: red, dim: grey } }", path: "b")
        let own = ThemeFile("{ name: own, extends: base, palette: { red: '#800000' }, roles: { warning: grey bold } }", path: "o")
        let library = ThemeLibrary.resolve([own, base])
        #expect(library.problems == [])
        let grey = Color(red: 0x88, green: 0x88, blue: 0x88)
        #expect(
            library.theme(named: "own")?.styles == [
                .error: Style(foreground: Color(red: 0x80, green: 0, blue: 0)), .dim: Style(foreground: grey),
                .warning: Style(foreground: grey, attributes: .bold),
            ])
        #expect(library.theme(named: "base")?.styles[.error] == Style(foreground: Color(red: 255, green: 0, blue: 0)))

        let lost = ThemeFile("{ name: lost, extends: base, roles: { error: gray } }", path: "lost.yaml")
        #expect(
            ThemeLibrary.resolve([lost, base]).problems.map(\.description) == [
                "lost.yaml:1: there is no colour \"gray\"; did you mean \"grey\"?"
            ])
    }

    @Test func `themes that extend each other, or nothing, fall back to the built-in one`() {
        let one = ThemeFile("{ name: one, extends: two }", path: "one.yaml")
        let two = ThemeFile("{ name: two, extends: one }", path: "two.yaml")
        let lost = ThemeFile("{ name: lost, extends: nowhere }", path: "lost.yaml")
        let library = ThemeLibrary.resolve([one, two, lost])
        #expect(library.themes.map(\.styles) == Array(repeating: Theme.builtin.styles, count: 4))
        #expect(library.problems.count == 3)
    }

    @Test func `without any files there is a theme`() {
        let library = ThemeLibrary.load(searchPaths: ["/nowhere/at/all"])
        #expect(library == ThemeLibrary())
    }

    @Test func `every role has a name for theme files`() {
        #expect(ThemeRole.statusLine.kebabCase == "status-line")
        #expect(ThemeRole.status2xx.kebabCase == "status-2xx")
        #expect(ThemeRole.allCases.map { ThemeRole(kebabCase: $0.kebabCase) } == ThemeRole.allCases.map { $0 })
    }
}
