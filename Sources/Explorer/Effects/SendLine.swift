import CollectionRunner
import RequestCollections
import Synchronization

/// The sends that aren't in the queue yet. They are prepared side by side, and enter in the order in which they were sent: ``SendOrder``.
final class SendLine: Sendable {
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var order = SendOrder<RunShare>()
        var atTheDoor: [Int: CheckedContinuation<Void, Never>] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
        /// The sends of which the loop was told that they wait.
        var waiting: Set<Int> = []
    }

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    /// A place behind all that are there.
    func join(_ sent: SentRequest) -> Place { Place(number: state.withLock { $0.order.join() }, sent: sent, line: self) }

    /// What prepares and sends the one at this place; ``cancel(_:)`` ends it.
    func begin(_ place: Place, _ task: Task<Void, Never>) {
        state.withLock { state in
            // It may have left already.
            if state.order.contains(place.number) { state.tasks[place.number] = task }
        }
    }

    func cancel(_ number: Int) { state.withLock { $0.tasks[number] }?.cancel() }

    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    struct Place: RunTurn {
        let number: Int
        let sent: SentRequest
        fileprivate let line: SendLine

        func waits(for wait: RunWait, sharing share: RunShare?) {
            line.change { state in
                // What was begun for it may go on after it has left.
                guard state.order.contains(number) else { return nil }
                state.waiting.insert(number)
                line.mailbox.post(.sendWaits(number, sent, wait))
                return state.order.wait(number, sharing: share)
            }
        }

        func goesOn() { line.state.withLock { $0.order.goOn(number) } }

        func acquire() async {
            await withCheckedContinuation { continuation in
                line.change { state in
                    state.atTheDoor[number] = continuation
                    return state.order.ready(number)
                }
            }
        }

        /// Called when it is in the queue or won't be sent. What has left doesn't come back.
        func leave() {
            line.change { state in
                state.tasks[number] = nil
                if state.waiting.remove(number) != nil { line.mailbox.post(.sendOver(number)) }
                return state.order.leave(number)
            }
        }
    }

    /// - Parameter change: gives the number of the one who enters now.
    private func change(_ change: (inout State) -> Int?) {
        let continuation = state.withLock { state in change(&state).flatMap { state.atTheDoor.removeValue(forKey: $0) } }
        continuation?.resume()
    }
}
