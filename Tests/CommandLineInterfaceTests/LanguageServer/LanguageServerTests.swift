import Foundation
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite(.timeLimit(.minutes(2))) struct LanguageServerTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func editor() -> Conversation {
        let editor = Conversation(["lsp"], .headers, environment: ["HOME": directory.path])
        editor.tell(#"{"id":0,"method":"initialize","params":{}}"#)
        return editor
    }

    private func open(_ path: String, _ text: String, in editor: Conversation) {
        let document: JSONValue = ["uri": .string(LanguageSession.uri(of: path)), "version": .number("1"), "text": .string(text)]
        editor.tell(JSONRPC.notification("textDocument/didOpen", ["textDocument": document]).text(pretty: false))
    }

    /// The next that is said of a file: each mark's line, and what it says.
    private func marks(_ editor: Conversation) async -> (uri: String?, [String]) {
        let params = await editor.message("method", "textDocument/publishDiagnostics")["params"]
        let marks = params?["diagnostics"]?.items.map { mark in
            "\(mark["range"]?["start"]?["line"]?.integer ?? -1): \(mark["message"]?.string ?? "")"
        }
        return (params?["uri"]?.string, marks ?? [])
    }

    @Test func `somebody who types sees what is wrong before it is saved`() async throws {
        let path = try directory.write("shop.yaml", "turnstone: 1\nrequests:\n  read: { get: https://example.com }\n")
        let editor = editor()
        open(path, "turnstone: 1\nrequests:\n  a: { get: \"{{hots}}/a\" }\n  b: { gte: x }\n", in: editor)
        let (uri, marks) = await marks(editor)
        #expect(uri == LanguageSession.uri(of: path))
        #expect(marks.contains { $0.hasPrefix("2: ") && $0.contains("hots") })
        #expect(marks.contains { $0.hasPrefix("3: ") && $0.contains("gte") })
        editor.tell(
            #"{"method":"textDocument/didClose","params":{"textDocument":{"uri":"\#(LanguageSession.uri(of: path))"}}}"#)
        #expect(await self.marks(editor).1 == [])
        editor.tell(#"{"id":1,"method":"shutdown"}"#)
        _ = await editor.message("id", .number("1"))
        editor.tell(#"{"method":"exit"}"#)
        #expect(await editor.end() == 0)
    }

    @Test func `a file of a directory is checked with those around it`() async throws {
        try FileManager.default.createDirectory(atPath: directory.file("shop/orders"), withIntermediateDirectories: true)
        try directory.write("shop/_collection.yaml", "turnstone: 1\n")
        try directory.write("shop/login.yaml", "get: https://example.com\n")
        let path = try directory.write("shop/orders/read.yaml", "get: https://example.com\n")
        let editor = editor()
        open(path, "get: https://example.com\nneeds: [logn]\n", in: editor)
        let (uri, marks) = await marks(editor)
        #expect(uri == LanguageSession.uri(of: path))
        #expect(marks.count == 1)
        #expect(marks.first?.contains("login") == true)
        #expect(await editor.end() == 1)
    }

    @Test func `other YAML files are none of its business`() async throws {
        let other = try directory.write("deployment.yaml", "kind: Deployment\n")
        let path = try directory.write("shop.yaml", "turnstone: 1\nrequests: {}\n")
        let editor = editor()
        open(other, "kind: Deployment\nspec: {", in: editor)
        open(path, "turnstone: 1\nrequests: { a: { gte: x } }\n", in: editor)
        #expect(await marks(editor).uri == LanguageSession.uri(of: path))
        _ = await editor.end()
    }
}
