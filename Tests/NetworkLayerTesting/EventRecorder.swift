package import NetworkLayer
import Synchronization

/// An observer that keeps every event, in the order in which it was told.
package final class EventRecorder: NetworkObserver {
    private let recorded = Mutex<[NetworkEvent]>([])

    package init() {}

    package func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        recorded.withLock { $0.append(event) }
    }

    package var events: [NetworkEvent] { recorded.withLock { $0 } }

    package func events(of operation: RequestOperation) -> [NetworkEvent] {
        events.filter { $0.operation == operation.id }
    }

    /// What ``EventRules`` finds wrong, for all operations that were seen.
    package var violations: [String] {
        let logs = Dictionary(grouping: events, by: \.operation)
        return logs.sorted { $0.key < $1.key }.flatMap { EventRules.violations(in: $0.value) }
    }

    /// As ``violations``, where an operation need not be over.
    package var violationsSoFar: [String] {
        let logs = Dictionary(grouping: events, by: \.operation)
        return logs.sorted { $0.key < $1.key }.flatMap { _, log in
            let isOver = log.contains { if case .completed = $0.kind { true } else { false } }
            return EventRules.violations(in: log, isComplete: isOver)
        }
    }
}
