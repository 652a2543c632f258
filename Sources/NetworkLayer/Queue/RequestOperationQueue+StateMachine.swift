import HeapModule

extension RequestOperationQueue {
    /// Which operation starts when, as a value. Every input takes O(log n), but for those that concern all: `suspend`,
    /// `resume`, `cancelAll`.
    struct StateMachine: Sendable {
        let maxConcurrentPerHost: Int?
        let maxConcurrent: Int?
        private var suspensions = 0
        private var entries: [OperationID: Entry] = [:]
        private var hosts: [String: Host] = [:]
        /// The best waiting operation of every host that has room, and some that were it once: checked when they come up.
        private var candidates: Heap<Ticket> = []
        private var running = 0
        private var nextNumber = 0

        init(maxConcurrentPerHost: Int? = nil, maxConcurrent: Int? = nil) {
            self.maxConcurrentPerHost = maxConcurrentPerHost
            self.maxConcurrent = maxConcurrent
        }

        var isSuspended: Bool { suspensions > 0 }

        enum Input: Sendable, Hashable {
            case enqueue(OperationID, host: String, priority: Priority)
            case finished(OperationID)
            case suspend, resume
            case cancelAll(CancelSource)
        }

        enum Effect: Sendable, Hashable {
            case start(OperationID)
            case wait(OperationID, RequestOperation.WaitReason)
            case cancel(OperationID, CancelSource)

            var operation: OperationID {
                switch self {
                case .start(let id), .wait(let id, _), .cancel(let id, _): id
                }
            }
        }

        private struct Entry {
            var host: String
            var ticket: Ticket
            var isRunning = false
            var isCancelled = false
        }

        /// A place in line: the higher priority first, then who came first.
        private struct Ticket: Comparable {
            var priority: Priority
            var number: Int
            var operation: OperationID

            static func < (left: Self, right: Self) -> Bool {
                left.priority == right.priority ? left.number > right.number : left.priority < right.priority
            }
        }

        private struct Host {
            var running = 0
            /// May hold tickets of operations that are over.
            var line: Heap<Ticket> = []
            var waiting = 0
        }

        mutating func handle(_ input: Input) -> [Effect] {
            var effects: [Effect] = []
            handle(input, into: &effects)
            return effects
        }

        mutating func handle(_ input: Input, into effects: inout [Effect]) {
            switch input {
            case .enqueue(let id, let host, let priority):
                enqueue(id, host: host, priority: priority, into: &effects)
            case .finished(let id):
                finished(id, into: &effects)
            case .suspend:
                suspensions += 1
                if suspensions == 1 { announceWaiting(.queueSuspended, into: &effects) }
            case .resume:
                guard suspensions > 0 else { return }
                suspensions -= 1
                guard suspensions == 0 else { return }
                startAll(into: &effects)
                announceWaiting(.concurrencyLimit, into: &effects)
            case .cancelAll(let source):
                cancelAll(source, into: &effects)
            }
        }

        // MARK: Inputs

        private mutating func enqueue(_ id: OperationID, host: String, priority: Priority, into effects: inout [Effect]) {
            guard entries[id] == nil else { return }
            nextNumber += 1
            var entry = Entry(host: host, ticket: Ticket(priority: priority, number: nextNumber, operation: id))
            entry.isRunning = admit(entry)
            entries[id] = entry
            effects.append(entry.isRunning ? .start(id) : .wait(id, isSuspended ? .queueSuspended : .concurrencyLimit))
        }

        private mutating func finished(_ id: OperationID, into effects: inout [Effect]) {
            guard let entry = entries.removeValue(forKey: id), let host = hosts.index(forKey: entry.host) else { return }
            if entry.isRunning {
                running -= 1
                hosts.values[host].running -= 1
            } else {
                hosts.values[host].waiting -= 1
                compact(entry.host)
            }
            if hosts.values[host].waiting > 0 {
                offerNext(of: entry.host)
            } else if hosts.values[host].running == 0 {
                hosts.remove(at: host)
            }
            if !isSuspended, !candidates.isEmpty { startAll(into: &effects) }
        }

        /// Nothing that waits may take the place of something that is about to be cancelled.
        private mutating func cancelAll(_ source: CancelSource, into effects: inout [Effect]) {
            for entry in entries.values.sorted(by: { $0.ticket.number < $1.ticket.number }) where !entry.isCancelled {
                entries[entry.ticket.operation]?.isCancelled = true
                effects.append(.cancel(entry.ticket.operation, source))
            }
        }

        // MARK: Starting

        private func hasHostRoom(in host: Host) -> Bool {
            maxConcurrentPerHost.map { host.running < $0 } ?? true
        }

        /// Gives a new operation a place among the running ones, or in its host's line.
        ///
        /// - Returns: whether it runs.
        private mutating func admit(_ entry: Entry) -> Bool {
            var host = hosts[entry.host] ?? Host()
            let hasHostRoom = hasHostRoom(in: host)
            let isAdmitted = !isSuspended && hasHostRoom && (maxConcurrent.map { running < $0 } ?? true)
            if isAdmitted {
                running += 1
                host.running += 1
            } else {
                // Or the line would be copied.
                hosts[entry.host] = nil
                host.line.insert(entry.ticket)
                host.waiting += 1
                if hasHostRoom { candidates.insert(entry.ticket) }
            }
            hosts[entry.host] = host
            return isAdmitted
        }

        /// Starts the best of those that have room until nothing has.
        private mutating func startAll(into effects: inout [Effect]) {
            while maxConcurrent.map({ running < $0 }) ?? true, let ticket = candidates.popMax() {
                guard let entry = entries[ticket.operation], isWaiting(ticket), let host = hosts[entry.host] else { continue }
                guard hasHostRoom(in: host) else { continue }
                // Another of the same host may have come to the front since this one was offered.
                guard let best = best(of: entry.host), best == ticket else {
                    offerNext(of: entry.host)
                    continue
                }
                _ = hosts[entry.host]?.line.popMax()
                hosts[entry.host]?.waiting -= 1
                hosts[entry.host]?.running += 1
                entries[ticket.operation]?.isRunning = true
                running += 1
                effects.append(.start(ticket.operation))
                offerNext(of: entry.host)
            }
        }

        private func isWaiting(_ ticket: Ticket) -> Bool {
            guard let entry = entries[ticket.operation] else { return false }
            return !entry.isRunning && !entry.isCancelled
        }

        /// The first in line at a host that still waits; drops those before it that don't.
        private mutating func best(of host: String) -> Ticket? {
            while let ticket = hosts[host]?.line.max {
                if isWaiting(ticket) { return ticket }
                _ = hosts[host]?.line.popMax()
            }
            return nil
        }

        private mutating func offerNext(of host: String) {
            guard let best = best(of: host), let state = hosts[host], hasHostRoom(in: state) else { return }
            candidates.insert(best)
        }

        /// Keeps what cancelled operations leave behind smaller than what waits.
        private mutating func compact(_ host: String) {
            guard let line = hosts[host]?.line, line.count > 64, line.count > 2 * (hosts[host]?.waiting ?? 0) else { return }
            let waiting = line.unordered.filter { isWaiting($0) }
            hosts[host]?.line = Heap(waiting)
            candidates = Heap(candidates.unordered.filter { isWaiting($0) })
        }

        private func announceWaiting(_ reason: RequestOperation.WaitReason, into effects: inout [Effect]) {
            let waiting = entries.values.filter { !$0.isRunning && !$0.isCancelled }
            for entry in waiting.sorted(by: { $0.ticket.number < $1.ticket.number }) {
                effects.append(.wait(entry.ticket.operation, reason))
            }
        }
    }
}
