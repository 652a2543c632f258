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

    /// The modules that speak to users in our own words: importers and exporters speak of other programs in theirs.
    @Test(arguments: [
        "CollectionRunner", "CommandLineInterface", "Explorer", "ExplorerModel", "ExplorerView", "History", "NetworkLayer",
        "Presentation", "RequestCollections", "turnstone",
    ])
    func `are those of the messages and the help, too`(module: String) throws {
        let avoided = try Self.avoided()
        let folder = Self.root.appending(path: "Sources/\(module)")
        var count = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() where file.hasSuffix(".swift") {
            let sentences = Self.sentences(in: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
            count += sentences.count
            let said = sentences.flatMap { sentence in avoided.filter { Self.says(sentence, $0) }.map { "\($0): \(sentence)" } }
            #expect(said == [], "\(file)")
        }
        #expect(count > 10, "the texts of \(module) were found")
    }

    /// The string literals of a source file that have a space in them, without code in them and what is filled in.
    private static func sentences(in source: String) -> [String] {
        let code = source.split(separator: "\n").filter { !$0.trimmingPrefix { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return code.matches(of: /"""(?s:(.*?))"""|"((?:[^"\\\n]|\\.)*)"/).map { String($0.output.1 ?? $0.output.2 ?? "") }
            .filter { $0.contains(" ") }
            .map { $0.replacing(/\\\([^)]*\)|`[^`]*`/, with: " ") }
    }

    @Test func `the sentences of a source are found, and its comments aren't`() {
        let source = #"""
            // A "payload of" a comment.
            let word = "payload"
            throw Failure("the \(name) of `payload` is too long")
            let help = """
                Sends a payload.
                """
            """#
        #expect(Self.sentences(in: source).map { Self.says($0, "payload") } == [false, true])
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
