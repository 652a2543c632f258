import Foundation
import SchemaTesting
import Testing

@testable import CommandLineInterface
@testable import RequestCollections

@Suite struct SchemaCommandTests {
    /// The root of the source tree.
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func schema(_ words: String...) async throws -> SchemaValidator {
        let run = await CommandLineRun.run(["schema"] + words)
        #expect(run.errors == "")
        #expect(run.status == .success)
        #expect(run.output.hasSuffix("\n}\n"))
        return SchemaValidator(root: try #require(JSONParser.parse(run.output)))
    }

    private static func value(_ yaml: String) throws -> JSONValue {
        let document = try YAMLDocument(path: "a.yaml", bytes: Array(yaml.utf8))
        return try JSONValue(try #require(document.root), in: "a.yaml")
    }

    private static func files(_ folder: String) throws -> [(name: String, text: String)] {
        let path = root.appending(path: folder).path(percentEncoded: false)
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".yaml") }.map {
            ($0, try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8))
        }
    }

    @Test func `every collection and every theme that ships is accepted by its schema`() async throws {
        for (schema, folder, atLeast) in [
            (try await Self.schema(), "Collections", 50), (try await Self.schema("collection"), "Collections", 50),
            (try await Self.schema("theme"), "Themes", 2),
        ] {
            let files = try Self.files(folder)
            #expect(files.count >= atLeast)
            for (name, text) in files { #expect(try schema.accepts(Self.value(text)), "\(folder)/\(name)") }
        }
    }

    @Test(
        arguments: [
            "nmae: a", "roles: { eror: red }", "palette: { rose: '#ff9fb' }", "palette: { rose: red }",
            "roles: { error: { fgg: red } }",
            "roles: { error: { bold: 1 } }", "roles: { error: '#12345' }", "roles: [error]", "roles: { error: { fg: '#12' } }",
        ])
    func `what a theme may not say is refused`(yaml: String) async throws {
        #expect(try await !Self.schema("theme").accepts(Self.value(yaml)))
    }

    @Test(
        arguments: [
            "name: dusk\nextends: dark", "palette: { rose: \"#ff9fb0\" }\nroles: { error: rose bold, key: red on \"#123456\" }",
            "roles: { error: { fg: red, bg: '#123456', bold: true } }",
        ])
    func `what a theme may say is accepted`(yaml: String) async throws {
        #expect(try await Self.schema("theme").accepts(Self.value(yaml)))
    }

    @Test func `a format that has no schema is named`() async {
        let run = await CommandLineRun.run(["schema", "them"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: There is no schema of them. It takes collection or theme.\n")
        #expect(run.output == "")
    }
}
