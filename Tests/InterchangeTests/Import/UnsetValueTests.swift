import RequestCollections
import Testing

@testable import Interchange

/// What depends on all of an import: hosts without a scheme, and variables without a value.
@Suite struct UnsetValueTests {
    private static func postman(_ url: String, variables: String, environments: [String] = []) throws -> ImportedText {
        let collection =
            #"{"info":{"name":"P","schema":"https://schema.getpostman.com/v2.1"},"variable":[\#(variables)],"item":[{"name":"a","request":"\#(url)"}]}"#
        return try ImportedText(
            [("p.json", collection)]
                + environments.enumerated().map { ("e\($0.offset).json", #"{"name":"e\#($0.offset)","values":[\#($0.element)]}"#) })
    }

    private static func row(_ name: String, _ value: String) -> String { #"{"key":"\#(name)","value":"\#(value)"}"# }

    @Test func `a host without a scheme goes by http`() throws {
        #expect(try Self.postman("{{host}}/a", variables: Self.row("host", "localhost:9")).yaml.contains("get: http://{{host}}/a"))
        let chained = Self.row("host", "{{server}}:9") + "," + Self.row("server", "localhost")
        #expect(try Self.postman("{{host}}/a", variables: chained).yaml.contains("get: http://{{host}}/a"))
        for (url, value) in [("{{host}}/a", "https://h"), ("{{scheme}}://h/a", "https"), ("{{host}}/a", "")] {
            let name = url.contains("scheme") ? "scheme" : "host"
            #expect(try Self.postman(url, variables: Self.row(name, value)).yaml.contains("get: \"\(url)\""))
        }
        let mixed = try Self.postman(
            "{{host}}/a", variables: "", environments: [Self.row("host", "localhost:9"), Self.row("host", "https://h")])
        #expect(mixed.yaml.contains("host: http://localhost:9"))
        #expect(mixed.yaml.contains("get: \"{{host}}/a\""))
    }

    @Test func `a variable of one environment is asked for in the others`() throws {
        let imported = try Self.postman("http://h/{{x}}", variables: "", environments: [Self.row("x", "1"), Self.row("y", "2")])
        #expect(imported.yaml.contains(#"x: '{{prompt("x")}}'"#))
        #expect(try !Self.postman("http://h/{{x}}", variables: "", environments: [Self.row("x", "1")]).yaml.contains("prompt"))
    }

    @Test func `an empty variable of a request is asked for`() throws {
        let bru = "get {\n  url: http://h/{{id}}/{{on}}\n}\nvars:pre-request {\n  id:\n  on: 1\n}\n"
        let imported = try ImportedText(bru, path: "a.bru")
        #expect(imported.yaml.contains(#"id: '{{prompt("id")}}'"#))
        #expect(imported.collection.requests[0].variables.map(\.name) == ["on"])
    }

    @Test func `one broken file leaves the others`() throws {
        let files = [
            ("thunderCollection.json", "[<<<<<<< HEAD"),
            ("thunderclient.json", #"[{"colId":"c","url":"http://h/a","method":"GET"}]"#),
        ]
        let read = try ThunderImport.read(
            ImportSource(path: "t", bytes: []), files: files.map { ImportSource(path: $0.0, text: $0.1) })
        #expect(read.nodes.requests.count == 1)
        #expect(read.notes.map(\.place) == ["thunderCollection.json"])
    }
}
