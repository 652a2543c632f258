import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

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
