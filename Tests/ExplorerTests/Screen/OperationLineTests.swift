import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The attempts of an operation` {
    @Test func `are followed to the newest one until another is chosen`() {
        var script = EventScript.redirects()
        var explorer = ExplorerDriver.having(script)
        #expect(explorer.state.shownAttempt?.number == 4)
        explorer.press(.previousAttempt, .previousAttempt)
        #expect(explorer.state.shownAttempt?.number == 2)
        explorer.press(.nextAttempt, .nextAttempt)
        let count = script.events.count
        script.attempt(at: 500, EventScript.request(), .retry)
        for event in script.events.dropFirst(count) { explorer.send(.network(event)) }
        #expect(explorer.state.shownAttempt?.number == 5)
    }

    @Test func `are chosen anew when another operation is shown`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.previousAttempt, .previousAttempt)
        explorer.run(.retries().renumbered(2))
        #expect(explorer.state.shownAttempt?.number == 3)
    }

    @Test func `{ and } go to the attempt or hop before and behind, from any pane, and say which it is`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusResponse, .previousAttempt)
        #expect(explorer.state.shownAttempt?.number == 3)
        #expect(explorer.state.notice?.text == "attempt 3 of 4: 301")
        #expect(explorer.state.screen.focus == .response)
        explorer.press(.focusCollection, .previousAttempt, .previousAttempt, .previousAttempt)
        #expect(explorer.state.shownAttempt?.number == 1)
        #expect(explorer.state.notice?.text == "this is the first attempt")
        explorer.press(.nextAttempt, .nextAttempt, .nextAttempt)
        #expect(explorer.state.shownAttempt?.number == 4)
        explorer.press(.nextAttempt)
        #expect(explorer.state.notice?.text == "this is the last attempt")
    }

    @Test func `{ has nothing to show before the first attempt`() {
        var explorer = ExplorerDriver()
        explorer.press(.previousAttempt)
        #expect(explorer.state.notice?.text == "there is no attempt to show")
        explorer.run(.success())
        explorer.press(.nextAttempt)
        #expect(explorer.state.notice?.text == "this is the only attempt")
    }
}

@Suite struct `The operation's line` {
    private func lines(_ script: EventScript, at milliseconds: Double? = nil, columns: Int = 120, rows: Int = 40) -> [String] {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        explorer.run(script)
        if let milliseconds { explorer.tick(milliseconds) }
        guard let area = explorer.state.layout.operationLine else { return [] }
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        return (area.row..<area.endRow).map { row in
            let text = String((area.column..<area.endColumn).map { frame[$0, row].character })
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test func `says what came, and shows the phases to scale, those of each attempt and the waits between`() {
        let stories: [(String, EventScript, Double?)] = [
            ("success", .success(), nil), ("redirects", .redirects(), nil), ("retries", .retries(), nil),
            ("to retry", .waitingToRetry(), 1_774), ("download", .downloading(at: 1_350), 1_350),
            ("stalled", .downloading(at: 1_350), 27_350),
            ("upload", .uploading(at: 1_000), 1_000), ("TLS failure", .tlsFailure(), nil), ("timeout", .idleTimeout(), nil),
            ("cancelled", .cancelled(), nil),
        ]
        let text = stories.map { "\($0): " + lines($1, at: $2).joined(separator: "\n  ") }
        expectText(text.joined(separator: "\n"), "Panes/operation-line", sourceLocation: #_sourceLocation)
    }

    @Test func `says in the place of the phases what is waited for`() {
        var script = EventScript()
        script.enqueue()
        script.move(at: 1, to: .waiting(.queueSuspended))
        #expect(lines(script, at: 5_000)[1] == "it is paused (:pause-queue resumes)")
    }

    @Test func `is one row in a low terminal, and the first but one in a small one`() {
        #expect(lines(.success(), columns: 80, rows: 20).count == 1)
        #expect(lines(.success(), columns: 40, rows: 10) == ["✓ 200 OK             374 ms  1.3 kB"])
    }

    @Test(arguments: [(120, 40), (40, 10)])
    func `leads to the tab timing, by its key and by a click`(columns: Int, rows: Int) throws {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success())
        var clicked = explorer
        explorer.press(.focusOperation)
        let place = try #require(clicked.state.layout.operationLine)
        clicked.click(place.column + 3, place.row)
        for explorer in [explorer, clicked] {
            #expect(explorer.state.screen.focus == .response && explorer.state.panes.response.tab == .timing)
        }
    }

    @Test func `sends by a double click on its hint, and goes nowhere`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        let place = try #require(explorer.state.layout.operationLine)
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        let columns = place.column..<place.endColumn - 5
        let shown = columns.first { start in String((start..<start + 6).map { frame[$0, place.row].character }) == "s send" }
        let column = try #require(shown)
        _ = explorer.takeEffects()
        explorer.click(column, place.row)
        explorer.click(column, place.row, .doubleClick)
        #expect(explorer.takeEffects().count { if case .send = $0 { true } else { false } } == 1)
        #expect(explorer.state.panes.response.tab == .body)
    }
}

@Suite struct `Waiting to retry` {
    private static let id = OperationID(rawValue: 1)

    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.waitingToRetry(), of: "orders/create")
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `says what came, why it is tried again, and when`() throws {
        let explorer = explorer()
        guard case .retry(let note) = explorer.state.responseNotes(columns: 80) else {
            Issue.record("no note")
            return
        }
        #expect(note.result.text == "503 Service Unavailable")
        #expect(note.retryAfter == "Retry-After 4 s")
        #expect(note.attempt == "2 of 4")
        #expect(note.rule == "status 503")
        #expect(note.delay == .seconds(4))
        #expect(note.fraction(at: EventScript.time(1_374)) == 0.25)
    }

    @Test func `shows the body that came, until the next attempt begins`() {
        var explorer = explorer()
        explorer.tick(500)
        explorer.tick(600)
        #expect(explorer.takeEffects() == [.peekBody(Self.id, contentType: "application/json", beyond: 0, isWhole: true)])
        let document = BodyDocument(BodyBytes(Data(#"{"error":"overloaded"}"#.utf8)), contentType: "application/json")
        document.extendIndexToEnd()
        explorer.send(.bodyArrived(Self.id, document, bytes: 22))
        guard case .body = explorer.state.responseContent(columns: 80) else {
            Issue.record("no body")
            return
        }
        explorer.event(Self.id, .transition(from: .waitingToRetry, to: .preparing), at: 4_374)
        guard case .progress = explorer.state.responseContent(columns: 80) else {
            Issue.record("it is still there")
            return
        }
    }

    @Test func `is neither running nor waiting for its turn`() {
        #expect(explorer().state.operations.counts == (0, 1, 0))
    }
}
