import FoundationEssentials
import TerminalUI
import Testing

@testable import Presentation

/// Whatever theme is chosen, on whatever terminal: everything can be read. Contrast is that of WCAG 2: 4.5 for text, 3 for lines and bars.
@Suite struct `The contrast of the themes` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Themes").path(percentEncoded: false)

    private static let library = ThemeLibrary.load(searchPaths: [folder])
    static let names = library.themes.map(\.name)

    @Test func `there are these themes, each with its source and its licence in its first comment`() throws {
        #expect(
            Self.names == [
                "alucard", "catppuccin-mocha", "dark", "dracula", "gruvbox-dark", "gruvbox-light", "high-contrast", "light", "mono",
                "tokyo-night",
            ])
        for name in Self.names {
            let text = try String(contentsOf: URL(filePath: "\(Self.folder)/\(name).yaml"), encoding: .utf8)
            let comment = text.prefix(while: { _ in true }).split(separator: "\n").prefix { $0.hasPrefix("#") }.joined(
                separator: "\n")
            #expect(comment.contains("licence"), "\(name)")
            #expect(comment.contains("github.com/") || comment.contains("Turnstone's own"), "\(name)")
        }
    }

    /// The grounds that a role's letters are drawn on.
    private func grounds(of role: ThemeRole, in theme: Theme, onBase: Bool) -> [(name: String, color: Color)] {
        let base = theme[.text].background
        if let own = theme[role].background, own != base { return [(role.kebabCase, own)] }
        if onBase { return base.map { [("text", $0)] } ?? [] }
        let roles: [ThemeRole] =
            role.isDrawn ? [.text, .overlay] : [.text, .overlay, .selection, .selectionUnfocused, .statusLine, .input]
        return roles.compactMap { under in (theme[under].background ?? base).map { (under.kebabCase, $0) } }
    }

    private func expectReadable(
        _ theme: Theme, as shown: (Color) -> Color = { $0 }, onBase: Bool = false, text: Double = 4.5, _ what: String
    ) throws {
        for role in ThemeRole.allCases {
            let letters = shown(try #require(theme[role].foreground ?? theme[.text].foreground))
            for (name, ground) in grounds(of: role, in: theme, onBase: onBase) {
                let ratio = letters.contrast(with: shown(ground))
                #expect(ratio >= (role.isDrawn ? 3 : text), "\(what): \(role.kebabCase) on \(name): \(ratio)")
            }
        }
    }

    @Test(arguments: names) func `in true colour everything can be read`(name: String) throws {
        try expectReadable(try #require(Self.library.theme(named: name)), text: name == "high-contrast" ? 7 : 4.5, name)
    }

    @Test(arguments: names) func `with 256 colours everything can be read, in colours that nobody changes`(name: String) throws {
        let theme = try #require(Self.library.theme(named: name)).adapted(to: .palette)
        try expectReadable(theme, text: name == "high-contrast" ? 7 : 4.5, name)
        let levels: Set<UInt8> = [0, 95, 135, 175, 215, 255]
        for role in ThemeRole.allCases {
            for color in [theme[role].foreground, theme[role].background].compactMap(\.self) {
                let isGrey = color.red == color.green && color.green == color.blue && color.red % 10 == 8
                #expect(isGrey || [color.red, color.green, color.blue].allSatisfy(levels.contains), "\(role.kebabCase): \(color)")
            }
        }
        // What is selected can be told from what isn't.
        #expect(theme[.selection].background != theme[.text].background)
    }

    /// As xterm shows them; eight colours have no bright ones. Over a selection the terminal's colours are chosen pair by pair: see ColorMap.
    @Test(arguments: names, [ColorDepth.eight, .sixteen])
    func `with few colours everything can be read`(name: String, depth: ColorDepth) throws {
        let theme = try #require(Self.library.theme(named: name)).adapted(to: depth)
        try expectReadable(
            theme,
            as: { color in
                let index = BasicColor.nearest(to: color)
                return BasicColor.usual[depth == .eight ? index % 8 : index]
            }, onBase: true, "\(name) at \(depth.rawValue)")
        #expect(theme[.selection].background != theme[.text].background)
    }

    @Test(arguments: names) func `without colours there are none`(name: String) throws {
        let theme = try #require(Self.library.theme(named: name)).adapted(to: .none)
        #expect(ThemeRole.allCases.allSatisfy { theme[$0].foreground == nil && theme[$0].background == nil })
        // What is selected, where the focus is and what failed is told by attributes.
        for (one, other) in [(ThemeRole.selection, ThemeRole.text), (.borderFocused, .border), (.stateFailed, .stateSucceeded)] {
            #expect(theme[one].attributes != theme[other].attributes, "\(one) like \(other)")
        }
    }
}
