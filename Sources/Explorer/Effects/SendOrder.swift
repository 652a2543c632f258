import CollectionRunner
import RequestCollections
import Synchronization

/// The sends that aren't in the queue yet. They are prepared side by side, and enter in the order of their numbers, which is that of the key
/// presses. A send that waits for something that may take as long as it likes holds nobody up.
final class SendOrder: Sendable {
    private let mailbox: Mailbox
    private let state = Mutex(State())

    private struct State {
        var last = 0
        var preparing: Set<Int> = []
        var waiting: [Int: RunWait] = [:]
        /// Those for which nothing is left to be done before they enter.
        var ready: [Int: CheckedContinuation<Void, Never>] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    /// A place behind all that are there.
    func join(_ sent: SentRequest) -> Place {
        state.withLock { state in
            state.last += 1
            state.preparing.insert(state.last)
            return Place(number: state.last, sent: sent, order: self)
        }
    }

    /// - Parameter task: prepares and sends; ``cancel(_:)`` ends it.
    func begin(_ place: Place, _ task: Task<Void, Never>) {
        // It may have left already.
        state.withLock { state in
            if state.preparing.contains(place.number) || state.waiting[place.number] != nil { state.tasks[place.number] = task }
        }
    }

    func cancel(_ number: Int) { state.withLock { $0.tasks[number] }?.cancel() }

    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    struct Place: RunTurn {
        let number: Int
        let sent: SentRequest
        fileprivate let order: SendOrder

        func waits(for wait: RunWait) {
            order.change { state in
                // What was begun for it may go on after it has left.
                guard state.preparing.remove(number) != nil || state.waiting[number] != nil else { return }
                state.waiting[number] = wait
                order.mailbox.post(.sendWaits(number, sent, wait))
            }
        }

        /// So does everything that waits for the same: an earlier one hears of it in a moment.
        func goesOn() {
            order.change { state in
                guard let wait = state.waiting[number] else { return }
                state.preparing.formUnion(state.waiting.keys.filter { state.waiting[$0] == wait })
            }
        }

        func acquire() async {
            await withCheckedContinuation { continuation in
                order.change { state in
                    state.preparing.insert(number)
                    state.ready[number] = continuation
                }
            }
        }

        /// Called when it is in the queue or won't be sent. What has left doesn't come back.
        func leave() {
            order.change { state in
                (state.tasks[number], _) = (nil, state.preparing.remove(number))
                if state.waiting.removeValue(forKey: number) != nil { order.mailbox.post(.sendOver(number)) }
            }
        }
    }

    /// Then the first that waits for nothing enters, when it is ready. The next one enters when that has left.
    private func change(_ change: (inout State) -> Void) {
        let continuation = state.withLock { state in
            change(&state)
            return state.preparing.min().flatMap { state.ready.removeValue(forKey: $0) }
        }
        continuation?.resume()
    }
}
