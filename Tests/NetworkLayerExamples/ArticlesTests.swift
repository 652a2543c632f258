import Foundation
import Testing

/// The code of the articles is the code of this folder, so it compiles and does what the tests around it say.
@Suite struct ArticlesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let catalogue = root.appending(path: "Sources/NetworkLayer/NetworkLayer.docc")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
            .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }

    @Test func `the snippets of an article are those of the file of its name, in order`() throws {
        for name in try Self.names() {
            let article = try String(contentsOf: Self.catalogue.appending(path: name + ".md"), encoding: .utf8)
            let file = Self.root.appending(path: "Tests/NetworkLayerExamples/\(name).swift")
            let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            #expect(Self.blocks(of: article) == Self.snippets(of: source), "article \(name)")
        }
    }

    @Test(arguments: ["CurlTransport", "MockTransport"])
    func `the snippets of the other catalogues are compiled and run, too`(module: String) throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Sources/\(module)/\(module).docc/\(module).md"), encoding: .utf8)
        let source = try String(
            contentsOf: Self.root.appending(path: "Tests/NetworkLayerExamples/\(module)Tests.swift"), encoding: .utf8)
        #expect(!Self.blocks(of: page).isEmpty)
        #expect(Self.blocks(of: page) == Self.snippets(of: source))
    }

    @Test func `every file of examples has an article, and every article is in the table of contents`() throws {
        let names = try Self.names()
        let examples = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Tests/NetworkLayerExamples").path
        )
        .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Tests.swift") }.map { String($0.dropLast(6)) }
        #expect(Set(examples).subtracting(names) == [])
        let contents = try String(contentsOf: Self.catalogue.appending(path: "NetworkLayer.md"), encoding: .utf8)
        for name in names where name != "NetworkLayer" { #expect(contents.contains("<doc:\(name)>"), "\(name)") }
    }

    @Test(arguments: ["NetworkLayer", "CurlTransport", "MockTransport"])
    func `every public type has its place in the catalogue`(module: String) throws {
        let folder = Self.root.appending(path: "Sources/\(module)")
        let contents = try String(contentsOf: folder.appending(path: "\(module).docc/\(module).md"), encoding: .utf8)
        var count = 0
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() where file.hasSuffix(".swift")
        {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for line in source.split(separator: "\n") {
                guard let match = line.firstMatch(of: /^public (?:final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)/)
                else {
                    continue
                }
                count += 1
                #expect(contents.contains("- ``\(match.1)``"), "\(match.1)")
            }
        }
        #expect(count > 0)
    }

    @Test func `the program of the library's README is one that is built, in 30 lines at most`() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "Sources/NetworkLayer/README.md"), encoding: .utf8)
        let program = try String(contentsOf: Self.root.appending(path: "Tests/NetworkLayerProgram/main.swift"), encoding: .utf8)
        let lines = program.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(Self.blocks(of: readme) == [lines])
        #expect(lines.count <= 30)
    }

    @Test func `the blocks of the manual's page on the library are those of ReadmeTests, in order`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/library.md"), encoding: .utf8)
        let source = try String(
            contentsOf: Self.root.appending(path: "Tests/NetworkLayerExamples/ReadmeTests.swift"), encoding: .utf8)
        #expect(Self.blocks(of: page) == Self.snippets(of: source))
    }

    // MARK: Taking apart

    /// The lines of each block of Swift.
    static func blocks(of markdown: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                block = []
            } else if line == "```" {
                if let block { blocks.append(block) }
                block = nil
            } else {
                block?.append(String(line))
            }
        }
        return blocks
    }

    /// The lines between `// snippet` and `// end`, moved to the left margin.
    static func snippets(of source: String) -> [[String]] {
        var snippets: [[String]] = []
        var snippet: [String]?
        var margin = 0
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if text == "// snippet" {
                snippet = []
                margin = line.count - text.count
            } else if text == "// end" {
                if let snippet { snippets.append(snippet) }
                snippet = nil
            } else {
                snippet?.append(String(line.dropFirst(min(margin, line.count - text.count))))
            }
        }
        return snippets
    }
}
