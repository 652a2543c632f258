import HeapModule

/// The lines before the hosts, and who is let in.
extension RequestOperationQueue.StateMachine {
    var hasRoom: Bool { limits.total.map { running < $0 } ?? true }

    func hasRoom(in host: Host) -> Bool {
        (host.limit?.limit ?? limits.perHost).map { host.running < $0 } ?? true
    }

    /// Gives an operation a place among the running ones, or in its host's line.
    ///
    /// - Returns: whether it runs.
    mutating func admit(_ entry: Entry) -> Bool {
        var host = hosts[entry.host] ?? newHost(entry.host)
        let hasHostRoom = hasRoom(in: host)
        let isAdmitted = !isSuspended && hasHostRoom && hasRoom
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
    mutating func startAll(into effects: inout [Effect]) {
        while hasRoom, let ticket = candidates.popMax() {
            guard let entry = entries[ticket.operation], isInLine(ticket), let host = hosts[entry.host] else { continue }
            guard hasRoom(in: host) else { continue }
            // Another of the same host may have come to the front since this one was offered.
            guard let best = best(of: entry.host), best == ticket else {
                offerNext(of: entry.host)
                continue
            }
            _ = hosts[entry.host]?.line.popMax()
            hosts[entry.host]?.waiting -= 1
            hosts[entry.host]?.running += 1
            entries[ticket.operation]?.phase = .running
            running += 1
            effects.append(.start(ticket.operation))
            offerNext(of: entry.host)
        }
    }

    /// One that ran is over.
    mutating func leaveHost(_ entry: Entry, roundTrip: Duration?) {
        guard let host = hosts.index(forKey: entry.host) else { return }
        let inFlight = hosts.values[host].running
        if let roundTrip { hosts.values[host].limit?.take(roundTrip, inFlight: inFlight) }
        hosts.values[host].running = inFlight - 1
        offerNextOrForget(entry.host)
    }

    /// One that stood in line doesn't any more; its ticket goes when it comes up.
    mutating func leaveLine(of name: String) {
        hosts[name]?.waiting -= 1
        compact(name)
        offerNextOrForget(name)
    }

    private func isInLine(_ ticket: Ticket) -> Bool {
        guard let entry = entries[ticket.operation] else { return false }
        return entry.phase == .inLine && !entry.isCancelled
    }

    /// The first in line at a host that still waits; drops those before it that don't.
    private mutating func best(of host: String) -> Ticket? {
        while let ticket = hosts[host]?.line.max {
            if isInLine(ticket) { return ticket }
            _ = hosts[host]?.line.popMax()
        }
        return nil
    }

    private mutating func offerNext(of host: String) {
        guard let best = best(of: host), let state = hosts[host], hasRoom(in: state) else { return }
        candidates.insert(best)
    }

    private mutating func offerNextOrForget(_ name: String) {
        guard let host = hosts.index(forKey: name) else { return }
        if hosts.values[host].waiting > 0 {
            offerNext(of: name)
        } else if hosts.values[host].running == 0 {
            if let limit = hosts.values[host].limit { learn(limit, of: name) }
            hosts.remove(at: host)
        }
    }

    /// Keeps what cancelled operations leave behind smaller than what waits.
    private mutating func compact(_ host: String) {
        guard let line = hosts[host]?.line, line.count > 64, line.count > 2 * (hosts[host]?.waiting ?? 0) else { return }
        let waiting = line.unordered.filter { isInLine($0) }
        hosts[host]?.line = Heap(waiting)
        candidates = Heap(candidates.unordered.filter { isInLine($0) })
    }

    // MARK: Adaptive limits

    private mutating func newHost(_ name: String) -> Host {
        guard let adaptive = limits.adaptive else { return Host() }
        return Host(limit: learnedLimits.removeValue(forKey: name) ?? adaptive)
    }

    /// A program that talks to more hosts than that forgets what it knows of idle ones.
    private mutating func learn(_ limit: Gradient2Limit, of host: String) {
        if learnedLimits.count >= 1024 { learnedLimits.removeAll() }
        learnedLimits[host] = limit
    }
}
