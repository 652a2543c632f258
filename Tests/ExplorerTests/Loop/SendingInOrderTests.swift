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

/// Several requests sent one after the other, faster than any of them can be prepared.
@MainActor @Suite(.serialized) struct SendingInOrderTests: LoopScript {
    /// Ends in `q`.
    private func run(
        _ shop: String, answers: @escaping @Sendable (Request) -> Script = { _ in .respond() }, atOnce: Int? = nil,
        _ steps: [ScriptedTerminal.Step]
    ) throws -> (explorer: Explorer, terminal: ScriptedTerminal, transport: ScriptedTransport) {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let transport = ScriptedTransport { answers($0.request) }
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("127.0.0.1:9")] + steps)
        var settings = NetworkClient.Settings()
        settings.maxConcurrent = atOnce
        let services = ExplorerServices(
            client: NetworkClient(transport: transport, settings: settings), builtIn: .everything, editor: NoEditor())
        let explorer = try terminal.play(in: folder, with: services)
        return (explorer, terminal, transport)
    }

    /// All of it has ended by then; in the order in which it entered the queue.
    private func operations(_ explorer: Explorer) -> [OperationEntry] {
        explorer.state.operations.finished.reversed().compactMap { explorer.state.operations[$0] }
    }

    private func entered(_ explorer: Explorer) -> [String] { operations(explorer).map { $0.sent.definition.id.rawValue } }

    /// Some need more time to be filled in than others: the later ones are ready first.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func `requests enter the queue as their keys were pressed, and have numbers in that order`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 3...9, using: &random)
        let requests = (0..<count).map { index in
            let templates = String(repeating: "{{uuid()}} ", count: Int.random(in: 0...400, using: &random))
            return "  r\(index): { post: \"http://127.0.0.1:9/r\(index)\", body: { text: \"\(templates)\" } }"
        }
        let shop = "turnstone: 1\nrequests:\n\(requests.joined(separator: "\n"))\n"
        let keys = Array(repeating: "s", count: count).joined(separator: "j")
        let (explorer, _, transport) = try run(
            shop, atOnce: 1,
            [
                type(":>pause-queue"), key(.enter), type(keys), shows("\(count) waiting"), type(":>pause-queue"), key(.enter),
                ends(count), type("q"),
            ])
        let expected = (0..<count).map { "r\($0)" }
        #expect(entered(explorer) == expected)
        let numbers = operations(explorer).map(\.id.rawValue)
        #expect(numbers == numbers.sorted())
        #expect(transport.requests.map { String($0.url.path().dropFirst()) } == expected)
    }

    @Test func `a request that asks holds up none that is sent after it, and goes behind them when it is answered`() throws {
        let (explorer, _, transport) = try run(
            """
            turnstone: 1
            requests:
              asks: { get: 'http://127.0.0.1:9/{{prompt("Which bird?")}}' }
              plain: { get: "http://127.0.0.1:9/plain" }

            """,
            [
                type("sjs"), shows("Which bird?"), type("tern"), key(.enter), ends(2), type("q"),
            ])
        #expect(entered(explorer) == ["plain", "asks"])
        #expect(transport.requests.map { $0.url.path() } == ["/plain", "/tern"])
    }

    /// One command gives both their secret. It is held up until the one that needs none has gone by.
    @Test func `those that wait for the same secret stay in order, and a request without it goes before them`() throws {
        for _ in 0..<8 {
            let folder = try TemporaryFolder()
            let pipe = folder.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            let (explorer, _, _) = try run(
                """
                turnstone: 1
                variables: { key: { secret: { command: [cat, "\(pipe)"] } } }
                requests:
                  first: { get: "http://127.0.0.1:9/first", headers: { x-key: "{{key}}" } }
                  second: { get: "http://127.0.0.1:9/second", headers: { x-key: "{{key}}" } }
                  third: { get: "http://127.0.0.1:9/third", headers: { x-key: "{{key}}" } }
                  plain: { get: "http://127.0.0.1:9/plain" }

                """,
                [
                    type("sjsjsjs"), shows("200 OK"), shows("3 waiting"),
                    .look { _ in
                        let end = FileHandle(forWritingAtPath: pipe)
                        end?.write(Data("k".utf8))
                        try? end?.close()
                    }, ends(4), type("q"),
                ])
            #expect(entered(explorer) == ["plain", "first", "second", "third"])
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `a request that fails before it is sent holds nobody up`() throws {
        let (explorer, _, _) = try run(
            """
            turnstone: 1
            requests:
              broken: { get: "http://127.0.0.1:9/{{missing}}" }
              plain: { get: "http://127.0.0.1:9/plain" }

            """, [type("sjs"), shows("Not sent"), key(.escape), ends(1), type("q")])
        #expect(entered(explorer) == ["plain"])
    }

    // MARK: What waits for what

    private static let chain = """
        turnstone: 1
        requests:
          login: { post: "http://127.0.0.1:9/login", capture: { token: .token } }
          cart: { get: "http://127.0.0.1:9/cart", needs: login, headers: { x-token: "{{token}}" } }
          order: { get: "http://127.0.0.1:9/order", needs: [login, cart] }
          plain: { get: "http://127.0.0.1:9/plain" }

        """

    private nonisolated static func answer(_ request: Request) -> Script {
        .respond(headers: [.contentType: "application/json"], body: Data(#"{"token":"t"}"#.utf8))
    }

    @Test func `the queue shows below an operation what waits for it, and X there cancels both`() throws {
        let (explorer, terminal, transport) = try run(
            Self.chain, answers: Self.answer,
            [
                type(":>pause-queue"), key(.enter), type("jjs"), shows("2 waiting"), type("5"), shows("└ ord"),
                .look { terminal in
                    let rows = terminal.text.split(separator: "\n").map(String.init)
                    let cart = rows.firstIndex { $0.contains("└ cart") } ?? 1
                    #expect(rows[cart - 1].contains("login"))
                    #expect(rows[cart + 1].contains("  └ ord"))
                },
                type(":>cancel-all"), key(.enter), shows("order was cancelled before it was sent"), type(":>pause-queue"),
                key(.enter), type("q"),
            ])
        #expect(transport.requests == [])
        #expect(operations(explorer).allSatisfy { $0.state == .cancelled })
        // It isn't a failure of what waited: there is no row for that.
        #expect(entered(explorer) == ["login"])
        #expect(!terminal.text.contains("× need"))
    }

    @Test func `x on what waits cancels that alone, and what runs for it alone`() throws {
        let (explorer, _, _) = try run(
            Self.chain, answers: Self.answer,
            [
                type(":>pause-queue"), key(.enter), type("jjsjs"), shows("plain"), type("5"), shows("└ ord"), type("Gk"), type("x"),
                shows("order was cancelled before it was sent"), type(":>pause-queue"), key(.enter), ends(2), type("q"),
            ])
        let ended = operations(explorer).map { "\($0.sent.definition.id) \($0.state)" }
        #expect(ended.sorted() == ["login cancelled", "plain succeeded"])
    }

    @Test func `a request says in its verdict what it waits for, and x takes it back from there`() throws {
        let (explorer, _, _) = try run(
            Self.chain, answers: Self.answer,
            [
                type(":>pause-queue"), key(.enter), type("jjs"), shows("◦ waits for login"), type("x"),
                shows("cancelled before it was sent"), type(":>pause-queue"), key(.enter), type("q"),
            ])
        #expect(explorer.state.queueRows.isEmpty)
    }
}
