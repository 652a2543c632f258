import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// What the history pane shows: the operations of this session that have ended, the newest first, and then those of former sessions.
struct HistoryPaneState: Hashable, Sendable {
    var selection = OperationSelection()
    /// What the rows that are seen have, as ``HistoryFilter`` reads it.
    var searchText = ""

    /// To be compared with another one.
    var marked: OperationID?
}

/// What is looked for among runs: words of the title, the URL, the environment or the result, `status:5xx`, `is:failed`,
/// `over:1s`, `since:2d`; all of them hold.
struct HistoryFilter: Hashable, Sendable {
    private var words: [String] = []
    private var statuses: [String] = []
    private var outcomes: [String] = []
    /// How long it took at least.
    private var least: Duration?
    /// The greatest age of a run, counted back from the newest one.
    private var age: Duration?

    init(_ text: String) {
        for word in text.lowercased().split(separator: " ").map(String.init) {
            if let status = Self.value(of: "status:", in: word) {
                if !status.isEmpty { statuses.append(status) }
            } else if let since = Self.value(of: "since:", in: word) {
                // While it is typed, it isn't a time yet.
                age = DurationText.parse(since) ?? age
            } else if let outcome = Self.value(of: "is:", in: word) {
                if !outcome.isEmpty { outcomes.append(outcome) }
            } else if let over = Self.value(of: "over:", in: word) {
                least = DurationText.parse(over) ?? least
            } else {
                words.append(word)
            }
        }
    }

    var isEmpty: Bool { words.isEmpty && statuses.isEmpty && outcomes.isEmpty && age == nil && least == nil }

    /// - Parameter newest: when the newest run of all was begun.
    func finds(_ run: Run, newest: Date?) -> Bool {
        if let age, let newest, let date = run.date, newest.timeIntervalSince(date) > age.inSeconds { return false }
        if let least, run.total.map({ $0 < least }) ?? true { return false }
        let status = run.status.map(String.init) ?? ""
        let texts = run.texts.map { $0.lowercased() }
        return statuses.allSatisfy { Self.matches($0, status) || run.results.contains($0) }
            && outcomes.allSatisfy { outcome in
                run.results.contains { $0.split(separator: " ").contains { $0.hasPrefix(outcome) } }
            }
            && words.allSatisfy { word in status == word || (texts + run.results).contains { $0.contains(word) } }
    }

    private static func value(of key: String, in word: String) -> String? {
        word.hasPrefix(key) ? String(word.dropFirst(key.count)) : nil
    }

    /// `5xx` and `5` are all statuses from 500 on.
    private static func matches(_ pattern: String, _ status: String) -> Bool {
        pattern.count <= status.count && zip(pattern, status).allSatisfy { $0 == "x" || $0 == $1 }
    }

    /// What of a run can be looked for.
    struct Run {
        var texts: [String]
        var status: Int?
        /// In small letters: `failed`, `tls`.
        var results: [String]
        var date: Date?
        /// From the first moment to the last.
        var total: Duration?
    }
}

extension Verdict {
    fileprivate var words: [String] { if case .failed(let kind) = self { [word, kind.rawValue] } else { [word] } }
}

extension OperationEntry {
    fileprivate var searched: HistoryFilter.Run {
        let attempt = metrics.attempts.last
        return HistoryFilter.Run(
            texts: [
                title, attempt?.request.url.absoluteString ?? sent.definition.url, sent.environment ?? "",
                sent.whatIf?.words ?? "",
            ],
            status: attempt?.head?.status.code, results: [state.description.lowercased()] + (verdict?.words ?? []),
            date: metrics.enqueuedDate, total: metrics.total)
    }
}

extension PastRun {
    fileprivate var searched: HistoryFilter.Run {
        HistoryFilter.Run(
            texts: [title, url, environment ?? "", note ?? ""], status: status,
            results: [state.description.lowercased()] + verdict.words, date: date, total: duration)
    }
}

extension ExplorerState {
    /// The rows of ``historyRows`` that are looked for; all when nothing is.
    var shownHistoryRows: [OperationID] {
        let query = HistoryFilter(panes.history.searchText)
        guard !query.isEmpty else { return historyRows }
        let own = operations.finished
        let newest = own.first.flatMap { operations[$0]?.metrics.enqueuedDate } ?? pastRuns.runs.first?.date
        return own.filter { operations[$0].map { query.finds($0.searched, newest: newest) } ?? false }
            + pastRuns.runs.filter { query.finds($0.searched, newest: newest) }.map(\.id)
    }
}

extension PaneDescription {
    static let history = PaneDescription(
        title: "History", focus: .focusHistory, perform: { $0.historyPane(perform: $1) },
        mouse: { $0.historyPane(mouse: $1, in: $2) },
        searchText: { $0.panes.history.searchText }, search: { $0.historyPane(search: $1) },
        hints: { _ in [.activate, .replay, .compare] })
}

extension ExplorerState {
    /// A command while the history pane has the focus; `nil`: not one of its own.
    mutating func historyPane(perform command: Command.ID) -> [ExplorerEffect]? {
        let ids = shownHistoryRows
        if let step = OperationSelection.Step(command) {
            panes.history.selection.move(step, in: ids, rows: rows(of: .history))
            return readPastRunsOn()
        }
        switch command {
        case .activate:
            return panes.history.selection.selected(in: ids).map { open($0) } ?? []
        case .compare:
            return compare(panes.history.selection.selected(in: ids))
        case .replay:
            return replay(panes.history.selection.selected(in: ids))
        case .nextMatch, .previousMatch:
            // All rows that are seen match.
            guard !panes.history.searchText.isEmpty, let selected = panes.history.selection.selected(in: ids),
                let index = ids.firstIndex(of: selected)
            else { return [] }
            panes.history.selection.select(ids[index.stepped(by: command == .nextMatch ? 1 : -1, of: ids.count)])
            return []
        default:
            return nil
        }
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func historyPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        if panes.history.selection.handle(event, in: shownHistoryRows, area) { return historyPane(perform: .activate) ?? [] }
        return event.action == .wheelUp || event.action == .wheelDown ? readPastRunsOn() : []
    }

    /// The text that is looked for changed: only rows with it are seen; an empty one shows all. `n` and `N` come as commands.
    mutating func historyPane(search text: String) -> [ExplorerEffect] {
        panes.history.searchText = text
        return readPastRunsOn()
    }
}
