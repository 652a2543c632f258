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

@Suite struct LanguageSessionTests {
    private var session = LanguageSession()

    private mutating func begin() { _ = session.receive(#"{"id":0,"method":"initialize","params":{}}"#) }

    private func sent(_ effects: [LanguageSession.Effect]) -> [String] {
        effects.map { effect in
            guard case .send(let message) = effect else { return "\(effect)" }
            return message.text(pretty: false)
        }
    }

    private func opening(_ uri: String, _ text: String, version: Int = 1) -> String {
        let document: JSONValue = ["uri": .string(uri), "version": .number("\(version)"), "text": .string(text)]
        return JSONRPC.notification("textDocument/didOpen", ["textDocument": document]).text(pretty: false)
    }

    @Test mutating func `an editor hears what is offered, once, and first`() {
        let tooEarly = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"The first request is initialize."}}"#
        #expect(sent(session.receive(#"{"id":1,"method":"shutdown"}"#)) == [tooEarly])
        #expect(session.receive(opening("file:///a.yaml", "")) == [])
        let greeting =
            #"{"jsonrpc":"2.0","id":2,"result":{"capabilities":{"positionEncoding":"utf-16","textDocumentSync":"#
            + #"{"openClose":true,"change":1,"save":{"includeText":false}}},"serverInfo":{"name":"turnstone","version":"\#(Version.text)"}}}"#
        #expect(sent(session.receive(#"{"id":2,"method":"initialize","params":{}}"#)) == [greeting])
        let twice = #"{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"This server has been initialized before."}}"#
        #expect(sent(session.receive(#"{"id":3,"method":"initialize","params":{}}"#)) == [twice])
        let unknown = #"{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"There is no method textDocument/hover here."}}"#
        #expect(sent(session.receive(#"{"id":4,"method":"textDocument/hover"}"#)) == [unknown])
    }

    @Test(arguments: [true, false]) mutating func `leaving is a success only after saying so`(isPolite: Bool) {
        begin()
        if isPolite {
            #expect(sent(session.receive(#"{"id":1,"method":"shutdown"}"#)) == [#"{"jsonrpc":"2.0","id":1,"result":null}"#])
            #expect(session.receive(opening("file:///a.yaml", "")) == [])
        }
        #expect(session.receive(#"{"method":"exit"}"#) == [.exit(isPolite ? .success : ExitStatus(rawValue: 1))])
    }

    @Test mutating func `a document is what the editor holds until it is closed`() {
        begin()
        let uri = "file:///home/ada/my%20shop.yaml"
        let path = "/home/ada/my shop.yaml"
        #expect(session.receive(opening(uri, "a")) == [.check(document: path)])
        let change =
            #"{"method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(uri)","version":2},"#
            + #""contentChanges":[{"text":"b"},{"text":"c"}]}}"#
        #expect(session.receive(change) == [.check(document: path)])
        #expect(session.documents[path] == LanguageSession.Document(uri: uri, version: .number("2"), text: "c"))
        for method in ["didSave", "didClose"] {
            let note = #"{"method":"textDocument/\#(method)","params":{"textDocument":{"uri":"\#(uri)"}}}"#
            #expect(session.receive(note) == [.check(document: path)])
        }
        #expect(session.documents.isEmpty)
    }

    @Test(arguments: ["untitled:Untitled-1", "http://127.0.0.1/a.yaml", "file://elsewhere/a.yaml", "", "file:"])
    mutating func `what is no file of this machine is left alone`(uri: String) {
        begin()
        #expect(session.receive(opening(uri, "turnstone: 1")) == [])
    }

    private func finding(_ severity: CheckFindings.Severity, _ line: Int?, _ column: Int?) -> CheckFindings.Finding {
        CheckFindings.Finding(severity: severity, path: "/a.yaml", line: line, column: column, message: "m")
    }

    private func range(_ from: (Int, Int), _ to: (Int, Int)) -> String {
        #"{"start":{"line":\#(from.0),"character":\#(from.1)},"end":{"line":\#(to.0),"character":\#(to.1)}}"#
    }

    /// Columns are Unicode scalars in a finding, and UTF-16 code units in an editor: 🦆 is one of the first and two of the second.
    @Test mutating func `a finding marks the key or value at its place, and nothing behind it`() {
        begin()
        _ = session.receive(opening("file:///a.yaml", "one\r\n🦆: { é: two, naem: x }  \r\n"))
        let found = [
            finding(.error, 2, 1), finding(.error, 2, 9), finding(.error, 2, 14), finding(.warning, nil, nil),
            finding(.error, 9, 4),
        ]
        let effects = session.publish(["/a.yaml": found], in: "/a.yaml", checked: session.documents) { _ in nil }
        func diagnostic(_ severity: Int, _ range: String) -> String {
            #"{"range":\#(range),"severity":\#(severity),"source":"turnstone","message":"m"}"#
        }
        let marks = [
            diagnostic(1, range((1, 0), (1, 2))), diagnostic(1, range((1, 9), (1, 12))), diagnostic(1, range((1, 14), (1, 18))),
            diagnostic(2, range((0, 0), (0, 3))), diagnostic(1, range((8, 0), (8, 0))),
        ]
        #expect(
            sent(effects) == [
                #"{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.yaml","diagnostics":["#
                    + marks.joined(separator: ",") + #"],"version":1}}"#
            ])
    }

    @Test mutating func `what no longer holds is taken back, and what the editor has changed since is not touched`() {
        begin()
        _ = session.receive(opening("file:///c/a.yaml", "x"))
        let checked = session.documents
        let both = ["/c/a.yaml": [finding(.error, 1, 1)], "/c/b.yaml": [finding(.error, 1, 1)]]
        #expect(session.publish(both, in: "/c", checked: checked) { _ in "on disk" }.count == 2)
        let gone = session.publish(["/c/a.yaml": [finding(.error, 1, 1)]], in: "/c", checked: checked) { _ in nil }
        #expect(
            sent(gone).last
                == #"{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///c/b.yaml","diagnostics":[]}}"#
        )
        _ = session.receive(opening("file:///c/a.yaml", "y", version: 2))
        #expect(session.publish(["/c/a.yaml": [finding(.error, 1, 1)]], in: "/c", checked: checked) { _ in nil } == [])
        #expect(session.publish([:], in: "/c", checked: session.documents) { _ in nil }.count == 1)
    }
}
