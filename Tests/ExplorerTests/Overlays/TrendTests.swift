import FoundationEssentials
import NetworkLayer
import TerminalUI
import Testing

@testable import Explorer

/// `T` in the history: how long a request took, run by run.
struct TrendTests {
    private func run(_ number: Int, _ milliseconds: Int, isGood: Bool = true, environment: String = "dev") -> TrendRun {
        TrendRun(
            id: OperationID(rawValue: number + 1), date: Date(timeIntervalSince1970: Double(number) * 60),
            total: .milliseconds(milliseconds),
            wait: .milliseconds(milliseconds / 2), isGood: isGood, result: isGood ? "200" : "timeout",
            facts: ["environment": environment])
    }

    @Test func `medians before and after the last change are the finding`() {
        let runs = (0..<6).map { run($0, 129) } + (6..<12).map { run($0, 171, environment: "stage") }
        let trend = Trend(ShopCollection.reference("orders/create"), runs)
        #expect(trend.changes == [6: ["environment dev → stage"]])
        #expect(trend.medians(of: \.total)?.before == .milliseconds(129))
        #expect(trend.medians(of: \.total)?.after == .milliseconds(171))
        let text = trend.lines(width: 60).map(\.text)
        #expect(text[0].hasPrefix("total  "))
        #expect(text.contains("total  p50 129 ms → 171 ms since the last change"))
        #expect(text[2] == "             ╷    ▲")
    }

    @Test func `four runs on a side prove nothing`() {
        let runs = (0..<8).map { run($0, 129) } + (8..<12).map { run($0, 171, environment: "stage") }
        let found = Trend(ShopCollection.reference("a"), runs).medians(of: \.total)
        #expect(found?.before == nil && found?.after == .milliseconds(129))
    }

    @Test func `one that took very long doesn't flatten the others, and a failure has a sign`() {
        var runs = (0..<30).map { run($0, 100) }
        runs[10] = run(10, 60_000)
        runs[12] = run(12, 100, isGood: false)
        let lines = Trend(ShopCollection.reference("a"), runs).lines(width: 80)
        #expect(lines[0].text == "total  " + String(repeating: "█", count: 30))
        #expect(lines[0].spans.filter { $0.role == .warning }.map(\.text).joined() == "█")
        #expect(lines[2].text.dropFirst(7 + 12).first == "✗")
    }

    @Test func `a history longer than the screen shows its newest part, and follows the mark`() {
        var trend = Trend(ShopCollection.reference("a"), (0..<200).map { run($0, $0 + 1) })
        #expect(trend.lines(width: 47)[0].text.count == 47)
        trend.selected = 3
        #expect(trend.lines(width: 47)[2].text.dropFirst(7).first == "▲")
    }

    @Test func `how long former runs waited is read when somebody looks`() {
        var explorer = ExplorerDriver()
        explorer.state.pastRuns.isKept = true
        let reference = ShopCollection.reference("orders/list")
        var runs: [PastRun] = []
        for number: Int64 in 1...6 {
            var run = PastRun(
                number: number, date: Date(timeIntervalSince1970: Double(number) * 60), request: reference, title: "list",
                url: "http://h/orders", state: .succeeded, status: 200, duration: .milliseconds(100 + number))
            if number == 6 { run.note = "what if: auth off" }
            runs.append(run)
        }
        explorer.send(.pastRunsLoaded(runs.reversed(), in: ShopCollection.path))
        explorer.pick("orders/list")
        _ = explorer.takeEffects()
        explorer.press(.focusHistory, .trend)
        #expect(explorer.takeEffects() == [.loadWaits(reference)])
        explorer.send(.waitsLoaded([1: .milliseconds(40), 6: .milliseconds(60)], of: reference))
        guard case .trend(let trend) = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(trend.runs.map(\.wait) == [.milliseconds(40), nil, nil, nil, nil, .milliseconds(60)])
        #expect(trend.changes == [5: ["what if nothing → what if: auth off"]])
        #expect(trend.lines(width: 60).contains { $0.text.hasPrefix("wait   p50 40 ms") })
    }
}
