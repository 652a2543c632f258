import Foundation
import Testing

/// Suites of the explorer read like a manual: they press commands, and keys that have a name.
@Suite struct ExplorerKeysTests {
    /// Those of commands that move and change panes: they are written as `press(.nextTab)`.
    private static let commandKeys = Set("1 2 3 4 5 6 j k h l G [ ] / : '".split(separator: " "))

    @Test func `no suite presses the letter of a command that has a name`() throws {
        var found: [String] = []
        let folder = DocumentationLinksTests.root.appending(path: "Tests/ExplorerTests")
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path()).sorted() where file.hasSuffix(".swift") {
            // There the keys themselves are what is tested.
            if file.hasPrefix("Keymap/") { continue }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for call in text.components(separatedBy: ".press(\"").dropFirst() {
                let keys = call.prefix { $0 != "\"" }
                if keys.split(separator: " ").contains(where: Self.commandKeys.contains) {
                    found.append("\(file): press(\"\(keys)\")")
                }
            }
        }
        #expect(found == [])
    }
}
