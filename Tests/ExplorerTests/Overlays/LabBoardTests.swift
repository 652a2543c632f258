import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// `B`: the latency lab.
struct LabBoardTests {
    private func board(_ explorer: ExplorerDriver) -> LabBoard? {
        if case .lab(let board) = explorer.state.overlay { board } else { nil }
    }

    /// What is resolved again no longer says this.
    private func mark(_ explorer: inout ExplorerDriver) {
        guard case .lab(var board) = explorer.state.overlay else { return }
        board.target = "marked"
        explorer.state.overlay = .lab(board)
    }

    private func order(_ explorer: inout ExplorerDriver) -> LabOrder? {
        for case .startLab(let order) in explorer.takeEffects() { return order }
        return nil
    }

    private func explorer(_ request: String = "orders/list") -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick(request)
        _ = explorer.takeEffects()
        return explorer
    }

    private func progress(_ ways: [Int], number: Int = 1, isOver: Bool = false) -> LabProgress {
        let figures = ways.map { milliseconds in
            (0..<40).reduce(into: LoadFigures()) { figures, index in
                let start = MonotonicTime.zero + .milliseconds(index * 10)
                figures.add(LoadSample(start: start, end: start + .milliseconds(milliseconds + index % 5), status: 200))
            }
        }
        return LabProgress(number: number, figures: figures, isOver: isOver)
    }

    @Test func `Enter starts what is modest: 100 requests, 4 at once`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        let order = order(&explorer)
        #expect(order?.plan == LoadPlan(count: 100, atOnce: 4))
        #expect(order?.variants.count == 1)
        #expect(order?.variants[0].definition.id == "orders/list")
        #expect(board(explorer)?.isRunning == true)
    }

    @Test func `green is only what passed, all of it`() {
        func over(_ failures: Int, of count: Int, stops: Bool = false) -> String? {
            var explorer = explorer()
            explorer.press(.lab)
            explorer.press("Enter")
            if stops { explorer.press("x") }
            let figures = (0..<count).reduce(into: LoadFigures()) { figures, index in
                let start = MonotonicTime.zero + .milliseconds(index)
                figures.add(
                    LoadSample(start: start, end: start + .milliseconds(5), status: 200, failure: index < failures ? "503" : nil))
            }
            explorer.send(.labProgressed(LabProgress(number: 1, figures: [figures], isOver: true)))
            return board(explorer)?.sign.text
        }
        #expect(over(0, of: 100) == "✓ ")
        #expect(over(1, of: 100) == "! ")
        #expect(over(100, of: 100) == "✗ ")
        #expect(over(0, of: 42, stops: true) == "■ ")
        #expect(over(0, of: 0, stops: true) == "■ ")
    }

    @Test func `what is typed into a row takes the place of what was there`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.type("500")
        explorer.press("Down")
        explorer.type("30s")
        explorer.press("Down")
        explorer.type("12.5")
        explorer.press("Down")
        explorer.type("8")
        explorer.press("Enter")
        #expect(order(&explorer)?.plan == LoadPlan(count: 500, duration: .seconds(30), rate: 12.5, atOnce: 8))
    }

    @Test func `what it would send is resolved once, until something changes that it depends on`() {
        var explorer = explorer("orders/create")
        explorer.press(.lab)
        mark(&explorer)
        explorer.type("500")
        explorer.press("Down")
        explorer.type("30s")
        for second in 1...20 { explorer.tick(Double(second) * 1000) }
        explorer.click(0, 0, .wheelDown)
        explorer.send(.terminal(.resize(Size(columns: 90, rows: 30))))
        #expect(board(explorer)?.target == "marked")
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://other.example/orders" }))
        #expect(board(explorer)?.target.contains("other.example") == true)
        mark(&explorer)
        explorer.state.chooseForTest("staging")
        explorer.press("Up")
        #expect(board(explorer)?.target.contains("other.example") == true)
        mark(&explorer)
        // What the session was told since counts as well.
        explorer.state.workspace.variables["host"] = "http://given.example"
        explorer.tick(60_000)
        #expect(board(explorer)?.target.contains("other.example") == true)
    }

    @Test(arguments: [("0", "requests"), ("many", "requests"), ("99999999999999999999", "requests")])
    func `what can't be is said, and nothing is sent`(text: String, word: String) {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.type(text)
        explorer.press("Enter")
        #expect(order(&explorer) == nil)
        #expect(board(explorer)?.complaint?.hasPrefix(word) == true)
    }

    @Test func `without a number it needs a time`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Backspace Enter")
        #expect(board(explorer)?.complaint == "it needs an end: a number of requests, or a time")
    }

    @Test func `a load on another machine is asked for, with the host's name`() {
        var explorer = explorer()
        explorer.state.chooseForTest("staging")
        explorer.press(.lab)
        explorer.type("2000")
        explorer.press("Enter")
        #expect(order(&explorer) == nil)
        #expect(board(explorer)?.phase == .asking(["This is a load on staging.example.com: 2,000 requests."]))
        // The same key again is no answer.
        explorer.press("Enter")
        #expect(order(&explorer) == nil)
        explorer.press("y")
        #expect(order(&explorer)?.plan.count == 2000)
    }

    @Test func `a method that may change something is asked for, but not on this machine`() {
        var there = explorer("login")
        there.state.chooseForTest("staging")
        there.press(.lab)
        there.press("Enter")
        #expect(board(there)?.phase == .asking(["POST may change something on staging.example.com, 100 times."]))
        there.press("Esc")
        #expect(board(there)?.phase == .setup)
        var here = explorer("login")
        here.press(.lab)
        here.press("Enter")
        #expect(order(&here) != nil)
    }

    @Test func `what it says is what it would send now`() {
        var explorer = explorer()
        explorer.press(.lab)
        #expect(board(explorer)?.target == "GET http://127.0.0.1:8080/orders")
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/list") { $0.url = "{{host}}/birds" }))
        #expect(board(explorer)?.target == "GET http://127.0.0.1:8080/birds")
        explorer.press("Esc")
        explorer.state.chooseForTest("staging")
        explorer.press(.lab)
        #expect(board(explorer)?.target == "GET https://staging.example.com/birds")
        #expect(board(explorer)?.contrasts.last?.title == "staging and local")
    }

    @Test func `what was agreed to is what is sent: another host is asked about anew`() {
        var explorer = explorer("login")
        explorer.state.chooseForTest("staging")
        explorer.press(.lab)
        explorer.press("Enter")
        #expect(board(explorer)?.phase == .asking(["POST may change something on staging.example.com, 100 times."]))
        explorer.send(.collectionLoaded(ShopCollection.changed("login") { $0.url = "https://live.example.com/login" }))
        explorer.press("y")
        #expect(order(&explorer) == nil)
        #expect(board(explorer)?.phase == .asking(["POST may change something on live.example.com, 100 times."]))
        explorer.press("y")
        #expect(order(&explorer)?.variants.first?.definition.url == "https://live.example.com/login")
    }

    @Test func `two ways are sent in turn: the same request, but for one thing`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Up Right Enter")
        #expect(order(&explorer)?.variants.map(\.definition.settings.httpVersion) == [.http1, .http2])
        explorer.send(.labProgressed(progress([20, 10], isOver: true)))
        explorer.press("A Enter")
        #expect(order(&explorer)?.variants.map(\.isCold) == [false, true])
        explorer.send(.labProgressed(progress([20, 10], number: 2, isOver: true)))
        explorer.press("A Enter")
        #expect(order(&explorer)?.variants.map(\.environment) == [nil, "local"])
    }

    @Test func `Space pauses and goes on, x stops, and what was measured stays`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        _ = explorer.takeEffects()
        explorer.press("Space Space x x")
        #expect(explorer.takeEffects() == [.pauseLab(true), .pauseLab(false), .stopLab, .stopLab])
        explorer.send(.labProgressed(progress([20], isOver: true)))
        #expect(board(explorer)?.phase == .over(failure: nil))
        #expect(board(explorer)?.figures[0].passed == 40)
    }

    @Test func `Esc lets it go on behind the panes, and B brings it back`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter Esc")
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.notice?.text == "the lab goes on; B shows it")
        explorer.send(.labProgressed(progress([20])))
        #expect(explorer.state.overlay == nil)
        explorer.press(.down, .lab)
        #expect(board(explorer)?.figures[0].count == 40)
        explorer.press("Esc")
        explorer.send(.labProgressed(progress([20], isOver: true)))
        #expect(explorer.state.notice?.text == "the lab is done; B shows it")
    }

    @Test func `what comes of an earlier run isn't taken for this one's`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        explorer.send(.labProgressed(progress([20], isOver: true)))
        explorer.press("e Enter")
        explorer.send(.labProgressed(progress([20], number: 1, isOver: true)))
        #expect(board(explorer)?.isRunning == true)
        #expect(board(explorer)?.figures[0].count == 0)
    }

    @Test func `a baseline is held against the next run`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        explorer.send(.labProgressed(progress([20], isOver: true)))
        explorer.press("b e Enter")
        explorer.send(.labProgressed(progress([10], number: 2, isOver: true)))
        let pair = board(explorer)?.comparison
        #expect(pair?.titles == ["baseline", "now"])
        #expect(
            pair.flatMap { LoadComparison($0.pair[0][.total], $0.pair[1][.total])?.sentence.hasPrefix("B is 10 ms faster at p50") }
                == true)
    }

    @Test func `y copies the figures as text`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        explorer.send(.labProgressed(progress([20], isOver: true)))
        _ = explorer.takeEffects()
        explorer.press("y")
        guard case .copy(let text, "figures")? = explorer.takeEffects().first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(text.contains("closed, 4 at once: slow answers delay the next request\n"))
        #expect(text.contains("✓ 40 × 200\n"))
    }

    @Test func `an answer that is saved to a file isn't saved by the lab`() {
        var explorer = explorer()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/list") { $0.settings.savesResponse = "out.json" }))
        explorer.press(.lab)
        explorer.press("Enter")
        #expect(order(&explorer)?.variants[0].definition.settings.savesResponse == nil)
    }

    @Test func `{ and } show the last ten seconds alone, o writes a histogram`() {
        var explorer = explorer()
        explorer.press(.lab)
        explorer.press("Enter")
        var both = progress([60])
        both.recent = progress([10]).figures
        explorer.send(.labProgressed(both))
        #expect(board(explorer)?.shownFigures == both.figures[0])
        explorer.press("{")
        #expect(board(explorer)?.shownFigures == both.recent[0])
        both.isOver = true
        explorer.send(.labProgressed(both))
        explorer.press("}")
        #expect(board(explorer)?.shownFigures == both.figures[0])
        _ = explorer.takeEffects()
        explorer.press("o")
        #expect(
            explorer.takeEffects() == [.writeText(HistogramText.text(of: both.figures[0][.total]), to: "list.hgrm")])
    }
}

extension ExplorerState {
    mutating func chooseForTest(_ environment: String) {
        workspace.environments[ShopCollection.path] = environment
        refreshContext(isStale: true)
    }
}

/// The latency lab and what-if, whole screens of them.
@Suite struct `The latency lab` {
    private static let sizes = [(160, 50), (120, 40), (80, 24), (40, 10)]

    /// By a fixed seed: forty of a hundred, the first four over new connections, one refused, and two that the server can't answer.
    private func figures(_ count: Int, slower: Int = 0, isOpen: Bool = false) -> LoadFigures {
        var generator = SeededGenerator(seed: 7)
        return (0..<count).reduce(into: LoadFigures()) { figures, number in
            let wait = Int.random(in: 58_000...72_000, using: &generator) + slower + (number % 29 == 28 ? 90_000 : 0)
            let due = MonotonicTime.zero + .milliseconds(number * 20)
            let start = due + .microseconds(number % 40 == 39 ? 38_000 : 100)
            let isCold = number < 4
            var phases: [(name: Phases.Name, duration: Duration)] = [
                (.send, .microseconds(40)), (.wait, .microseconds(wait)), (.receive, .microseconds(300 + wait % 700)),
            ]
            if isCold {
                phases += [
                    (.dns, .microseconds(8100)), (.connect, .microseconds(20_600 + number * 900)),
                    (.tls, .microseconds(34_000 + number * 900)),
                ]
            }
            figures.add(
                LoadSample(
                    due: isOpen ? due : nil, start: start, end: start + .microseconds(wait + 1000 + (isCold ? 64_000 : 0)),
                    phases: phases, isCold: isCold, status: 200,
                    failure: number == 20 ? "tcp.refused" : number == 21 || number == 33 ? "503" : nil))
        }
    }

    private func explorer(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/list")
        return explorer
    }

    @Test(arguments: sizes) func `B asks how often, and what to compare`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        explorer.press(.lab)
        expectScreen(explorer.state, "\(columns)x\(rows)-lab-setup")
    }

    @Test(arguments: sizes) func `while it runs, each phase has a row`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        explorer.press(.lab)
        explorer.press("Enter")
        explorer.send(.labProgressed(LabProgress(number: 1, figures: [figures(40)], isOver: false)))
        expectScreen(explorer.state, "\(columns)x\(rows)-lab-running")
    }

    @Test(arguments: sizes) func `at a rate, late and uncorrected stand beside it, and A and B below`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        explorer.press(.lab)
        explorer.type("240")
        explorer.press("Down Down")
        explorer.type("20")
        explorer.press("Down Down Right Enter")
        let both = [figures(120, slower: 14_000, isOpen: true), figures(120, isOpen: true)]
        explorer.send(.labProgressed(LabProgress(number: 1, figures: both, isOver: true)))
        expectScreen(explorer.state, "\(columns)x\(rows)-lab-compared")
    }

    @Test(arguments: [("tcp.refused", 100, "✗ 100 of 100"), (nil, 100, "✓ 100 of 100")])
    func `green means that all of them passed`(failure: String?, count: Int, head: String) {
        var explorer = explorer(80, 24)
        explorer.press(.lab)
        explorer.press("Enter")
        var figures = LoadFigures()
        for number in 0..<count {
            let start = MonotonicTime.zero + .milliseconds(number)
            figures.add(
                LoadSample(
                    due: nil, start: start, end: start + .milliseconds(1), phases: [], isCold: false, status: 200, failure: failure)
            )
        }
        explorer.send(.labProgressed(LabProgress(number: 1, figures: [figures], isOver: true)))
        #expect(ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text.contains(head))
    }

    @Test(arguments: [(80, 24), (40, 10)]) func `the question before a load names the host`(columns: Int, rows: Int) {
        let elsewhere = ShopCollection.changed("login") { $0.url = "https://shop.example.com/login" }
        var explorer = ExplorerDriver([elsewhere], columns: columns, rows: rows)
        explorer.pick("login")
        explorer.press(.lab)
        explorer.type("5000")
        explorer.press("Enter")
        expectScreen(explorer.state, "\(columns)x\(rows)-lab-question")
    }

    @Test(arguments: sizes) func `a point opens the choices for the next send`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        explorer.press(.whatIf)
        explorer.press("Right Down Down Right")
        expectScreen(explorer.state, "\(columns)x\(rows)-what-if")
    }
}
