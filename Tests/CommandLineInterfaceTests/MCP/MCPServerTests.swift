import DemoServer
import Foundation
import RequestCollections
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

extension Conversation {
    /// With `turnstone mcp`.
    convenience init(_ words: [String], environment: [String: String], canAsk: Bool = false) {
        self.init(["mcp"] + words, .lines, environment: environment)
        let capabilities = canAsk ? #"{"elicitation":{}}"# : "{}"
        tell(#"{"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":\#(capabilities)}}"#)
    }

    func call(_ id: Int, _ tool: String, _ arguments: String = "{}") {
        tell(#"{"id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#)
    }

    /// The texts of a result, and whether it is an error.
    func result(of id: Int) async -> (texts: [String], isError: Bool) {
        let result = await message("id", .number("\(id)"))["result"]
        return (result?["content"]?.items.compactMap { $0["text"]?.string } ?? [], result?["isError"] == .boolean(true))
    }
}

@Suite(.timeLimit(.minutes(2))) struct MCPServerTests {
    private let directory: TemporaryDirectory
    private let collection: String

    init() throws {
        directory = try TemporaryDirectory()
        collection = try Self.write("http://127.0.0.1:1", in: directory)
    }

    @discardableResult private static func write(_ host: String, in directory: TemporaryDirectory) throws -> String {
        try directory.write(
            "shop.yaml",
            """
            turnstone: 1
            variables:
              host: \(host)
              key: { secret: { command: [printf, "%s-%s", sesame, opens] } }
            requests:
              read: { get: "{{host}}/anything/a?key={{key}}", expect: { status: 200 } }
              plain: { get: "{{host}}/anything/b", expect: { status: 404 } }
              slow: { get: "{{host}}/delay/1000" }
              create: { post: "{{host}}/anything/c", body: { json: { qty: 2 } } }
            """)
    }

    private var environment: [String: String] { ["HOME": directory.path, "XDG_STATE_HOME": directory.file("state")] }

    @Test func `an agent lists, sends and reads what is saved`() async throws {
        let server = try await DemoServer()
        let client = Conversation([collection], environment: environment)
        client.call(1, "list_requests", #"{"names":["plain"]}"#)
        let listed = await client.result(of: 1)
        #expect(JSONParser.parse(listed.texts[0])?.items[0]["requests"]?.items.map { $0["id"]?.string } == ["plain"])
        client.call(2, "run_requests", #"{"names":["plain"],"variables":{"host":"\#(server.baseURL)"}}"#)
        let sent = await client.result(of: 2)
        #expect(!sent.isError)
        let run = try #require(JSONParser.parse(sent.texts[0])?["runs"]?.items.first)
        #expect(run["verdict"]?.string == "failed")
        #expect(run["status"]?.integer == 200)
        client.call(3, "list_runs", #"{"request":"plain"}"#)
        let id = try #require(JSONParser.parse(await client.result(of: 3).texts[0])?["id"]?.integer)
        client.call(4, "read_run", #"{"run":\#(id)}"#)
        let read = await client.result(of: 4)
        #expect(read.texts.first?.contains("200 OK") == true)
        #expect(JSONParser.parse(read.texts.last ?? "")?["url"]?.string == "\(server.baseURL)/anything/b")
        client.call(5, "read_run", #"{"run":\#(id),"max_body_bytes":10}"#)
        #expect(await client.result(of: 5).texts.last?.contains("(cut after 10 B of") == true)
        #expect(await client.end() == 0)
        await server.stop()
    }

    @Test func `without trust no secret is read, and with it none is told`() async throws {
        let server = try await DemoServer()
        try Self.write(server.baseURL, in: directory)
        let client = Conversation([collection], environment: environment)
        let arguments = #"{"names":["read"]}"#
        client.call(1, "run_requests", arguments)
        let refused = await client.result(of: 1)
        #expect(refused.texts.contains { $0.contains("isn't allowed") })
        client.call(2, "list_runs")
        #expect(await client.result(of: 2).texts == ["(nothing)"])
        let trusted = await CommandLineRun.run(["trust", collection, "--yes"], environment: environment)
        #expect(trusted.status == .success)
        client.call(3, "run_requests", arguments)
        let sent = await client.result(of: 3)
        #expect(JSONParser.parse(sent.texts[0])?["runs"]?.items.first?["verdict"]?.string == "passed")
        client.call(4, "list_runs")
        let runs = await client.result(of: 4)
        let id = try #require(JSONParser.parse(runs.texts[0])?["id"]?.integer)
        client.call(5, "read_run", #"{"run":\#(id)}"#)
        client.call(6, "show_request", #"{"name":"read","explain":true}"#)
        for texts in [sent.texts, runs.texts, await client.result(of: 5).texts, await client.result(of: 6).texts] {
            #expect(!texts.isEmpty)
            #expect(!texts.joined().contains("sesame-opens"))
        }
        client.call(7, "run_requests", #"{"names":["read"],"variables":{"host":"http://127.0.0.1:1"}}"#)
        let elsewhere = await client.result(of: 7)
        #expect(elsewhere.texts.contains { $0.contains("isn't allowed") }, "a secret goes where it was allowed to go")
        #expect(await client.end() == 0)
        await server.stop()
    }

    @Test func `what may change something is sent only when a person agrees`() async throws {
        let server = try await DemoServer()
        let arguments = #"{"names":["create"],"variables":{"host":"\#(server.baseURL)"}}"#
        let question = "Send POST \(server.baseURL)/anything/c (create)? This may change something there."

        let mute = Conversation([collection], environment: environment)
        mute.call(1, "run_requests", arguments)
        let refused = await mute.result(of: 1)
        #expect(refused.isError)
        #expect(refused.texts.first?.hasPrefix("Nothing was sent. \(question) Your client can't ask") == true)
        #expect(await mute.end() == 0)

        let client = Conversation([collection], environment: environment, canAsk: true)
        for (id, action) in [(1, "decline"), (2, "accept")] {
            client.call(id, "run_requests", arguments)
            let asked = await client.message("method", "elicitation/create")
            #expect(asked["params"]?["message"]?.string == question)
            client.tell(#"{"id":"question-\#(id)","result":{"action":"\#(action)","content":{}}}"#)
            let result = await client.result(of: id)
            #expect(result.isError == (action == "decline"))
            if action == "decline" { #expect(result.texts == ["Nothing was sent: the user didn't agree."]) }
        }
        client.call(3, "list_runs")
        #expect(await client.result(of: 3).texts.joined().split(separator: "\n").count == 1)
        #expect(await client.end() == 0)

        let free = Conversation([collection, "--allow-writes"], environment: environment)
        free.call(1, "run_requests", arguments)
        #expect(await free.result(of: 1).isError == false)
        #expect(await free.end() == 0)
        await server.stop()
    }

    @Test func `what is sent is what was asked about, whatever the file says by then`() async throws {
        let server = try await DemoServer()
        try Self.write(server.baseURL, in: directory)
        let client = Conversation([collection], environment: environment, canAsk: true)
        client.call(1, "run_requests", #"{"names":["create"]}"#)
        _ = await client.message("method", "elicitation/create")
        try directory.write("shop.yaml", "turnstone: 1\nrequests: { create: { delete: \(server.baseURL)/anything/all } }")
        client.tell(#"{"id":"question-1","result":{"action":"accept","content":{}}}"#)
        let sent = await client.result(of: 1)
        #expect(JSONParser.parse(sent.texts[0])?["runs"]?.items.map { $0["method"]?.string } == ["POST"])
        #expect(await client.end() == 0)
        await server.stop()
    }

    @Test func `a call ends when it is cancelled, or the client has gone`() async throws {
        let server = try await DemoServer()
        let arguments = #"{"names":["slow"],"variables":{"host":"\#(server.baseURL)"}}"#
        let client = Conversation([collection], environment: environment)
        client.call(1, "run_requests", arguments)
        client.tell(#"{"method":"notifications/cancelled","params":{"requestId":1}}"#)
        client.tell(#"{"id":2,"method":"ping"}"#)
        #expect(await client.message("id", .number("2"))["result"] == .object([]))
        client.call(3, "run_requests", arguments)
        #expect(await client.end() == 0)
        await server.stop()
    }

    @Test func `runs of other collections are not read`() async throws {
        let server = try await DemoServer()
        let other = try directory.write("other.yaml", "turnstone: 1\nrequests: { a: { get: \(server.baseURL)/anything } }")
        #expect(await CommandLineRun.run(["run", other], environment: environment).status == .success)
        let client = Conversation([collection], environment: environment)
        client.call(1, "list_runs")
        #expect(await client.result(of: 1).texts == ["(nothing)"])
        client.call(2, "read_run", #"{"run":1}"#)
        let read = await client.result(of: 2)
        #expect(read.isError)
        #expect(read.texts == ["Run 1 is none of these collections'."])
        #expect(await client.end() == 0)
        await server.stop()
    }
}
