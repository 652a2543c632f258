import FoundationEssentials
import Presentation
import TerminalUI
import Testing

/// The pictures in `docs/pictures` are what the explorer draws. `make pictures` draws them anew.
@Suite struct `The pictures of the documentation` {
    @Test(arguments: Scene.all, ["dark", "light"])
    func `show what the explorer draws now`(scene: Scene, themeName: String) throws {
        let library = ThemeLibrary.load(searchPaths: [root + "Themes"])
        let theme = try #require(library.theme(named: themeName))
        let path = root + "docs/pictures/\(scene.name)-\(themeName).svg"
        let picture = scene.picture(in: theme).svg
        if ProcessInfo.processInfo.environment["DRAW_PICTURES"] != nil { try Data(picture.utf8).write(to: URL(filePath: path)) }
        let drawn = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let isCurrent = drawn == picture
        #expect(isCurrent, "docs/pictures/\(scene.name)-\(themeName).svg is old: look at what `make pictures` draws")
    }

    @Test func `are each in a page of the documentation`() throws {
        let pages = try ["README.md"] + FileManager.default.contentsOfDirectory(atPath: root + "docs").map { "docs/" + $0 }
        let text = pages.compactMap { FileManager.default.contents(atPath: root + $0) }
            .map { String(decoding: $0, as: UTF8.self) }.joined()
        for name in try FileManager.default.contentsOfDirectory(atPath: root + "docs/pictures") {
            let isShown = text.contains("pictures/" + name)
            #expect(isShown, "no page shows docs/pictures/\(name)")
        }
    }

    private let root = #filePath.split(separator: "/").dropLast(4).reduce("/") { $0 + $1 + "/" }
}
