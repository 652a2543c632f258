import Synchronization

/// The dependencies of all operations of the process: numbers of operations are its names, and they cross queues and clients.
///
/// It holds no operation: one that goes away without having been enqueued counts as ended, because it never will. Operations
/// and queues ask it while they hold their own locks, so inside of its lock nothing else is locked, and no operation let go.
final class DependencyTable: Sendable {
    static let shared = DependencyTable()

    private let state = Mutex(State())

    private struct State {
        var graph = DependencyGraph()
        var dependents: [OperationID: WeakOperation] = [:]
    }

    func add(_ dependency: OperationID, to operation: RequestOperation) -> DependencyGraph.Addition {
        state.withLock { state in
            let addition = state.graph.add(dependency, to: operation.id)
            if addition == .added { state.dependents[operation.id] = WeakOperation(operation) }
            return addition
        }
    }

    func remove(_ dependency: OperationID, from operation: OperationID) -> Bool {
        state.withLock { $0.graph.remove(dependency, from: operation) }
    }

    /// - Returns: those that waited for it.
    func end(_ operation: OperationID) -> [RequestOperation] {
        state.withLock { state in
            state.dependents[operation] = nil
            return state.graph.end(operation).compactMap { state.dependents[$0]?.operation }
        }
    }

    func unfinished(of operation: OperationID) -> [OperationID] {
        state.withLock { $0.graph.unfinished(of: operation) }
    }
}

/// An operation that lives as long as others want it to.
struct WeakOperation {
    weak var operation: RequestOperation?

    init(_ operation: RequestOperation) {
        self.operation = operation
    }
}
