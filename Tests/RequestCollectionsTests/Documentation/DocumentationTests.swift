import Foundation
import SchemaTesting
import Testing

@testable import RequestCollections

/// The pages for users: what they show is read as they say.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The YAML of a page, block by block.
    private static func blocks(of page: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```yaml\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }

    private static let pages: [String] = {
        let manual = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        return ["README.md"] + manual.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    @Test(arguments: try pages.filter { try !blocks(of: $0).isEmpty })
    func `every example is read without a problem`(page: String) throws {
        let schema = SchemaValidator(root: try #require(JSONParser.parse(CollectionSchema.text())))
        for block in try Self.blocks(of: page) {
            #expect(RequestCollection.of(block).problems == [], "\(block)")
            let root = try #require(try YAMLDocument(path: page, bytes: Array(block.utf8)).root)
            #expect(try schema.accepts(JSONValue(root, in: page)), "\(block)")
        }
    }

    @Test func `the reference page is what the table says; make reference writes it`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/format.md"), encoding: .utf8)
        #expect(page == FormatReference.text())
    }

    @Test func `the page names every key of a request and of expectations, and every function`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/collections.md"), encoding: .utf8)
        let words = Set(page.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init))
        let names = [FormatTable.request, .defaults, .expect, .tlsFacts, .matcher, .auths, .body, .secretSource].flatMap(\.keys)
            .map(\.name)
        #expect((names + TemplateFunction.allCases.map(\.rawValue)).filter { !words.contains($0) } == [])
    }
}
