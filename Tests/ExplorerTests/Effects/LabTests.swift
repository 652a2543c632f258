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

/// The lab in the loop: what it sends, and what the screen says of it.
@MainActor @Suite(.serialized) struct LabTests: LoopScript {
    private static let shop = """
        turnstone: 1
        requests:
          login: { post: http://127.0.0.1:9/login, capture: { token: .token } }
          list: { get: http://127.0.0.1:9/list, headers: { x-token: "{{token}}" } }

        """

    private func run(_ steps: [ScriptedTerminal.Step], _ script: @escaping @Sendable (TransferRequest) -> Script) throws
        -> ScriptedTransport
    {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let transport = ScriptedTransport(script: script)
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("list")] + steps)
        let services = ExplorerServices(client: NetworkClient(transport: transport), builtIn: .everything, editor: NoEditor())
        try terminal.play(in: folder, with: services)
        return transport
    }

    nonisolated private static func answer(_ request: TransferRequest) -> Script {
        let body = request.request.url.path() == "/login" ? #"{"token":"t-1"}"# : #"{"total":0}"#
        return .respond(headers: [.contentType: "application/json"], body: Data(body.utf8))
    }

    @Test func `what a request needs is sent once, and the request a hundred times`() throws {
        let transport = try run(
            [type("jB"), shows("Lab: list"), key(.enter), shows("100 of 100"), shows("✓ 100 × 200"), type("qq")], Self.answer)
        let paths = transport.requests.map { $0.url.path() }
        #expect(paths.filter { $0 == "/login" }.count == 1)
        #expect(paths.filter { $0 == "/list" }.count == 100)
        #expect(transport.requests.allSatisfy { $0.url.path() == "/login" || $0.headers[HTTPField.Name("x-token")!] == "t-1" })
    }

    @Test func `cold connections are asked for every second time`() throws {
        let transport = try run(
            [type("jB"), shows("Lab: list"), key(.up), key(.right), key(.right), key(.enter), shows("100 of 100"), type("qq")],
            Self.answer)
        let lists = transport.transfers.map(\.request).filter { $0.request.url.path() == "/list" }
        #expect(lists.filter { !$0.options.reusesConnections }.count == 50)
    }

    @Test func `x keeps what was measured, and a second x cancels what hangs`() throws {
        let count = Mutex(0)
        let transport = try run(
            [
                type("jB"), shows("Lab: list"), key(.enter), shows("▶ 7 of 100"), type("x"), shows("stops"), type("x"),
                shows("■ 7 of 100"), type("qq"),
            ]
        ) { request in
            guard request.request.url.path() == "/list" else { return Self.answer(request) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number <= 7 ? Self.answer(request) : .nothing
        }
        #expect(transport.requests.count <= 1 + 7 + 4)
    }

    @Test func `a what-if goes over a new connection, and is marked`() throws {
        let transport = try run(
            [
                type("js"), shows("\"total\": 0"), type("."), shows("Again, but"), key(.down), key(.down), key(.right), key(.enter),
                // While it is under way, `q` asks. The first two runs are those of `login` and `list`.
                .until { screen in
                    let text = screen.text
                    return ["what if: fresh connection", "✓ 200", "history 3"].allSatisfy { text.contains($0) }
                }, type("q"),
            ], Self.answer)
        #expect(transport.transfers.last?.request.options.reusesConnections == false)
    }
}
