import HeapModule

/// The lines before the hosts, and who is let in.
extension TransferSlots {
    var hasRoom: Bool { limits.total.map { running < $0 } ?? true }

    func hasRoom(inHost name: String) -> Bool {
        guard let host = hosts[name] else { return false }
        let most = host.limit?.limit ?? (multiplexed.contains(name) ? limits.streamsPerHost : limits.perHost)
        return most.map { host.running < $0 } ?? true
    }

    /// Puts an operation into its line.
    mutating func stand(_ wish: Wish) {
        hosts[wish.host]?.lines[wish.queue, default: Line()].tickets.insert(wish.ticket)
        hosts[wish.host]?.lines[wish.queue]?.waiting += 1
        compact(wish.host, wish.queue)
        offer(wish.host, wish.queue)
    }

    /// Lets in the best of those that have room until nothing has.
    mutating func startAll() -> [Effect] {
        var effects: [Effect] = []
        while hasRoom, let number = nextQueue, let ticket = queues[number]?.candidates.popMax() {
            guard let wish = places[ticket.operation]?.wish else { continue }
            if hosts[wish.host]?.lines[number]?.offered == ticket { hosts[wish.host]?.lines[number]?.offered = nil }
            guard hasRoom(inHost: wish.host) else { continue }
            // It may no longer wait, or another may have come to the front since it was offered a slot.
            guard best(of: wish.host, number) == ticket else {
                offer(wish.host, number)
                continue
            }
            _ = hosts[wish.host]?.lines[number]?.tickets.popMax()
            hosts[wish.host]?.lines[number]?.waiting -= 1
            hosts[wish.host]?.running += 1
            queues[number]?.waiting -= 1
            queues[number]?.running += 1
            running += 1
            places[ticket.operation]?.isHeld = true
            effects.append(Effect(operation: ticket.operation, answer: .pass))
            offer(wish.host, number)
        }
        return effects
    }

    /// The queue whose best candidate is the best of all that have room.
    private var nextQueue: QueueNumber? {
        var best: (number: QueueNumber, ticket: Ticket)?
        for (number, queue) in queues where queue.hasRoom {
            guard let ticket = queue.candidates.max, best.map({ $0.ticket < ticket }) ?? true else { continue }
            best = (number, ticket)
        }
        return best?.number
    }

    private func isInLine(_ ticket: Ticket) -> Bool {
        guard let place = places[ticket.operation] else { return false }
        return !place.isHeld && place.wish.ticket == ticket
    }

    /// The first in line that still waits; drops those before it that don't.
    private mutating func best(of host: String, _ queue: QueueNumber) -> Ticket? {
        while let ticket = hosts[host]?.lines[queue]?.tickets.max {
            if isInLine(ticket) { return ticket }
            _ = hosts[host]?.lines[queue]?.tickets.popMax()
        }
        return nil
    }

    /// Puts the first in line among the candidates, once its host has room.
    mutating func offer(_ name: String, _ queue: QueueNumber) {
        guard hasRoom(inHost: name), let best = best(of: name, queue), hosts[name]?.lines[queue]?.offered != best else { return }
        hosts[name]?.lines[queue]?.offered = best
        queues[queue]?.candidates.insert(best)
    }

    mutating func offerAll(of name: String) {
        guard hasRoom(inHost: name), let queues = hosts[name]?.lines.keys else { return }
        for queue in Array(queues) { offer(name, queue) }
    }

    /// Keeps what those leave behind that wait no more smaller than what waits.
    mutating func compact(_ host: String, _ queue: QueueNumber) {
        guard let line = hosts[host]?.lines[queue], line.tickets.count > 64, line.tickets.count > 2 * line.waiting else { return }
        let waiting = line.tickets.unordered.filter { isInLine($0) }
        hosts[host]?.lines[queue]?.tickets = Heap(waiting)
        if let candidates = queues[queue]?.candidates.unordered.filter({ isInLine($0) }) {
            queues[queue]?.candidates = Heap(candidates)
        }
    }

    /// Keeps nothing of hosts and queues of which nothing is under way or waits.
    mutating func forget(_ name: String, _ number: QueueNumber) {
        if let line = hosts[name]?.lines[number], line.waiting == 0 { hosts[name]?.lines[number] = nil }
        if let host = hosts[name], host.running == 0, host.lines.isEmpty {
            if let limit = host.limit { learn(limit, of: name) }
            hosts[name] = nil
        }
        if let queue = queues[number], queue.running == 0, queue.waiting == 0 { queues[number] = nil }
    }

    // MARK: Adaptive limits

    mutating func newHost(_ name: String) -> Host {
        guard let adaptive = limits.adaptive else { return Host() }
        return Host(limit: learnedLimits.removeValue(forKey: name) ?? adaptive)
    }

    /// A program that talks to more hosts than that forgets what it knows of idle ones.
    private mutating func learn(_ limit: Gradient2Limit, of host: String) {
        if learnedLimits.count >= Self.mostKnown { learnedLimits.removeAll() }
        learnedLimits[host] = limit
    }
}
