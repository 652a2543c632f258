import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

/// What takes longer than a key may wait happens beside the loop.
@Suite struct `A large body` {
    private static let id = OperationID(rawValue: 1)
    private static let lineCount = 25_000
    private static let dashes = String(repeating: "-", count: 90)
    private static let text = Data((0..<lineCount).map { "line \($0) \(dashes)\n" }.joined().utf8)

    /// Of which only the first lines are indexed.
    private func explorer() -> (ExplorerDriver, BodyDocument) {
        var explorer = ExplorerDriver()
        let script = EventScript.success()
        explorer.run(script)
        explorer.send(.responseReady(Self.id, Response(script, body: Self.text)))
        let document = BodyDocument(BodyBytes(Self.text), contentType: "text/plain")
        document.extendIndex(byBytes: 1 << 16)
        explorer.send(.bodyPrepared(Self.id, document))
        explorer.press(.focusResponse)
        _ = explorer.takeEffects()
        return (explorer, document)
    }

    private func top(_ explorer: ExplorerDriver) -> Int { explorer.state.panes.response.body.top.line }

    @Test func `its end is gone to when it is known, unless one has gone elsewhere`() {
        for key in ["", "j"] {
            var (explorer, document) = explorer()
            explorer.press(.bottom)
            #expect(!document.lineCount.isExact)
            #expect(top(explorer) == 0)
            #expect(explorer.state.bodyWork == "indexing …")
            explorer.press(key)
            document.extendIndexToEnd()
            explorer.send(.bodyIndexed(Self.id))
            #expect(explorer.state.bodyWork == nil)
            #expect(top(explorer) == (key == "" ? Self.lineCount - explorer.state.responseArea.rows : 1))
        }
    }

    @Test func `a search in it is asked for, and its answer is gone to`() {
        var (explorer, document) = explorer()
        explorer.press(.search)
        explorer.type("3999")
        let pattern = BodyPattern("3999")!
        let question = BodySearch(pattern, from: .byte(0), tally: BodyTally(pattern))
        #expect(explorer.takeEffects().last == .searchBody(Self.id, question))
        #expect(!document.lineCount.isExact)
        #expect(explorer.state.bodyWork == "searching …")

        let match = question.match(in: document)
        explorer.send(.bodySearched(Self.id, question, match))
        #expect(explorer.state.bodyWork == nil)
        #expect(explorer.state.panes.response.body.search.current?.line == 3999)
        #expect((top(explorer)...top(explorer) + explorer.state.responseArea.rows).contains(3999))
        #expect(explorer.state.responseMatches == nil)

        var tally = BodyTally(pattern)
        tally.advance(in: document)
        explorer.send(.bodyCounted(Self.id, tally))
        #expect(explorer.state.responseMatches?.isCounting == true)
        while tally.advance(in: document) {}
        explorer.send(.bodyCounted(Self.id, tally))
        #expect(explorer.state.responseMatches! == (1, 3, false))
    }

    @Test func `an answer to what is not looked for any more changes nothing`() {
        var (explorer, document) = explorer()
        explorer.press(.search)
        explorer.type("3999")
        let pattern = BodyPattern("3999")!
        let question = BodySearch(pattern, from: .byte(0), tally: BodyTally(pattern))
        explorer.press("Esc")
        explorer.send(.bodySearched(Self.id, question, question.match(in: document)))
        explorer.send(.bodyCounted(Self.id, BodyTally(pattern)))
        #expect(top(explorer) == 0)
        #expect(explorer.state.panes.response.body.search == BodyViewState.Search())
    }

    @Test func `the next match is asked for once, however often the key comes before the answer`() {
        var (explorer, document) = explorer()
        explorer.press(.search)
        explorer.type("77")
        guard case .searchBody(_, let first)? = explorer.takeEffects().last else { return #expect(Bool(false)) }
        explorer.press("Enter")
        explorer.press(.nextMatch, .nextMatch)
        #expect(explorer.takeEffects() == [])
        let match = first.match(in: document)
        explorer.send(.bodySearched(Self.id, first, match))
        explorer.press(.nextMatch, .nextMatch)
        let next = BodySearch(first.pattern, from: .match(match!, backwards: false), tally: BodyTally(first.pattern))
        #expect(explorer.takeEffects() == [.searchBody(Self.id, next)])
    }

    @Test func `another form keeps the place, as soon as it is indexed`() throws {
        var (explorer, document) = explorer()
        document.extendIndexToEnd()
        explorer.send(.bodyIndexed(Self.id))
        explorer.press(.bottom, .raw)
        #expect(explorer.takeEffects() == [.prepareBody(Self.id, .raw)])
        let raw = try #require(explorer.state.responseDocument)
        #expect(!raw.lineCount.isExact)
        #expect(explorer.state.bodyWork == "indexing …")
        raw.extendIndexToEnd()
        explorer.send(.bodyIndexed(Self.id))
        #expect(top(explorer) == Self.lineCount - explorer.state.responseArea.rows)
    }
}
