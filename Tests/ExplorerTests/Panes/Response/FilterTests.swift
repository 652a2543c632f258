import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct FilterTests {
    private static let id = OperationID(rawValue: 1)

    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.success(), body: Data(#"{"items":[{"id":1},{"id":2}]}"#.utf8))
        explorer.press(.focusResponse)
        _ = explorer.takeEffects()
        return explorer
    }

    private func found(_ text: String) -> BodyDocument {
        let document = BodyDocument(BodyBytes(Data(text.utf8)), kind: .jsonValues)
        document.extendIndexToEnd()
        return document
    }

    private func shown(_ explorer: ExplorerDriver) -> String? { explorer.state.responseDocument?.text }

    @Test func `every key asks anew, and the answer to the newest is shown`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(".a")
        #expect(explorer.takeEffects() == [.filterBody(Self.id, filter: ".a", .pretty)])
        #expect(explorer.state.bodyWork == "filtering …")
        explorer.type("b")
        explorer.send(.bodyFiltered(Self.id, filter: ".a", found("1")))
        #expect(shown(explorer) == nil)
        explorer.send(.bodyFiltered(Self.id, filter: ".ab", found("2\n3")))
        #expect(shown(explorer) == "2\n3")
        #expect(explorer.state.bodyWork == nil)
        explorer.press("Enter")
        #expect(explorer.state.panes.response.filterLine == nil)
        #expect(shown(explorer) == "2\n3")
    }

    @Test func `while a filter fails the last result stays, and why it fails is known`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(".a")
        explorer.send(.bodyFiltered(Self.id, filter: ".a", found("1")))
        explorer.type("[")
        explorer.send(.bodyFilterFailed(Self.id, filter: ".a[", message: "no"))
        #expect(shown(explorer) == "1")
        explorer.press("Enter")
        guard case .nothing(let lines) = explorer.state.responseContent(columns: 40) else { return #expect(Bool(false)) }
        #expect(lines == ["no", "f changes the filter, Esc shows the whole body."])
    }

    @Test func `Escape in the line brings the filter before back, and Escape in the pane the whole body`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(".a")
        explorer.press("Enter")
        explorer.send(.bodyFiltered(Self.id, filter: ".a", found("1")))
        explorer.press(.filter)
        explorer.type(".b")
        explorer.press("Esc")
        #expect(explorer.state.panes.response.filter == ".a")
        explorer.send(.bodyFiltered(Self.id, filter: ".a", found("1")))
        #expect(shown(explorer) == "1")
        explorer.press(.back)
        #expect(explorer.state.panes.response.filter == "")
        #expect(shown(explorer) == #"{"items":[{"id":1},{"id":2}]}"#)
    }

    @Test func `a command is run when Enter says so, not before`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type("!wc -l")
        #expect(explorer.takeEffects() == [])
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.filterBody(Self.id, filter: "!wc -l", .pretty)])
    }

    @Test func `the next response is filtered too, without being asked`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(".a")
        explorer.press("Enter")
        _ = explorer.takeEffects()
        explorer.run(.success(operation: 2), body: Data("{}".utf8))
        #expect(explorer.takeEffects().contains(.filterBody(OperationID(rawValue: 2), filter: ".a", .pretty)))
        #expect(shown(explorer) == nil)
    }

    @Test func `what was found has the three forms, is searched and copied`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(".a")
        explorer.press("Enter")
        explorer.send(.bodyFiltered(Self.id, filter: ".a", found(#"{"k":"v"}"#)))
        #expect(explorer.state.responseDocument?.lineCount.lines == 3)
        explorer.press(.raw)
        #expect(explorer.state.responseDocument?.mode == .raw)
        #expect(shown(explorer) == #"{"k":"v"}"#)
        explorer.press(.search)
        explorer.type("v")
        #expect(explorer.state.panes.response.body.search.current?.line == 0)
        explorer.press("Enter")
        explorer.press(.copy)
        guard case .chooser(let chooser) = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(chooser.items.first?.title == "filtered body")
    }

    @Test(arguments: ["", " . ", "."])
    func `a filter that changes nothing is none`(text: String) {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type(text)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.panes.response.filter == "")
    }
}

@Suite struct `The filter of the events` {
    private func lines(_ explorer: ExplorerDriver) -> [String] {
        let content = explorer.state.responseContent(columns: 100)
        return content.lines(0..<content.lineCount).map(\.text)
    }

    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver.having(.retries())
        explorer.press(.focusResponse, .previousTab)
        while explorer.state.panes.response.tab != .log { explorer.press(.previousTab) }
        return explorer
    }

    @Test func `is typed with f, shows what has its words, and leaves the body alone`() {
        var explorer = explorer()
        let all = lines(explorer)
        explorer.press(.filter)
        explorer.type("retry")
        let found = all.filter { $0.lowercased().contains("retry") }
        #expect(lines(explorer) == found && found.count > 1 && found.count < all.count)
        explorer.press("Enter")
        #expect(explorer.state.panes.response.filter == "")
        explorer.press(.back)
        #expect(lines(explorer) == all)
    }

    @Test func `sees what comes later`() {
        var explorer = ExplorerDriver.having(.downloading(at: 700))
        explorer.press(.focusResponse)
        while explorer.state.panes.response.tab != .log { explorer.press(.previousTab) }
        explorer.press(.filter)
        explorer.type("state")
        let before = lines(explorer).count
        explorer.event(OperationID(rawValue: 1), .transition(from: .running, to: .cancelled), at: 800)
        explorer.tick(900)
        #expect(lines(explorer).count == before + 1)
    }

    @Test func `says when nothing has it`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type("zebra")
        guard case .nothing(let lines) = explorer.state.responseContent(columns: 80) else {
            Issue.record("something has it")
            return
        }
        #expect(lines == ["No event has “zebra”.", "f changes the filter, Esc shows all events."])
    }
}
