import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// What the operation pane shows of the selected operation: which attempt is picked out.
struct OperationPaneState: Hashable, Sendable {
    /// `nil`: the newest attempt, also when another begins.
    private var choice: Choice?

    private struct Choice: Hashable, Sendable {
        var operation: OperationID
        var attempt: Int
    }

    /// What `n` and `N` look for among the attempts.
    var searchText = ""

    /// The index of the selected attempt: the one that was chosen, else the newest; `nil` before the first.
    func selectedIndex(of entry: OperationEntry) -> Int? {
        let attempts = entry.metrics.attempts
        guard !attempts.isEmpty else { return nil }
        if let choice, choice.operation == entry.id, attempts.indices.contains(choice.attempt) { return choice.attempt }
        return attempts.count - 1
    }

    /// Whether an attempt was chosen that isn't the newest.
    func isHistoric(_ entry: OperationEntry) -> Bool {
        selectedIndex(of: entry) != entry.metrics.attempts.indices.last
    }

    /// Chooses an attempt by its index; the last one means to follow.
    mutating func select(_ index: Int, of entry: OperationEntry) {
        let last = entry.metrics.attempts.count - 1
        let index = min(max(0, index), max(0, last))
        choice = index == last ? nil : Choice(operation: entry.id, attempt: index)
    }

    /// To the next attempt with the text that is looked for, coming round at the ends.
    mutating func find(in entry: OperationEntry, from index: Int, step: Int) {
        let attempts = entry.metrics.attempts
        let text = searchText.lowercased()
        guard !text.isEmpty else { return }
        let found = attempts.indices.round(from: index, forward: step > 0).first { candidate in
            let attempt = attempts[candidate]
            let words = [
                attempt.request.url.absoluteString, attempt.request.method.rawValue, attempt.head.map { "\($0.status.code)" } ?? "",
                attempt.kind.rawValue,
            ]
            return words.contains { $0.lowercased().contains(text) }
        }
        if let found { select(found, of: entry) }
    }
}

/// What is on which row of the operation pane. A function of what there is to show and of the room, so that a click finds the
/// same row that was drawn.
///
/// From the top: the lifeline, the attempts, what happens now or how it ended, the timeouts. When there is no room the
/// attempts are cut first (the selected one stays), then the timeouts go; a single row has the essence of all.
struct OperationPaneLayout: Hashable, Sendable {
    enum Row: Hashable, Sendable {
        /// What it came to, or does, in columns that stay where they are.
        case verdict
        /// Everything in one line.
        case summary
        /// A line of it.
        case lifeline(Int)
        case attemptHeader
        /// By its index.
        case attempt(Int)
        /// What happens now: the phase, or how far a body has come.
        case activity(Activity)
        /// A line of the sentence about what went wrong.
        case failure(Int)
        /// How it ended when it ended well.
        case outcome
        /// All timeouts in one row.
        case gauges
        case gauge(TimeoutGauge.Name)
        case blank
    }

    enum Activity: Hashable, Sendable {
        case phase, upload, download
    }

    private(set) var rows: [Row] = []

    /// In the rail above the stage: the verdict first, wherever the operation stands.
    ///
    /// - Parameters:
    ///   - size: with five rows, two of them for attempts; with more, all that there is.
    ///   - isFailureTold: what went wrong stands elsewhere on the screen.
    init(rail entry: OperationEntry, in size: Size, selected: OperationPaneState, isFailureTold: Bool = false) {
        if size.rows > 5 {
            let below = Size(columns: size.columns, rows: size.rows - 1)
            let all = Self(entry, in: below, selected: selected, isFailureTold: isFailureTold).rows
            rows = [.verdict] + all.filter { $0 != .outcome }
            return
        }
        // What was never sent has no states to tell of.
        rows = [.verdict] + (entry.isStopped ? [] : [.lifeline(0)])
        let attempts = entry.metrics.attempts.count
        if attempts > 0 {
            let window = Self.window(of: attempts, rows: 2, around: selected.selectedIndex(of: entry) ?? 0)
            rows += [.attemptHeader] + window.map(Row.attempt)
        }
        if entry.metrics.error != nil, !isFailureTold {
            let lines = FailureText.lines(of: entry.metrics, columns: size.columns).count
            rows += (0..<max(0, min(lines, size.rows - rows.count))).map(Row.failure)
        }
        rows = Array(rows.prefix(max(0, size.rows)))
    }

    init(_ entry: OperationEntry, in size: Size, selected: OperationPaneState, isFailureTold: Bool = false) {
        let room = size.rows
        guard room > 1 else {
            rows = room == 1 ? [.summary] : []
            return
        }
        let isFinal = entry.state.isFinal
        let attempts = entry.metrics.attempts.count

        var middle: [Row]
        if !isFinal {
            middle = Self.activities(of: entry).map(Row.activity)
            if room < 4, middle.count > 1 { middle.removeFirst(middle.count - 1) }
        } else if entry.metrics.error != nil, isFailureTold {
            middle = []
        } else if entry.metrics.error != nil {
            let most = room < 6 ? 1 : room < 10 ? 3 : 6
            let lines = FailureText.lines(of: entry.metrics, columns: size.columns).count
            middle = (0..<min(lines, most)).map(Row.failure)
        } else {
            middle = [.outcome]
        }

        // Rows for more than one line of it are taken from air alone.
        var states = min(Lifeline.rowCount(entry.metrics, width: size.columns), max(1, room / 4))
        let kinds = Self.timeouts(of: entry)
        var timeouts: [Row] = kinds.isEmpty ? [] : [.gauges]
        var header: [Row] = attempts > 0 ? [.attemptHeader] : []
        var listed = attempts

        func total() -> Int { states + header.count + listed + middle.count + timeouts.count }
        while states > 1, total() > room { states -= 1 }
        if total() > room { header = [] }
        // The response's title says it too.
        if total() > room, middle == [.outcome] { middle = [] }
        if total() > room { listed = max(min(1, attempts), room - 1 - middle.count - timeouts.count) }
        if total() > room { timeouts = [] }
        if total() > room { listed = 0 }

        let window = Self.window(of: attempts, rows: listed, around: selected.selectedIndex(of: entry) ?? 0)
        let spare = room - total()
        // The timeouts get a row each when that leaves some air.
        if timeouts.count == 1, spare >= kinds.count { timeouts = kinds.map(Row.gauge) }
        let air = room - total()

        rows = (0..<states).map(Row.lifeline)
        if air > 0, !window.isEmpty { rows.append(.blank) }
        rows += header + window.map(Row.attempt)
        if air > 1, !middle.isEmpty { rows.append(.blank) }
        rows += middle
        if air > 2, !timeouts.isEmpty { rows.append(.blank) }
        rows += timeouts
    }

    /// A running operation has a row for what it does, also before bytes move, so that nothing jumps when they do.
    private static func activities(of entry: OperationEntry) -> [Activity] {
        guard entry.state == .running || entry.state == .starting, let attempt = entry.metrics.attempts.last else {
            return [.phase]
        }
        var activities: [Activity] = []
        if attempt.head == nil, attempt.upload.bytes > 0 || (attempt.upload.expected ?? 0) > 0 { activities.append(.upload) }
        if attempt.head != nil { activities.append(.download) }
        return activities.isEmpty ? [.phase] : activities
    }

    /// All while it runs; then the one that fired.
    private static func timeouts(of entry: OperationEntry) -> [TimeoutGauge.Name] {
        let board = TimeoutBoard(entry.metrics, now: .zero)
        return entry.state.isFinal ? board.fired.map { [$0] } ?? [] : board.gauges.map(\.name)
    }

    /// The attempts in sight: the last ones, moved up as far as the selected one needs it.
    private static func window(of count: Int, rows: Int, around selected: Int) -> Range<Int> {
        let first = min(max(0, count - rows), max(0, selected - rows / 2))
        return first..<min(count, first + max(0, rows))
    }
}

extension PaneDescription {
    static let operation = PaneDescription(
        title: "Operation", focus: .focusOperation, moment: .sent, perform: { $0.operationPane(perform: $1) },
        mouse: { $0.operationPane(mouse: $1, in: $2) }, searchText: { $0.panes.operation.searchText },
        search: { $0.operationPane(search: $1) }, hints: { _ in [.replay] })
}

extension ExplorerState {
    /// The attempt that the response pane's tabs are about: the one selected in the operation pane.
    var shownAttempt: AttemptMetrics? {
        guard let entry = shownOperation, let index = panes.operation.selectedIndex(of: entry) else { return nil }
        return entry.metrics.attempts[index]
    }

    /// What is on which row of the operation pane.
    func operationRows(_ entry: OperationEntry, in size: Size) -> [OperationPaneLayout.Row] {
        guard layout.shape == .rails else {
            let rows = OperationPaneLayout(entry, in: size, selected: panes.operation).rows
            return layout.verdictLine == nil ? rows : rows.filter { $0 != .outcome }
        }
        return OperationPaneLayout(rail: entry, in: size, selected: panes.operation, isFailureTold: isFailureTold).rows
    }

    /// The response pane says what went wrong, above what came of the body.
    private var isFailureTold: Bool {
        guard layout.panes[.response] != nil, case .failure = responseNotes(columns: layout.size.columns) else { return false }
        return true
    }

    /// A command while the operation pane has the focus; `nil`: not one of its own.
    mutating func operationPane(perform command: Command.ID) -> [ExplorerEffect]? {
        guard let entry = shownOperation else { return nil }
        let index = panes.operation.selectedIndex(of: entry) ?? 0
        switch command {
        case .up: panes.operation.select(index - 1, of: entry)
        case .down: panes.operation.select(index + 1, of: entry)
        case .pageUp, .top: panes.operation.select(0, of: entry)
        case .pageDown, .bottom: panes.operation.select(.max, of: entry)
        case .activate:
            screen.setFocus(.response)
            // The body is the last attempt's: of an earlier one, the times say most.
            if panes.operation.isHistoric(entry), panes.response.tab == .body { panes.response.tab = .timing }
        case .previousTab, .nextTab:
            return responsePane(perform: command)
        case .replay:
            return replay(entry.id)
        case .compare:
            return compareWithPrevious(entry.id)
        case .nextMatch, .previousMatch:
            panes.operation.find(in: entry, from: index, step: command == .nextMatch ? 1 : -1)
        default:
            return nil
        }
        return []
    }

    /// The attempt before or after the shown one, from any pane; the tabs of the response are about it.
    mutating func stepAttempt(by step: Int) {
        guard let entry = shownOperation, let index = panes.operation.selectedIndex(of: entry) else {
            notice = Notice(.info, "there is no attempt to show")
            return
        }
        let attempts = entry.metrics.attempts
        let next = index + step
        guard attempts.indices.contains(next) else {
            let which = attempts.count == 1 ? "the only attempt" : step < 0 ? "the first attempt" : "the last attempt"
            notice = Notice(.info, "this is \(which)")
            return
        }
        panes.operation.select(next, of: entry)
        let result = attempts[next].head.map { "\($0.status.code)" } ?? attempts[next].disposition.map { "\($0)" } ?? ""
        notice = Notice(.info, "attempt \(next + 1) of \(attempts.count)" + (result.isEmpty ? "" : ": \(result)"))
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func operationPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        guard let entry = shownOperation else { return [] }
        switch event.action {
        case .wheelUp: return operationPane(perform: .up) ?? []
        case .wheelDown: return operationPane(perform: .down) ?? []
        case .press, .doubleClick:
            let rows = operationRows(entry, in: area.size)
            let row = event.point.row - area.row
            guard rows.indices.contains(row), case .attempt(let index) = rows[row] else { return [] }
            panes.operation.select(index, of: entry)
            return event.action == .doubleClick ? operationPane(perform: .activate) ?? [] : []
        case .drag, .release: return []
        }
    }

    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func operationPane(search text: String) -> [ExplorerEffect] {
        panes.operation.searchText = text
        guard let entry = shownOperation else { return [] }
        panes.operation.find(in: entry, from: (panes.operation.selectedIndex(of: entry) ?? 0) - 1, step: 1)
        return []
    }
}
