import CurlTransport
import Explorer
import Foundation
import NetworkLayer
import NetworkLayerTesting
import TerminalUI

import class TerminalTesting.ScriptedTerminal

/// The explorer's loop on a terminal that plays a script: sends one request after another, and looks at what comes in every way there is.
struct ExplorerRound {
    let number: Int
    let server: TortureServer
    private var random: SeededGenerator

    private static let size = 40

    init(number: Int, seed: UInt64, server: TortureServer) {
        self.number = number
        self.server = server
        random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    }

    @MainActor
    mutating func play(_ tally: inout Tally) async throws -> [String] {
        let before = Descriptors.open
        var problems = try explore(&tally)
        // A key that came while the same row was chosen has sent its request once more.
        problems += try server.turnPage().brokenRules.filter { !$0.contains(" times: ") }
        problems += await Descriptors.problems(before: before)
        return problems
    }

    @MainActor
    private mutating func explore(_ tally: inout Tally) throws -> [String] {
        let collection = try TortureCollection(ids: number * 1000..<number * 1000 + Self.size, server: server, random: &random)
        let ends = EndCounter()
        let client = NetworkClient(transport: CurlTransport(), settings: .init(maxConcurrentPerHost: 8, maxConcurrent: 16))
        let registration = client.addObserver(ends)
        defer { registration.cancel() }
        var steps: [ScriptedTerminal.Step] = [.until { $0.text.contains("r\(collection.requests[0].id)") }]
        for sent in 1...Self.size {
            steps.append(.events([.key(KeyPress(.function(5)))]))
            steps += (0..<Int.random(in: 0...6, using: &random)).map { _ in .events([look()]) }
            // Some come back before the next is sent, and several are under way at a time.
            if Int.random(in: 0..<3, using: &random) == 0 { steps.append(.until { _ in ends.count >= sent - 4 }) }
            steps.append(.events([.key(KeyPress(.escape)), .key(.character("1")), .key(KeyPress(.down))]))
        }
        steps.append(.until { _ in ends.count >= ends.begun })
        // Once more, for when the screen hasn't heard of the last end yet: then it asks.
        let leave: [TerminalEvent] = ["1", "q", "q"].map { .key(.character($0)) }
        steps.append(.events([.key(KeyPress(.escape))] + leave))
        let terminal = ScriptedTerminal(size: Size(columns: 110, rows: 34), steps: steps, patience: .seconds(220))
        let opening = ExplorerOpening(collections: [collection.path])
        let exit: Explorer.Exit = try Explorer(
            terminal: terminal, services: ExplorerServices(client: client, editor: NoEditor()), opening: opening
        ).run()
        tally.requests += ends.begun
        tally.succeeded += ends.succeeded
        var problems =
            terminal.didRunOut || exit != .quit
            ? ["the script waits for something that never came; the screen:\n\(terminal.text)"] : []
        if ends.begun < Self.size / 2 {
            problems.append("only \(ends.begun) of \(Self.size) requests were sent; the screen:\n\(terminal.text)")
        }
        if ends.count != ends.begun { problems.append("\(ends.begun) operations began, and \(ends.count) ended") }
        return problems
    }

    /// Something that looks at an answer, and changes nothing.
    private mutating func look() -> TerminalEvent {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .key(.character("4"))
        case 1: .key(.character("]"))
        case 2: .key(.character("["))
        case 3: .key(.character("G"))
        case 4: .key(.character("g"))
        case 5: .key(KeyPress(.pageDown))
        case 6: .key(.character("o"))
        case 7: .key(.character("L"))
        case 8: .key(.character("F"))
        case 9: .key(.character("z"))
        case 10: .resize(Size(columns: Int.random(in: 40...140, using: &random), rows: Int.random(in: 12...50, using: &random)))
        default: .key(.character("3"))
        }
    }
}

private struct NoEditor: ExternalEditor {
    func edit(_ text: String, fileExtension: String) -> String { text }
}

/// How many operations began and ended.
private final class EndCounter: NetworkObserver {
    private let counts = Recorder<(isEnd: Bool, succeeded: Bool)>()

    var begun: Int { counts.all.count { !$0.isEnd } }
    var count: Int { counts.all.count { $0.isEnd } }
    var succeeded: Int { counts.all.count { $0.succeeded } }

    func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        switch event.kind {
        case .enqueued: counts.append((isEnd: false, succeeded: false))
        case .completed(_, let error): counts.append((isEnd: true, succeeded: error == nil))
        default: break
        }
    }
}
