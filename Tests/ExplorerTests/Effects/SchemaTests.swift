import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// How a schema comes, seen from where the user sits.
@MainActor @Suite(.serialized) struct SchemaTests: LoopScript {
    private let answer = """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
          {"kind": "OBJECT", "name": "Query", "fields": [{"name": "bird", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]},
          {"kind": "SCALAR", "name": "String"}], "directives": []}}}
        """

    @Test func `a server that knows less of schemas is asked for less`() throws {
        let refusal = #"{"errors": [{"message": "Unknown argument includeDeprecated on field args of type __Field."}]}"#
        let (transport, _) = try run(
            try folder(), answer: answer, before: refusal,
            [type("2]]"), shows("none yet"), type(":schema"), key(.enter), shows("1 type, asked for today"), type("q")])
        let asked = transport.requests.map { request in
            if case .data(let data) = request.body { String(decoding: data, as: UTF8.self).contains("isRepeatable") } else { false }
        }
        #expect(asked == [true, false])
    }

    /// - Parameter before: the first answer.
    private func run(
        _ folder: TemporaryFolder, answer: String, before: String? = nil, _ steps: [ScriptedTerminal.Step]
    ) throws -> (ScriptedTransport, ScriptedTerminal) {
        let answers = Mutex([before, answer].compactMap(\.self))
        let transport = ScriptedTransport { _ in
            let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .respond(headers: [.contentType: "application/json"], body: Data(answer.utf8))
        }
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("Find")] + steps)
        let services = ExplorerServices(
            client: NetworkClient(transport: transport), editor: NoEditor(), cacheDirectory: folder.path("cache"))
        let opening = ExplorerOpening(collections: [folder.path("shop")])
        try terminal.play(in: folder, with: services, opening: opening)
        return (transport, terminal)
    }

    private func folder() throws -> TemporaryFolder {
        try TemporaryFolder([
            "shop/_collection.yaml": "turnstone: 1\nname: Shop\n",
            "shop/find.yaml": "name: Find\npost: http://127.0.0.1:9/graphql\nbody: { graphql: \"{ bird }\" }\n",
            "shop/mine.yaml":
                "name: Mine\npost: http://127.0.0.1:9/graphql\nbody: { graphql: \"{ bird }\" }\ngraphql-schema: birds.graphql\n",
            "shop/other.yaml":
                "name: Other\npost: http://127.0.0.1:9/graphql\nbody: { graphql: \"{ bird }\" }\ngraphql-schema: ../birds.graphql\n",
            "shop/birds.graphql": "type Query { bird: String, nest: String } enum Lang { EN }",
            "birds.graphql": "type Query { bird: String }",
        ])
    }

    @Test func `the server is asked once, in the history as any run, and its schema is there after a restart`() throws {
        let folder = try folder()
        let (transport, terminal) = try run(
            folder, answer: answer,
            [type("2]]"), shows("none yet"), type(":schema"), key(.enter), shows("1 type, asked for today"), type("q")])
        #expect(transport.requests.count == 1)
        #expect(terminal.text.contains("history 1"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/schemas"))
        let path = try #require(files.first.map { folder.path("cache/schemas/" + $0) })
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(files.count == 1 && mode == 0o600)
        let (later, _) = try run(folder, answer: answer, [type("2]]"), shows("1 type, asked for today"), type("q")])
        #expect(later.requests == [])
    }

    @Test func `what isn't a schema is said with the way out`() throws {
        for (answer, words) in [
            (#"{"errors": [{"message": "introspection is off"}]}"#, "introspection is off"), ("<html>", "that isn't JSON"),
        ] {
            let folder = try folder()
            _ = try run(
                folder, answer: answer, [type("2]]"), shows("none yet"), type(":schema"), key(.enter), shows(words), type("q")])
            #expect(!FileManager.default.fileExists(atPath: folder.path("cache/schemas")))
        }
    }

    @Test func `a file of the collection needs no network, and none outside of it is read`() throws {
        let (transport, _) = try run(
            try folder(), answer: answer,
            [
                type("j2]]"), shows("birds.graphql, 2 types"), type("1j2"), shows("only from the collection's own directory"),
                type("q"),
            ])
        #expect(transport.requests == [])
    }
}
