import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// `T` in the history: of the request of the row there, else of the shown one.
    mutating func openTrend() -> [ExplorerEffect] {
        let rows = historyRows
        let row = screen.focus == .history ? panes.history.selection.selected(in: rows) : nil
        guard let reference = row.flatMap({ operations[$0]?.request ?? pastRuns[$0]?.request }) ?? selectedRequest else {
            return say("pick a request first")
        }
        let runs = rows.reversed().compactMap { trendRun($0, of: reference) }
        guard !runs.isEmpty else {
            return say("\(reference.id) has no run yet")
        }
        overlay = .trend(Trend(reference, runs))
        let lacksWaits = pastRuns.isKept && runs.contains { $0.id.pastRun != nil && $0.wait == nil }
        return lacksWaits ? [.loadWaits(reference)] : []
    }

    /// What the history says of former runs, when the trend is still looked at.
    mutating func receive(_ waits: [Int64: Duration], of reference: RequestReference) {
        guard case .trend(var trend) = overlay, trend.reference == reference else { return }
        for index in trend.runs.indices {
            if let number = trend.runs[index].id.pastRun, let wait = waits[number] { trend.runs[index].wait = wait }
        }
        keep(trend)
    }

    private func trendRun(_ id: OperationID, of reference: RequestReference) -> TrendRun? {
        if let run = pastRuns[id] {
            guard run.request == reference, run.state != .cancelled else { return nil }
            return TrendRun(
                id: id, date: run.date, total: run.duration, wait: nil, isGood: run.verdict.isGood,
                result: run.status.map(String.init) ?? run.errorType ?? run.state.description,
                facts: Self.facts(run.environment, run.url).merging(["what if": run.note ?? "nothing"]) { $1 })
        }
        guard let entry = operations[id], entry.request == reference, !entry.isStopped, entry.state != .cancelled else {
            return nil
        }
        let attempt = entry.metrics.attempts.last
        let waits = entry.metrics.attempts.compactMap { $0.phases.wait?.duration }
        var facts = Self.facts(entry.environment, entry.metrics.attempts.first?.request.url.absoluteString)
        facts["protocol"] = attempt?.connection?.httpVersion
        facts["what if"] = entry.sent.whatIf.map { "what if: \($0.words)" } ?? "nothing"
        return TrendRun(
            id: id, date: entry.pastDate ?? entry.metrics.enqueuedDate, total: entry.metrics.total,
            wait: waits.isEmpty ? nil : waits.reduce(.zero, +), isGood: entry.verdict?.isGood ?? true,
            result: attempt?.head.map { "\($0.status.code)" } ?? entry.metrics.error?.type ?? entry.state.description, facts: facts)
    }

    /// Without the query: a time or a number in it changes each time.
    private static func facts(_ environment: String?, _ url: String?) -> [String: String] {
        var facts = ["environment": environment ?? "none"]
        facts["URL"] = url.map { String($0.prefix { $0 != "?" }) }
        return facts
    }
}
