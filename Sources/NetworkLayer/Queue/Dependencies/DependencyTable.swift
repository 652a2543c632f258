import Synchronization

/// The dependencies of all operations of the process: numbers of operations are its names, and they cross queues and clients.
///
/// It holds no operation: one that goes away without having been enqueued counts as ended, because it never will. Operations
/// and queues ask it while they hold their own locks, so inside of its lock nothing else is locked, and no operation let go.
final class DependencyTable: Sendable {
    static let shared = DependencyTable()

    private let state = Mutex(State())

    private struct State {
        var graph = DependencyGraph<OperationID>()
        /// Those that wait, and those that are waited for.
        var operations: [OperationID: WeakOperation] = [:]

        mutating func note(_ operation: RequestOperation) { operations[operation.id] = WeakOperation(operation) }
    }

    /// The operations that wait for others than before. They are let go outside of the lock.
    struct News {
        var dependents: [RequestOperation] = []

        func tell() {
            for operation in dependents { operation.dependenciesChanged() }
        }
    }

    func add(_ dependency: RequestOperation, to operation: RequestOperation) -> (DependencyGraph<OperationID>.Addition, News) {
        change { state in
            state.note(dependency)
            state.note(operation)
            let addition = state.graph.add(dependency.id, to: operation.id)
            return (addition, addition == .added && state.graph.isNews(for: operation.id) ? [operation.id] : [])
        }
    }

    /// Leaves out those that wait for `operation`.
    func add(_ dependencies: [RequestOperation], to operation: RequestOperation) -> News {
        change { state in
            for dependency in dependencies { state.note(dependency) }
            state.note(operation)
            state.graph.add(dependencies.map(\.id), to: operation.id)
            return ((), state.graph.isNews(for: operation.id) ? [operation.id] : [])
        }.1
    }

    func remove(_ dependency: OperationID, from operation: OperationID) -> News {
        change { state in
            let wasThere = state.graph.remove(dependency, from: operation)
            return ((), wasThere && state.graph.isNews(for: operation) ? [operation] : [])
        }.1
    }

    /// Those that waited for it go on.
    func end(_ operation: OperationID) -> News {
        change { state in
            state.operations[operation] = nil
            let released = state.graph.end(operation)
            return ((), released.filter { state.graph.isNews(for: $0) })
        }.1
    }

    private func change<Result: Sendable>(_ body: (inout State) -> (Result, dependents: [OperationID])) -> (Result, News) {
        state.withLock { state in
            let (result, dependents) = body(&state)
            return (result, News(dependents: dependents.compactMap { state.operations[$0]?.operation }))
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
