import FoundationEssentials
import HTTPTypes
package import NetworkLayer
import OrderedCollections
import RequestCollections

/// Which runs the history shows: `status:5xx since:2d orders`. What it doesn't know as a condition is a word that a row must have.
package struct HistoryFilter: Hashable, Sendable {
    private var words: [String] = []
    private var statuses: [ClosedRange<Int>] = []
    private var since: Date?
    private var until: Date?
    private var requests: [String] = []
    /// By how it ended.
    private var verdicts: [String] = []
    private var minimum: Duration?

    /// What a row says of its run.
    struct Facts {
        var title: String
        var request: String
        var url: String
        var status: Int?
        var date: Date?
        var verdict: String
        var duration: Duration?
        var note: String
    }

    /// - Parameter now: what `since:2d` counts back from.
    init(_ text: String, now: Date) {
        for token in text.lowercased().split(separator: " ") {
            let halves = token.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isCondition = halves.count == 2 && !halves[1].isEmpty && take(halves[0], halves[1], now)
            if !isCondition { words.append(String(token)) }
        }
    }

    /// - Returns: whether there is such a condition.
    private mutating func take(_ name: String, _ value: String, _ now: Date) -> Bool {
        switch name {
        case "status":
            guard let range = Self.statuses(value) else { return false }
            statuses.append(range)
        case "since", "until":
            guard let date = Self.date(value, now) else { return false }
            if name == "since" { since = date } else { until = date }
        case "request": requests.append(value)
        case "is": verdicts.append(value)
        case "over":
            guard let duration = Self.seconds(value, ["us": 1e-6, "ms": 1e-3, "s": 1, "m": 60]) else { return false }
            minimum = .seconds(duration)
        case "text": words.append(value)
        default: return false
        }
        return true
    }

    func matches(_ facts: Facts) -> Bool {
        if !statuses.isEmpty {
            guard let status = facts.status, statuses.contains(where: { $0.contains(status) }) else { return false }
        }
        if let since {
            guard let date = facts.date, date >= since else { return false }
        }
        if let until {
            guard let date = facts.date, date < until else { return false }
        }
        if let minimum {
            guard let duration = facts.duration, duration >= minimum else { return false }
        }
        if !requests.isEmpty, !requests.contains(where: { facts.request.lowercased().contains($0) }) { return false }
        if !verdicts.isEmpty, !verdicts.contains(where: { facts.verdict.hasPrefix($0) }) { return false }
        guard !words.isEmpty else { return true }
        let text = [
            facts.title, facts.request, facts.url, facts.status.map(String.init) ?? "", facts.verdict, facts.note,
        ].joined(separator: " ").lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// `404`, `4xx`, `4`
    private static func statuses(_ text: String) -> ClosedRange<Int>? {
        let digits = text.prefix { $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let rest = text.dropFirst(digits.count)
        if digits.count == 3, rest.isEmpty { return number...number }
        guard digits.count == 1, rest.isEmpty || rest == "xx" else { return nil }
        return number * 100...number * 100 + 99
    }

    /// `2d`, `3h`, `90m` back from now, or `2026-11-20`.
    private static func date(_ text: String, _ now: Date) -> Date? {
        if let seconds = seconds(text, ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]) {
            return now.addingTimeInterval(-seconds)
        }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, text.count == 10 else { return nil }
        return try? Date("\(text)T00:00:00Z", strategy: .iso8601)
    }

    private static func seconds(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        return number * unit
    }
}

extension ExplorerState {
    /// The rows that the history's filter lets through; all without one.
    package var filteredHistory: [OperationID] { historyPane.filtered?.rows ?? historyRows }

    /// After every event: runs have come, or another filter.
    mutating func settleHistory() -> [ExplorerEffect] {
        let text = historyPane.searchText
        guard !text.isEmpty else {
            historyPane.filtered = nil
            return []
        }
        let rows = historyRows
        guard historyPane.filtered?.text != text || historyPane.filtered?.count != rows.count else { return [] }
        let filter = HistoryFilter(text, now: date)
        let found = rows.filter { id in facts(of: id).map { filter.matches($0) } ?? false }
        historyPane.filtered = HistoryPaneState.Filtered(text: text, count: rows.count, rows: found)
        // What is looked for may be further back.
        guard found.count < PastRuns.pageSize else { return [] }
        return pastRuns.more().map { .loadPastRuns(in: $0.collection, before: $0.before) }
    }

    private func facts(of id: OperationID) -> HistoryFilter.Facts? {
        if let run = pastRuns[id] {
            return .init(
                title: run.title, request: run.request.id.rawValue, url: run.url, status: run.status, date: run.date,
                verdict: run.verdict.word, duration: run.duration, note: run.note ?? "")
        }
        guard let entry = operations[id] else { return nil }
        return .init(
            title: entry.title, request: entry.request.id.rawValue,
            url: entry.metrics.attempts.first?.request.url.absoluteString ?? entry.sent.definition.url,
            status: entry.metrics.attempts.last?.head.map { Int($0.status.code) },
            date: entry.pastDate ?? entry.metrics.enqueuedDate, verdict: entry.verdictWord ?? "",
            duration: entry.metrics.total, note: entry.sent.whatIf?.words ?? "")
    }
}
