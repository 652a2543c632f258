import NetworkLayer
import TerminalUI

/// The selected row of a list of operations: by id and not by index, since rows come and go while one looks.
struct OperationSelection: Hashable, Sendable {
    /// `nil`: the first row, whichever that is.
    private var id: OperationID?
    /// The first row in sight, as it was at the last step.
    private var top = 0

    init() {}

    enum Step: Hashable, Sendable {
        case rows(Int)
        case pages(Int)
        case first, last
    }

    /// The state of the list: its selection, and the rows in sight.
    func list(of ids: [OperationID], rows: Int) -> ListState {
        let index = id.flatMap { ids.firstIndex(of: $0) } ?? 0
        var list = ListState(count: ids.count, selected: index, height: rows)
        list.scroll(by: top - list.top)
        list.select(index)
        return list
    }

    /// The selected one of `ids`, if there are any.
    func selected(in ids: [OperationID]) -> OperationID? {
        id.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    }

    mutating func move(_ step: Step, in ids: [OperationID], rows: Int) {
        change(in: ids, rows: rows) { list in
            switch step {
            case .rows(let rows): list.move(by: rows)
            case .pages(let pages): list.page(by: pages)
            case .first: list.select(0)
            case .last: list.select(list.count - 1)
            }
        }
    }

    /// - Parameter row: of those in sight, from 0.
    /// - Returns: whether there is an operation.
    mutating func click(row: Int, in ids: [OperationID], rows: Int) -> Bool {
        guard let index = list(of: ids, rows: rows).index(atRow: row) else { return false }
        change(in: ids, rows: rows) { $0.select(index) }
        return true
    }

    /// A click or the wheel inside of `area`.
    ///
    /// - Returns: whether an operation was clicked twice.
    mutating func handle(_ event: MouseEvent, in ids: [OperationID], _ area: Rect) -> Bool {
        switch event.action {
        case .wheelUp, .wheelDown: move(.rows(event.action == .wheelUp ? -3 : 3), in: ids, rows: area.rows)
        case .press, .doubleClick:
            return click(row: event.point.row - area.row, in: ids, rows: area.rows) && event.action == .doubleClick
        case .drag, .release: break
        }
        return false
    }

    mutating func select(_ id: OperationID) {
        self.id = id
    }

    private mutating func change(in ids: [OperationID], rows: Int, _ body: (inout ListState) -> Void) {
        var list = list(of: ids, rows: rows)
        body(&list)
        id = list.selection.map { ids[$0] }
        top = list.top
    }
}

extension OperationSelection.Step {
    /// What a command does to any list.
    init?(_ command: Command.ID) {
        switch command {
        case .up: self = .rows(-1)
        case .down: self = .rows(1)
        case .pageUp: self = .pages(-1)
        case .pageDown: self = .pages(1)
        case .top: self = .first
        case .bottom: self = .last
        default: return nil
        }
    }
}
