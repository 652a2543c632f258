import NetworkLayer
import OrderedCollections

/// What was sent and what came of it.
struct OperationBook: Sendable {
    /// In the order in which they were enqueued.
    var entries: OrderedDictionary<OperationID, OperationEntry> = [:]
    /// The last operation of each request.
    var latest: [RequestReference: OperationID] = [:]
    var selected: OperationID?
    /// Sends that aren't in the queue yet, by number.
    var waitingSends: OrderedDictionary<Int, WaitingSend> = [:]
    /// Why requests were not sent when that was asked for last.
    var refusals: [RequestReference: Refusal] = [:]
    var isSuspended = false
    /// Nothing goes to a host before the pause that it asked for is over.
    var keepsPauses = false
    /// The ends of those pauses.
    var hostPauses: [String: MonotonicTime] = [:]
    /// What was shown when a request was sent: a user who has moved on since stays at the new place.
    var shownAtSend: [RequestReference: RequestReference] = [:]
    var retention = Retention()

    subscript(id: OperationID) -> OperationEntry? {
        get { entries[id] }
        _modify { yield &entries[id] }
    }

    /// Takes in what happened to an operation. A pause that a host asks for is kept.
    mutating func apply(_ event: NetworkEvent) {
        self[event.operation]?.apply(event)
        guard case .backoffSignalled(let host, let behavior) = event.kind else { return }
        hostPauses[host] = max(hostPauses[host] ?? .zero, event.time + behavior.pause)
    }

    /// What is known of a request goes where the request has gone.
    mutating func follow(from: RequestReference, to: RequestReference) {
        latest.follow(from: from, to: to)
        refusals.follow(from: from, to: to)
    }

    /// The operations that have ended, the newest first.
    var finished: [OperationID] {
        entries.values.reversed().lazy.filter { $0.state.isFinal && $0.id.pastRun == nil }.map(\.id)
    }

    /// The next operation of a list that a search finds, coming round at the ends.
    func next(
        matching text: String, in ids: [OperationID], from selection: OperationSelection, isForward: Bool,
        includesSelected: Bool = false
    ) -> OperationID? {
        guard !text.isEmpty else { return nil }
        let start = selection.selected(in: ids).flatMap { ids.firstIndex(of: $0) } ?? 0
        return ids.indices.round(from: start, forward: isForward, includesStart: includesSelected).lazy.map { ids[$0] }
            .first { self[$0]?.matches(text) ?? false }
    }
}

// MARK: The queue

extension OperationBook {
    /// Those that run in the order in which they were enqueued, then those that wait in the order in which they will start.
    var queued: [OperationID] {
        var running: [OperationID] = []
        var waiting: [(id: OperationID, priority: Priority)] = []
        for entry in entries.values where !entry.state.isFinal {
            if entry.state.isUnderWay {
                running.append(entry.id)
            } else {
                waiting.append((entry.id, entry.priority))
            }
        }
        // Stable: within one priority the order of enqueueing stays.
        waiting = waiting.enumerated().sorted { left, right in
            (right.element.priority, left.offset) < (left.element.priority, right.offset)
        }.map(\.element)
        return running + waiting.map(\.id)
    }

    /// How many run, how many wait to retry, and how many wait for their turn.
    var counts: (running: Int, retrying: Int, waiting: Int) {
        var counts = (running: 0, retrying: 0, waiting: waitingSends.count)
        for entry in entries.values where !entry.state.isFinal {
            if entry.state == .waitingToRetry {
                counts.retrying += 1
            } else if entry.state.isUnderWay {
                counts.running += 1
            } else {
                counts.waiting += 1
            }
        }
        return counts
    }

    mutating func set(_ priority: Priority, of id: OperationID) -> [ExplorerEffect] {
        guard let entry = self[id], !entry.state.isFinal, entry.priority != priority else { return [] }
        self[id]?.priority = priority
        return [.setPriority(id, priority)]
    }

    /// Changes places with the next one that waits. What starts first is decided by priorities alone, so those that must differ do.
    ///
    /// - Returns: `nil`: it doesn't wait.
    mutating func reorder(_ id: OperationID?, by step: Int) -> [ExplorerEffect]? {
        var waiting = queued.filter { self[$0]?.state.isUnderWay == false }
        guard let id, let index = waiting.firstIndex(of: id) else { return nil }
        guard waiting.indices.contains(index + step) else { return [] }
        waiting.swapAt(index, index + step)
        var effects: [ExplorerEffect] = []
        for place in waiting.indices.dropLast().reversed() {
            let (first, second) = (waiting[place], waiting[place + 1])
            guard let next = self[second]?.priority, let own = self[first]?.priority else { continue }
            // Where two are equal, the older one starts first.
            if own > next || own == next && isOlder(first, than: second) { continue }
            effects += set(Priority(rawValue: next.rawValue + 1), of: first)
        }
        return effects
    }

    private func isOlder(_ id: OperationID, than other: OperationID) -> Bool {
        (entries.index(forKey: id) ?? 0) < (entries.index(forKey: other) ?? 0)
    }
}
