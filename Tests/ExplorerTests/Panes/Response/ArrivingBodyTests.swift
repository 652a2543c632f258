import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

/// Lines are read before the last of them is there.
@Suite struct `A body that arrives` {
    private static let id = OperationID(rawValue: 1)

    /// Running, with a head, after some of the body.
    private func explorer(_ contentType: String = "text/event-stream") -> ExplorerDriver {
        var script = EventScript.receiving(contentType)
        script.download(at: 110, 2_000, of: nil)
        var explorer = ExplorerDriver.having(script, of: ["orders/list"])
        if contentType == "text/event-stream" {
            // As lines, and not as a table.
            explorer.send(.tick(EventScript.time(150)))
            explorer.press(.focusResponse, .raw, .focusCollection)
        }
        _ = explorer.takeEffects()
        return explorer
    }

    private func document(_ lines: Int) -> BodyDocument {
        let text = (0..<lines).map { "data: \($0)\n" }.joined()
        let document = BodyDocument(BodyBytes(Data(text.utf8)), contentType: "text/event-stream")
        document.extendIndexToEnd()
        return document
    }

    /// A part of a list whose end hasn't arrived.
    private func part(_ items: Int) -> BodyDocument {
        let text = "[" + (0..<items).map { "\($0)," }.joined()
        let document = BodyDocument(BodyBytes(Data(text.utf8)), contentType: "application/json", isPartial: true)
        document.extendIndexToEnd()
        return document
    }

    /// All of the list has arrived, and its lines are known.
    private func complete(_ explorer: inout ExplorerDriver, items: Int) {
        explorer.event(Self.id, .completed(.succeeded, nil), at: 600)
        explorer.event(Self.id, .transition(from: .running, to: .succeeded), at: 600)
        let body = Data("[\((0..<items).map(String.init).joined(separator: ","))]".utf8)
        explorer.send(.responseReady(Self.id, Response(EventScript.success(), body: body)))
        explorer.send(.bodyPrepared(Self.id, BodyDocument(BodyBytes(body), contentType: "application/json")))
        explorer.state.responseDocument?.extendIndexToEnd()
        explorer.send(.bodyIndexed(Self.id))
    }

    private func rows(_ explorer: ExplorerDriver) -> [String] {
        guard let document = explorer.state.responseDocument else { return [] }
        return explorer.state.panes.response.body.rows(of: document, in: explorer.state.responseArea).map(\.text.text)
    }

    @Test func `is looked at with a tick, once until the answer is there`() {
        var explorer = explorer()
        explorer.send(.tick(EventScript.time(200)))
        explorer.send(.tick(EventScript.time(300)))
        #expect(explorer.takeEffects() == [.peekBody(Self.id, contentType: "text/event-stream", beyond: 0, isWhole: false)])
        explorer.send(.bodyArrived(Self.id, document(3), bytes: 30))
        #expect(rows(explorer) == ["data: 0", "data: 1", "data: 2"])
        explorer.send(.tick(EventScript.time(400)))
        #expect(explorer.takeEffects() == [.peekBody(Self.id, contentType: "text/event-stream", beyond: 30, isWhole: false)])
        explorer.send(.bodyArrived(Self.id, nil, bytes: 30))
        #expect(rows(explorer) == ["data: 0", "data: 1", "data: 2"])
    }

    @Test func `a log is followed, until one scrolls up`() {
        var explorer = explorer()
        explorer.press(.focusResponse)
        explorer.send(.bodyArrived(Self.id, document(100), bytes: 1000))
        #expect(rows(explorer).last == "data: 99")
        explorer.send(.bodyArrived(Self.id, document(200), bytes: 2000))
        #expect(rows(explorer).last == "data: 199")
        explorer.press(.up)
        explorer.send(.bodyArrived(Self.id, document(300), bytes: 3000))
        #expect(rows(explorer).last == "data: 198")
        explorer.press(.bottom)
        explorer.send(.bodyArrived(Self.id, document(400), bytes: 4000))
        #expect(rows(explorer).last == "data: 399")
    }

    @Test func `the end that was asked for is the end of all of it`() {
        var explorer = explorer("application/json")
        explorer.press(.focusResponse)
        explorer.send(.bodyArrived(Self.id, part(100), bytes: 1000))
        #expect(rows(explorer).first == "[")
        explorer.press(.bottom)
        #expect(rows(explorer).last == "  99,")
        explorer.send(.bodyArrived(Self.id, part(200), bytes: 2000))
        #expect(rows(explorer).last == "  199,")
        #expect(explorer.state.bodyWork == nil)
        complete(&explorer, items: 300)
        #expect(rows(explorer).last == "]")
    }

    @Test func `the end that was asked for is left by a step, and by what a search finds`() {
        let steps: [(inout ExplorerDriver) -> Void] = [
            { $0.press(.up) },
            { $0.press(.foldAll) },
            {
                $0.press(.search)
                $0.type("42")
                $0.press("Enter")
            },
        ]
        for leaves in steps {
            var explorer = explorer("application/json")
            explorer.press(.focusResponse)
            explorer.send(.bodyArrived(Self.id, part(100), bytes: 1000))
            explorer.press(.bottom)
            leaves(&explorer)
            let seen = rows(explorer)
            explorer.send(.bodyArrived(Self.id, part(200), bytes: 2000))
            complete(&explorer, items: 300)
            #expect(rows(explorer) == seen)
        }
    }

    @Test func `matches are counted again with every part`() {
        var explorer = explorer()
        explorer.press(.focusResponse)
        explorer.send(.bodyArrived(Self.id, document(3), bytes: 30))
        explorer.press(.search)
        explorer.type("data")
        explorer.press("Enter")
        #expect(explorer.state.responseMatches?.count == 3)
        explorer.send(.bodyArrived(Self.id, document(5), bytes: 50))
        #expect(explorer.state.responseMatches?.count == 5)
    }

    @Test func `stays where it is when all of it is there`() {
        var explorer = explorer()
        explorer.send(.bodyArrived(Self.id, document(100), bytes: 1000))
        #expect(rows(explorer).last == "data: 99")
        explorer.event(Self.id, .completed(.succeeded, nil), at: 600)
        explorer.event(Self.id, .transition(from: .running, to: .succeeded), at: 600)
        let text = (0..<100).map { "data: \($0)\n" }.joined()
        explorer.send(.responseReady(Self.id, Response(EventScript.success(), body: Data(text.utf8))))
        #expect(rows(explorer).last == "data: 99")
        #expect(explorer.takeEffects().contains(.prepareBody(Self.id, .raw)))
        explorer.send(.bodyPrepared(Self.id, document(100)))
        #expect(rows(explorer).last == "data: 99")
    }

    @Test(arguments: ["application/json", "application/octet-stream", "image/png"])
    func `is waited for when its lines say nothing alone`(contentType: String) {
        var explorer = explorer(contentType)
        explorer.send(.tick(EventScript.time(200)))
        #expect(explorer.takeEffects() == [])
    }

    @Test func `a long one of JSON shows from its first MiB on, and again when much more has come`() {
        var explorer = explorer("application/json")
        func download(_ bytes: Int64, at milliseconds: Int64) -> [ExplorerEffect] {
            explorer.event(
                Self.id, .downloadProgress(TransferProgress(bytes: bytes, expected: 100_000_000)), at: milliseconds, attempt: 1)
            explorer.tick(Double(milliseconds))
            return explorer.takeEffects()
        }
        #expect(download(1_000_000, at: 200) == [])
        #expect(
            download(1_100_000, at: 300) == [.peekBody(Self.id, contentType: "application/json", beyond: 0, isWhole: false)])
        let part = BodyDocument(BodyBytes(Data(#"{"a":[1,2,{"b":"cut o"#.utf8)), contentType: "application/json", isPartial: true)
        explorer.send(.bodyArrived(Self.id, part, bytes: 1_100_000))
        #expect(rows(explorer) == ["{", #"  "a": ["#, "    1,", "    2,", "    {", #"      "b": "cut o"#])
        #expect(download(1_500_000, at: 400) == [])
        #expect(
            download(1_700_000, at: 500) == [
                .peekBody(Self.id, contentType: "application/json", beyond: 1_100_000, isWhole: false)
            ])
    }

    @Test func `isn't asked for while another tab is on the screen`() {
        var explorer = explorer()
        explorer.press(.focusResponse, .nextTab)
        explorer.send(.tick(EventScript.time(200)))
        #expect(explorer.takeEffects() == [])
    }
}
