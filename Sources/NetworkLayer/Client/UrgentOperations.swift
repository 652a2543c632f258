import Synchronization

/// The operations above the threshold of priority that hold back the others (DEP-2). It keeps none of them alive.
final class UrgentOperations: Sendable {
    private let operations = Mutex<[OperationID: WeakOperation]>([:])

    func insert(_ operation: RequestOperation) {
        operations.withLock { $0[operation.id] = WeakOperation(operation) }
    }

    func remove(_ operation: OperationID) {
        operations.withLock { _ = $0.removeValue(forKey: operation) }
    }

    /// In the order of their numbers.
    var all: [RequestOperation] {
        operations.withLock { $0.sorted { $0.key < $1.key }.compactMap(\.value.operation) }
    }
}
