/// A part of the screen. Its raw value is the number in its title and the key that focuses it.
///
/// A new pane is a case here with its description, a state in ``PaneStates``, a command that focuses it, and a folder of its own.
enum Pane: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
    case collection = 1, request, operation, response, queue, history

    var description: PaneDescription {
        switch self {
        case .collection: .collection
        case .request: .request
        case .operation: .operation
        case .response: .response
        case .queue: .queue
        case .history: .history
        }
    }

    var title: String { description.title }

    /// The command that gives it the focus.
    var focusCommand: Command.ID { description.focus }

    /// The panes that cover the last rows of the tree, from the top.
    static let foot = allCases.filter { $0.description.foot != nil }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What each pane holds by itself.
struct PaneStates: Sendable {
    var collection = CollectionPaneState()
    var request = RequestPaneState()
    var operation = OperationPaneState()
    var response = ResponsePaneState()
    var queue = QueuePaneState()
    var history = HistoryPaneState()
}
