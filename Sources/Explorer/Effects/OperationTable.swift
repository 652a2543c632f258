import NetworkLayer
import Synchronization

/// The operations by their ids: what effects name, and what holds their responses.
final class OperationTable: Sendable {
    private let operations = Mutex<[OperationID: RequestOperation]>([:])

    subscript(id: OperationID) -> RequestOperation? { operations.withLock { $0[id] } }

    func add(_ operation: RequestOperation) {
        operations.withLock { $0[operation.id] = operation }
    }

    func remove(_ ids: [OperationID]) {
        operations.withLock { operations in
            for id in ids { operations[id] = nil }
        }
    }
}
