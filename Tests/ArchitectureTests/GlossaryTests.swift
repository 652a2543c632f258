import Foundation
import Testing

/// One word for one thing: what `docs/glossary.md` says isn't said stands on no page.
@Suite struct `The words of the manual` {
    private static let root = DocumentationLinksTests.root

    /// The words of the last column.
    private static func avoided() throws -> [String] {
        let page = try String(contentsOf: root.appending(path: "docs/glossary.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().flatMap { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count < 3 ? [] : cells[2].components(separatedBy: ", ")
        }.filter { !$0.isEmpty }
    }

    /// What is written in other programs' words: code, links, what they call it (`*Hurl*: …`, the tables of the migration).
    private static func prose(_ text: String) -> String {
        var isCode = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode && !line.hasPrefix("```") && !line.hasPrefix("*")
        }
        return lines.joined(separator: "\n").replacing(/`[^`]*`/, with: " ").replacing(/\]\([^)]*\)/, with: "]")
    }

    private static let pages: [String] = {
        let manual = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        let others: Set = ["glossary.md", "migration.md", "library.md", "editors.md", "agents.md"]
        return ["README.md"] + manual.filter { $0.hasSuffix(".md") && !others.contains($0) }.sorted().map { "docs/" + $0 }
    }()

    @Test(arguments: pages)
    func `are those of the glossary`(page: String) throws {
        let text = Self.prose(try String(contentsOf: Self.root.appending(path: page), encoding: .utf8))
        let said = try Self.avoided().filter { Self.says(text, $0) }
        #expect(said == [], "\(page)")
    }

    @Test func `the glossary avoids words, and they are found where they stand`() throws {
        let words = try Self.avoided()
        #expect(words.count > 15 && words.contains("payload"))
        #expect(Self.says("The Payload is sent.", "payload") && Self.says("two payloads", "payload"))
        #expect(!Self.says(Self.prose("`payload`\n```\npayload\n```\n[a](payload.md) repayload"), "payload"))
        // As a noun; one may try something.
        #expect(Self.says("the second try", "try") && !Self.says("Try it again.", "try"))
    }

    /// Whole words, also in the plural. `call`, `try` and `project` are verbs, too: those are meant that stand behind an article or a number.
    private static func says(_ text: String, _ word: String) -> Bool {
        let isVerb = ["call", "try", "project", "stub"].contains(word)
        let before = isVerb ? "\\b(?:an?|the|each|every|one|first|second|last)\\s+" : "\\b"
        guard let pattern = try? Regex("\(before)\(word)(?:s|es)?\\b").ignoresCase() else { return false }
        return text.firstMatch(of: pattern) != nil
    }
}
