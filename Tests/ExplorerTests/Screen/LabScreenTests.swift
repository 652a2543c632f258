import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// The latency lab, what-if and the trend, whole screens of them.
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

    @Test(arguments: sizes) func `the trend has a cell for each run`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        for number in 0..<14 { explorer.run(.success(operation: number + 1), of: "orders/list") }
        explorer.press(.focusHistory)
        explorer.press(.trend)
        expectScreen(explorer.state, "\(columns)x\(rows)-trend")
    }
}
