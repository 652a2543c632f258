import NetworkLayer
import OrderedCollections

/// What starts first: by priority, and within one by age.
extension ExplorerState {
    static let priorities: [(priority: Priority, name: String)] = [
        (.veryHigh, "very high"), (.high, "high"), (.normal, "normal"), (.low, "low"), (.veryLow, "very low"),
    ]

    func priorityChooser(_ id: OperationID?) -> Opening {
        guard let id, let entry = operations[id], !entry.state.isFinal else { return .notice("nothing runs or waits") }
        let current = Self.priorities.firstIndex { $0.priority <= entry.priority } ?? Self.priorities.count - 1
        return .chooser(
            Chooser(
                "Priority of \(entry.title)", Self.priorities.map { Chooser.Item($0.name) }, selected: current,
                purpose: .priority(id)))
    }
}
