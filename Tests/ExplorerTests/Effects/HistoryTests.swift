import Foundation
import HTTPTypes
import History
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Sessions one after the other, with one history.
@MainActor @Suite(.serialized) struct SessionHistoryTests: LoopScript {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "shop.yaml": """
            turnstone: 1
            requests:
              bird:
                get: http://127.0.0.1:9/bird
                mock: { status: 203, body: { text: a mocked bird } }

            """
        ])
    }

    @discardableResult
    private func session(
        answering body: String?, status: HTTPResponse.Status = .ok, keepsHistory: Bool = true, usesMocks: Bool = false,
        _ steps: [ScriptedTerminal.Step]
    ) throws -> ScriptedTransport {
        let transport = ScriptedTransport { _ in
            guard let body else { return .nothing }
            return .respond(status: status, headers: [.contentType: "text/plain"], body: Data(body.utf8))
        }
        let mocks = usesMocks ? MockTransport(fallback: transport) : nil
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("bird")] + steps + [type("q")])
        let services = ExplorerServices(
            client: NetworkClient(transport: mocks ?? transport), editor: NoEditor(),
            history: keepsHistory ? LazyHistory(path: folder.path("history.sqlite")) : nil, mocks: mocks)
        try terminal.play(in: folder, with: services)
        return transport
    }

    private var kept: [HistoryRun] {
        get throws { try History(path: folder.path("history.sqlite")).runs() }
    }

    private var isKept: ScriptedTerminal.Step {
        let path = folder.path("history.sqlite")
        return .until { _ in ((try? History(path: path).runs()) ?? []).isEmpty == false }
    }

    @Test func `a run of one session is shown, with its body, and sent again in the next`() throws {
        try session(answering: "the first\nshared", [type("s"), shows("the first"), isKept])
        let transport = try session(
            answering: "the second\nshared", status: .accepted,
            [
                shows("6 history 1"), type("6"), key(.enter), shows("run 1 of"), shows("the first"), type("6r"), key(.escape),
                shows("the second"),
                shows("6 history 2"), type("6"), type("cjc"), shows("Two runs"), shows("- the first"), shows("+ the second"),
                shows("+ 202 Accepted"), key(.escape),
            ])
        #expect(transport.requests.count == 1)
        #expect(try kept.map(\.status) == [202, 200])
    }

    @Test func `what runs when the explorer is left is kept as cancelled`() throws {
        try session(answering: nil, [type("s"), shows("▶ queue"), type("q"), shows("would be cancelled")])
        #expect(try kept.map(\.outcome) == [.cancelled])
    }

    @Test func `without a history nothing is kept`() throws {
        try session(answering: "the first", keepsHistory: false, [type("s"), shows("the first")])
        #expect(!FileManager.default.fileExists(atPath: folder.path("history.sqlite")))
    }

    @Test func `a history that can't be kept is said once`() throws {
        try Data("this is no database, whatever its name says".utf8).write(to: URL(filePath: folder.path("history.sqlite")))
        try session(answering: "the first", [type("s"), shows("isn't kept: the history"), type("s"), shows("history 2")])
    }

    @Test func `a history that can be kept again is kept again, and the next problem is said anew`() throws {
        let path = folder.path("history.sqlite")
        let garbage = Data("this is no database, whatever its name says".utf8)
        try garbage.write(to: URL(filePath: path))
        try session(
            answering: "the first",
            [
                type("s"), shows("isn't kept: the history"), .look { _ in try? FileManager.default.removeItem(atPath: path) },
                type("s"), shows("runs are kept again"), isKept,
            ])
        #expect(try kept.count == 1)
    }

    @Test func `looking makes no history`() throws {
        try session(answering: "the first", [])
        #expect(!FileManager.default.fileExists(atPath: folder.path("history.sqlite")))
    }

    @Test func `with mocks nothing goes out, and the screen says so`() throws {
        let transport = try session(
            answering: "a real bird", usesMocks: true, [shows("  mocks"), type("s"), shows("a mocked bird")])
        #expect(transport.requests.count == 0)
    }
}
