import Foundation
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Presentation
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Many operations at once, and ten times as many events among the keys; `make typing` takes a thousand.
@MainActor @Suite(.serialized) struct BusyExplorerTests: LoopScript {
    private static let operations = ProcessInfo.processInfo.environment["BUSY_OPERATIONS"].flatMap { Int($0) } ?? 100

    private static let shop = """
        turnstone: 1
        defaults: { timeouts: { idle: never, attempt: never, operation: never } }
        requests:
          birds: { get: "http://127.0.0.1:9/birds" }
          order: { get: "http://127.0.0.1:9/orders" }

        """

    /// Hears all, and whether anything was missing between two events of an operation.
    private final class Witness: NetworkObserver {
        private struct State {
            var (events, ended, gaps) = (0, 0, 0)
            var next: [OperationID: Int] = [:]
        }

        private let state = Mutex(State())

        var events: Int { state.withLock { $0.events } }
        var ended: Int { state.withLock { $0.ended } }
        var gaps: Int { state.withLock { $0.gaps } }

        func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            state.withLock { state in
                state.events += 1
                if event.sequence != state.next[event.operation, default: 0] { state.gaps += 1 }
                state.next[event.operation] = event.sequence + 1
                if case .completed = event.kind { state.ended += 1 }
            }
        }
    }

    @Test func `no event is lost, and each key is answered while they come`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let transport = ScriptedTransport { _ in
            Script([
                .connectionAcquired(.loopback), .requestHeadSent(Data("GET / HTTP/1.1\r\n\r\n".utf8)), .requestSent,
                .head(ResponseHead(status: .ok, headers: [.contentType: "text/plain"])),
            ])
        }
        let client = NetworkClient(
            transport: transport, settings: .init(maxConcurrentPerHost: Self.operations, maxConcurrent: Self.operations))
        let witness = Witness()
        let registration = client.addObserver(witness)
        defer { registration.cancel() }
        var steps: [ScriptedTerminal.Step] = [shows("2 birds")]
        steps += (0..<Self.operations).map { _ in key(.function(5)) }
        steps += [
            .until { _ in transport.transfers.count == Self.operations }, shows("\(Self.operations) running"),
            .look { _ in
                let transfers = transport.transfers
                Thread.detachNewThread {
                    let piece = Data("0123456789".utf8)
                    for received in 1...9 {
                        for transfer in transfers { transfer.send(.body(piece, received: Int64(received * 10), expected: 90)) }
                    }
                    for transfer in transfers { transfer.send(.finished(TransferResult())) }
                }
            },
        ]
        for _ in 0..<25 { steps += [key(.down), shows("2 order"), key(.up), shows("2 birds")] }
        steps += [
            .until { _ in witness.ended == Self.operations }, .events([.key(.character("1"))]),
            shows("history \(Figures.count(Self.operations))"),
            .until { !$0.text.contains("running") }, .events([.key(.character("q"))]),
        ]
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: steps, patience: .seconds(600))
        let services = ExplorerServices(client: client, editor: NoEditor())
        try terminal.play(in: folder, with: services)
        #expect(witness.ended == Self.operations && witness.gaps == 0)
        #expect(witness.events >= 10 * Self.operations)
        // Not each event is drawn.
        #expect(terminal.frames.count < witness.events)
    }

    @Test func `a WebSocket with many messages keeps no key waiting, and has them all`() throws {
        let folder = try TemporaryFolder([
            "shop.yaml": """
            turnstone: 1
            requests:
              prices: { websocket: "ws://127.0.0.1:9/prices" }
              order: { get: "http://127.0.0.1:9/orders" }

            """
        ])
        let transport = MockTransport()
        let ticks = (1...20_000).map { number in
            let text = Array(#"{"tick":\#(number)}"#.utf8)
            // A text in one frame (RFC 6455, section 5.2).
            return MockSessionStep.bytes(Data([0x81, UInt8(text.count)] + text))
        }
        transport.register(.webSocket(ticks + [.echo]), at: "http://127.0.0.1:9/prices")
        var steps: [ScriptedTerminal.Step] = [shows("2 prices"), key(.function(5)), shows("▶ open"), type("1")]
        for _ in 0..<10 { steps += [key(.down), shows("2 order"), key(.up), shows("2 prices")] }
        steps += [
            shows(#"{"tick":20000}"#), type("4"), type("e"), shows("a message; Enter sends it"), type("enough"), key(.enter),
            shows("↓ 20,001"), .events([.key(.control("d"))]), shows("✓ closed 1000"), key(.escape), type("q"),
        ]
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: steps, patience: .seconds(600))
        try terminal.play(in: folder, with: ExplorerServices(client: NetworkClient(transport: transport), editor: NoEditor()))
        // Not each message is drawn.
        #expect(terminal.frames.count < 2_000)
    }
}
