/// What can be undone and redone: steps of changes, as a person would count them (a typed word is one step).
package struct EditHistory: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package var start: TextPosition
        package var removed: String
        package var inserted: String
    }

    /// Changes of the same kind that follow each other are one step.
    package enum Kind: Hashable, Sendable {
        case typing, erasing, other
    }

    struct Step: Hashable, Sendable {
        var kind: Kind
        var changes: [Change]
        var before: Selection
        var after: Selection
    }

    struct Selection: Hashable, Sendable {
        var cursor: TextPosition
        var anchor: TextPosition?
    }

    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    private var isOpen = false
    private let limit = 10_000

    package init() {}

    mutating func record(_ change: Change, kind: Kind, before: Selection, after: Selection) {
        redoable = []
        if isOpen, kind != .other, let last = undoable.last, last.kind == kind, last.after == before {
            undoable[undoable.count - 1].changes.append(change)
            undoable[undoable.count - 1].after = after
        } else {
            undoable.append(Step(kind: kind, changes: [change], before: before, after: after))
            if undoable.count > limit { undoable.removeFirst(limit / 10) }
        }
        isOpen = true
    }

    /// What comes next is a step of its own.
    mutating func close() {
        isOpen = false
    }

    mutating func undo() -> Step? {
        isOpen = false
        guard let step = undoable.popLast() else { return nil }
        redoable.append(step)
        return step
    }

    mutating func redo() -> Step? {
        isOpen = false
        guard let step = redoable.popLast() else { return nil }
        undoable.append(step)
        return step
    }
}
