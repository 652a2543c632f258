import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Runs of saved requests: what they ask, need and find out, seen from where the user sits.
@MainActor @Suite(.serialized) struct RunTests: LoopScript {
    private static let shop = """
        turnstone: 1
        requests:
          login:
            post: http://127.0.0.1:9/login
            capture: { token: .token }
          list:
            get: http://127.0.0.1:9/list
            needs: login
            headers: { x-token: "{{token}}" }
            expect: { status: 200, body: { .total: "> 0" } }
          asked:
            get: http://127.0.0.1:9/asked
            headers: { x-code: '{{prompt("Code")}}', x-where: '{{select("Where", ["eu", "us"])}}' }
          taking: { get: http://127.0.0.1:9/taking, headers: { x-token: "{{token}}" } }
          refused: { post: http://127.0.0.1:9/refused, capture: { other: .token } }
          down: { get: http://127.0.0.1:9/down, expect: { status: 200, body: { .total: "> 0" } } }

        """

    private func run(
        _ steps: [ScriptedTerminal.Step], in shop: String = Self.shop, trust: Trust = .nothing
    ) throws -> (ScriptedTerminal, ScriptedTransport) {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let transport = ScriptedTransport { request in
            if request.request.url.path() == "/down" {
                return .fail(
                    NetworkError(
                        .cannotConnect, phase: .connection, type: ErrorType.connectionRefused, message: "nobody listens there"))
            }
            let body = request.request.url.path() == "/login" ? #"{"token":"t-1"}"# : #"{"total":0}"#
            return .respond(headers: [.contentType: "application/json"], body: Data(body.utf8))
        }
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("asked")] + steps)
        let services = ExplorerServices(client: NetworkClient(transport: transport), builtIn: trust, editor: NoEditor())
        try terminal.play(in: folder, with: services)
        return (terminal, transport)
    }

    @Test func `what a request asks is answered in the explorer`() throws {
        let (_, transport) = try run([
            type("jjs"), shows("Enter answers"), type("47"), key(.enter), shows("Enter takes it"), key(.down), key(.enter),
            shows("\"total\": 0"), type("q"),
        ])
        #expect(transport.requests.map { $0.headers.map(\.value) } == [["47", "us"]])
    }

    @Test func `a question that is declined sends nothing`() throws {
        let (terminal, transport) = try run([
            type("jjs"), shows("Enter answers"), key(.escape), shows("`Code` was not answered"),
            key(.escape), type("q"),
        ])
        #expect(transport.requests == [])
        _ = terminal
    }

    @Test func `what captures a variable is sent first, and shown`() throws {
        let (terminal, transport) = try run([type("jjjs"), shows("\"total\": 0"), type("q")])
        #expect(transport.requests.map { $0.url.path() } == ["/login", "/taking"])
        #expect(transport.requests.last?.headers.map(\.value) == ["t-1"])
        #expect(terminal.text.contains("history 2"))
    }

    @Test func `what could not be captured is named where the verdict is`() throws {
        let (terminal, _) = try run([type("jjjjs"), shows("other was not captured"), type("q")])
        #expect(!terminal.text.contains("check failed"))
    }

    @Test func `a refused connection comes before the checks that nobody could look at`() throws {
        let (terminal, _) = try run([type("jjjjjs"), shows("-/2 checks"), type("4"), shows("✗ conn"), type("q")])
        #expect(terminal.text.contains("✗ failed: connection"))
        #expect(!terminal.text.contains("✗ ok") && !terminal.text.contains("check failed"))
        #expect(terminal.text.components(separatedBy: "nobody listens there").count == 2)
    }

    @Test func `a secret that the environment lacks is typed, masked, and goes along`() throws {
        let (terminal, transport) = try run(
            [
                type("s"), shows("Not sent"), type("p"), shows("Set key"), type("hunter2"), shows("•••••••"), key(.enter),
                shows("\"total\": 0"), type("q"),
            ],
            in: """
                turnstone: 1
                variables: { key: { secret: { env: TURNSTONE_NOWHERE } } }
                requests:
                  asked: { get: http://127.0.0.1:9/list, headers: { x-key: "{{key}}" } }

                """, trust: .everything)
        #expect(transport.requests.map { $0.headers.map(\.value) } == [["hunter2"]])
        #expect(!terminal.text.contains("hunter2"))
    }

    @Test func `what it needs is in the history, and what isn't as expected is marked`() throws {
        let (terminal, transport) = try run([
            type("js"), shows("1/2 checks"), type("gc"), shows("found 0"), type("q"),
        ])
        #expect(transport.requests.map { $0.url.path() } == ["/login", "/list"])
        #expect(terminal.text.contains("shop.yaml:10:"))
        #expect(terminal.text.contains("history 2"))
    }
}
