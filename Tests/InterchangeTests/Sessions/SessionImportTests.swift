import RequestCollections
import Testing

@testable import Interchange

/// WebSockets of other programs, each with what it sends.
@Suite struct SessionImportTests {
    private static func request(_ text: String, path: String) throws -> RequestDefinition {
        let collection = RequestCollection.of(try ImportedText(text, path: path).yaml)
        let request = try #require(collection.requests.first)
        #expect(collection.problems + request.problems == [])
        #expect(request.isWebSocket)
        return request
    }

    private static func steps(_ text: String, path: String) throws -> [String] {
        try request(text, path: path).messages.map { "\($0)".replacing("\n", with: "").replacing("  ", with: "") }
    }

    @Test func `Bruno's language has a block for each message`() throws {
        let text = """
            meta {
              name: Chat
              type: ws
            }

            ws {
              url: wss://{{host}}/chat
              body: ws
              auth: none
            }

            headers {
              Sec-WebSocket-Protocol: chat.v1
            }

            body:ws {
              name: message 1
              type: json
              content: '''
                {"type":"join"}
              '''
            }

            body:ws {
              name: message 2
              type: text
              content: hi {{name}}
            }

            """
        #expect(try Self.steps(text, path: "chat.bru") == [#"send {"type": "join"}"#, "send hi {{name}}", "wait 10s"])
        #expect(try Self.request(text, path: "chat.bru").url == "wss://{{host}}/chat")
    }

    @Test func `OpenCollection has one message or several`() throws {
        let one = """
            info: { name: Chat, type: websocket }
            websocket:
              url: wss://h/chat
              message: { type: text, data: hello }
            """
        #expect(try Self.steps(one, path: "chat.yml") == ["send hello", "wait 10s"])
        let several = """
            info: { name: Chat, type: websocket }
            websocket:
              url: wss://h/chat
              headers: [{ name: x-a, value: "1" }]
              message:
                - { title: a, message: { type: json, data: "[1]" } }
                - { title: b, selected: true, message: { type: text, data: "[2]" } }
            """
        #expect(try Self.steps(several, path: "chat.yml") == ["send [1]", "send [2]", "wait 10s"])
        #expect(try Self.request(several, path: "chat.yml").headers.map(\.name) == ["x-a"])
    }

    @Test func `Insomnia 4 has payloads beside the request`() throws {
        let text = #"""
            {"_type":"export","__export_format":4,"resources":[
              {"_id":"wrk","_type":"workspace","name":"W"},
              {"_id":"ws-req_1","_type":"websocket_request","parentId":"wrk","name":"Chat","url":"ws://h/"},
              {"_id":"ws-payload_1","_type":"websocket_payload","parentId":"ws-req_1","name":"p","value":"{\"a\":1}","mode":"application/json"}]}
            """#
        #expect(try Self.steps(text, path: "insomnia.json") == [#"send {"a": 1}"#, "wait 10s"])
    }

    @Test func `curl and Postman have a URL alone, which listens`() throws {
        #expect(try Self.request("curl -H 'x-a: 1' wss://h/prices", path: "a.sh").messages == [])
        let postman =
            #"{"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"#
            + #""item":[{"name":"Chat","request":{"method":"GET","url":"wss://h/chat"}}]}"#
        #expect(try Self.request(postman, path: "p.json").url == "wss://h/chat")
    }

    private static func notes(_ text: String, path: String) throws -> String {
        try ImportedText(text, path: path).notes.map { "\($0)" }.joined(separator: "\n")
    }

    @Test func `what can't open a session is named, and the step that is added`() throws {
        let curl = try Self.notes("curl -d a=1 wss://h/prices", path: "a.sh")
        #expect(curl.contains("the method POST, and its body"), "\(curl)")
        let postman =
            #"{"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"#
            + #""item":[{"name":"Chat","request":{"method":"POST","url":"wss://h/chat","body":{"mode":"raw","raw":"x"}}}]}"#
        let notes = try Self.notes(postman, path: "p.json")
        #expect(notes.contains("the method POST") && notes.contains("the body: a WebSocket"), "\(notes)")
        #expect(try Self.notes("WEBSOCKET ws://h/\n\nhello\n", path: "a.http").contains("`wait 10s` follows its messages"))
    }

    // MARK: And back

    private static let collection = RequestCollection.of(
        """
        turnstone: 1
        requests:
          chat:
            websocket: wss://h/chat
            subprotocols: [chat.v1]
            messages:
              - send: { json: { type: join } }
              - receive: exists
              - send: hello
              - receive: { .type: bye }
              - close: 1000

        """)

    @Test func `OpenCollection takes the messages, and names the rest`() throws {
        let exported = try OpenCollectionExport(Self.collection, requests: Self.collection.requests).result
        #expect(exported.text.contains("websocket"), "\(exported.text)")
        let notes = exported.notes.map(\.description).joined(separator: "\n")
        #expect(
            notes.contains("`messages`: receive body .type is bye within 10s") && notes.contains("`messages`: close 1000"),
            "\(notes)")
    }

    @Test func `a file of JetBrains reads back as it was, without what it can't say`() throws {
        let exported = try HTTPFileExport(Self.collection, requests: Self.collection.requests, dialect: .jetbrains).result
        #expect(
            exported.text.contains("WEBSOCKET wss://h/chat\nSec-WebSocket-Protocol: chat.v1\n"), "\(exported.text)")
        #expect(
            try Self.steps(exported.text, path: "chat.http") == [
                #"send {"type": "join"}"#, "receive body is exists within 10s", "send hello", "receive body is exists within 10s",
            ])
        let code = try HTTPFileExport(Self.collection, requests: Self.collection.requests, dialect: .vscode).result
        #expect(code.notes.contains { $0.description.contains("--dialect jetbrains") })
    }

    @Test func `what a .http file would take for something else is refused, and what it can't say is named`() throws {
        func exported(_ messages: String) throws -> (text: String, notes: String) {
            let collection = RequestCollection.of(
                "turnstone: 1\nrequests:\n  a: { websocket: ws://h/, session: { ping: never }, messages: [\(messages)] }\n")
            let result = try HTTPFileExport(collection, requests: collection.requests, dialect: .jetbrains).result
            let bruno = try OpenCollectionExport(collection, requests: collection.requests).result
            #expect(bruno.notes.contains { "\($0)".contains("`session`") })
            return (result.text, result.notes.map { "\($0)" }.joined(separator: "\n"))
        }
        #expect(try exported("{ send: \"< notafile\" }").notes.contains("begins with `<`"))
        let rest = try exported("{ send: \"\" }, { send: { file: a.txt } }, { receive: exists, within: 1s }")
        #expect(rest.text.contains("\n< ./a.txt\n"), "\(rest.text)")
        for words in ["`session`", "an empty one", "within 1s"] { #expect(rest.notes.contains(words), "\(rest.notes)") }
    }

    @Test func `curl listens`() throws {
        let export = try CurlExport(try #require(Self.collection.requests.first), in: Self.collection, environment: nil)
        #expect(export.command.contains("wss://h/chat"), "\(export.command)")
        #expect(export.notes.contains { $0.contains("its messages aren't sent") })
    }

    @Test func `a subscription is exported with the messages of its protocol`() throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { a: { websocket: wss://h/graphql, body: { graphql: 'subscription { a }' } } }")
        let file = try HTTPFileExport(collection, requests: collection.requests, dialect: .jetbrains).result.text
        #expect(file.contains("Sec-WebSocket-Protocol: graphql-transport-ws\n") && !file.contains("Content-Type"), "\(file)")
        #expect(try Self.steps(file, path: "a.http").first == "send {\"type\": \"connection_init\"}")
        let other = try OpenCollectionExport(collection, requests: collection.requests).result.text
        #expect(other.contains("connection_init") && other.contains("subscription { a }"), "\(other)")
    }
}
