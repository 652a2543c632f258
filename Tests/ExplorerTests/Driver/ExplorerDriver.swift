import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

@testable import Explorer

/// An explorer without a screen and a world: keys in, effects out.
struct ExplorerDriver {
    var state: ExplorerState
    /// All since the last look.
    private var effects: [ExplorerEffect] = []

    init(_ collections: [RequestCollection] = [ShopCollection.collection], columns: Int = 120, rows: Int = 40) {
        state = ExplorerState(size: Size(columns: columns, rows: rows))
        for collection in collections { send(.collectionLoaded(collection)) }
    }

    mutating func send(_ event: ExplorerEvent) {
        effects += state.handle(event)
    }

    /// Presses keys by their names: `"j j Enter C-r"`.
    mutating func press(_ names: String) {
        for name in names.split(separator: " ") {
            guard let key = KeyPress(name: String(name)) else { preconditionFailure("there is no key \(name)") }
            send(.terminal(.key(key)))
        }
    }

    /// Presses the keys of commands, as the status line shows them.
    mutating func press(_ commands: Command.ID...) { press(commands) }

    mutating func press(_ commands: [Command.ID]) {
        for command in commands {
            guard let key = state.keymap.keys(for: command).first else { preconditionFailure("\(command) has no key") }
            send(.terminal(.key(key)))
        }
    }

    mutating func focus(_ pane: Pane) { press(pane.focusCommand) }

    /// Types a text, character by character.
    mutating func type(_ text: String) {
        for character in text { send(.terminal(.key(.character(character)))) }
    }

    mutating func paste(_ text: String) { send(.terminal(.paste(text))) }

    mutating func click(_ column: Int, _ row: Int, _ action: MouseEvent.Action = .press) {
        send(.terminal(.mouse(MouseEvent(action, at: Point(column: column, row: row)))))
    }

    /// What was asked for since the last call.
    mutating func takeEffects() -> [ExplorerEffect] {
        defer { effects = [] }
        return effects
    }

    var request: RequestDefinition? { state.shownDefinition }

    /// What says why, when it lies over the panes.
    var card: WhyCard? { if case .why(let card) = state.overlay { card } else { nil } }

    /// Moves the cursor of the tree to a request.
    mutating func pick(_ id: String) {
        press(.focusCollection, .top)
        for _ in 0..<state.tree.entries.count where state.selectedRequest?.id.rawValue != id { press(.down) }
    }

    // MARK: Operations

    /// What the loop answers to `send`.
    @discardableResult
    mutating func enqueue(_ number: Int, _ id: String, environment: String? = nil) -> OperationID {
        let operation = OperationID(rawValue: number)
        let definition = state.definition(of: ShopCollection.reference(id)) ?? ShopCollection.request(id, "GET", "http://localhost")
        send(.operationEnqueued(operation, SentRequest(definition, in: ShopCollection.path, environment: environment)))
        return operation
    }

    /// A network event with the next sequence number, so many milliseconds after the origin.
    mutating func event(_ operation: OperationID, _ kind: NetworkEvent.Kind, at milliseconds: Int64, attempt: Int? = nil) {
        let sequence = state.operations[operation]?.events.count ?? 0
        send(
            .network(
                NetworkEvent(
                    operation: operation, attempt: attempt, sequence: sequence,
                    time: MonotonicTime(nanoseconds: milliseconds * 1_000_000), kind: kind)))
    }
}
