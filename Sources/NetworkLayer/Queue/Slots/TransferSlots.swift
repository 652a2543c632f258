import HeapModule

/// Which transfers may be under way at a time, over all queues of a client, as a value. Every input takes O(log n), and one more
/// step for each host and queue at which something waits.
///
/// A slot belongs to a transfer: it is taken just before one starts, and given back when it ends, or when somebody is asked what
/// to do with it. So an operation that waits (for a retry, a hook, another operation) never keeps another from sending.
///
///     ask ─┬─> held ──────────────────────────> left
///          └─> in line (host, queue, client) ─> held
struct TransferSlots: Sendable {
    let limits: Limits
    private(set) var places: [OperationID: Place] = [:]
    private(set) var lines: [LineName: Line] = [:]
    private(set) var running = Running()
    /// The hosts that answered with HTTP/2 or later.
    private var multiplexed: Set<String> = []

    init(limits: Limits = .init()) {
        self.limits = limits
    }

    /// Counts the queues of the process.
    typealias QueueNumber = Int

    struct Limits: Sendable, Hashable {
        /// The limit for a host that takes one request on a connection at a time.
        var perHost: Int?
        /// The limit for a host that takes many, as streams.
        var streamsPerHost: Int?
        /// Over all hosts and queues.
        var total: Int?

        var isByHost: Bool { perHost != nil || streamsPerHost != nil }
    }

    /// What an operation asks for.
    struct Wish: Sendable, Hashable {
        var ticket: Ticket
        var host: String
        var queue: QueueNumber = 0
        var queueLimit: Int?

        var line: LineName { LineName(host: host, queue: queue) }
    }

    enum Answer: Sendable, Hashable {
        case pass, wait
    }

    struct Effect: Sendable, Hashable {
        var operation: OperationID
        var answer: Answer
    }

    /// A place in the order of starts: first the highest priority, then the first to come.
    struct Ticket: Sendable, Hashable, Comparable {
        var priority: Priority
        var number: Int
        var operation: OperationID

        static func < (left: Self, right: Self) -> Bool {
            left.priority == right.priority ? left.number > right.number : left.priority < right.priority
        }
    }

    struct Place: Sendable {
        var wish: Wish
        var isHeld: Bool
    }

    /// How many transfers are under way.
    struct Running: Sendable {
        var total = 0
        var byHost: [String: Int] = [:]
        var byQueue: [QueueNumber: Int] = [:]

        mutating func add(_ count: Int, _ name: LineName) {
            total += count
            let (host, queue) = (byHost[name.host, default: 0] + count, byQueue[name.queue, default: 0] + count)
            byHost[name.host] = host == 0 ? nil : host
            byQueue[name.queue] = queue == 0 ? nil : queue
        }
    }

    struct LineName: Sendable, Hashable {
        var host: String
        var queue: QueueNumber
    }

    /// The operations of one queue that wait for a host.
    struct Line: Sendable {
        let queueLimit: Int?
        /// May hold tickets of operations that don't wait any more, or that have another priority now.
        var tickets: Heap<Ticket> = []
        var waiting = 0
    }

    // MARK: Inputs

    /// An operation wants to begin a transfer.
    mutating func ask(_ wish: Wish) -> [Effect] {
        let id = wish.ticket.operation
        guard places[id] == nil else { return [] }
        // An operation that waits in the same line waits for want of room, so there is none to overtake.
        let isHeld = hasRoom(wish.line, queueLimit: wish.queueLimit)
        places[id] = Place(wish: wish, isHeld: isHeld)
        if isHeld { running.add(1, wish.line) } else { stand(wish) }
        return [Effect(operation: id, answer: isHeld ? .pass : .wait)]
    }

    /// A transfer is over, or isn't wanted any more.
    mutating func leave(_ id: OperationID) -> [Effect] {
        guard let place = places.removeValue(forKey: id) else { return [] }
        guard place.isHeld else {
            leaveLine(place.wish.line)
            return []
        }
        running.add(-1, place.wish.line)
        return startAll()
    }

    /// An operation that waits has become more urgent, or less.
    mutating func setPriority(_ priority: Priority, of id: OperationID) {
        guard var place = places[id], place.wish.ticket.priority != priority else { return }
        place.wish.ticket.priority = priority
        places[id] = place
        guard !place.isHeld else { return }
        leaveLine(place.wish.line)
        stand(place.wish)
    }

    /// A host answered: whether a connection to it takes many requests at a time.
    mutating func setMultiplexed(_ isMultiplexed: Bool, _ host: String) -> [Effect] {
        guard multiplexed.contains(host) != isMultiplexed else { return [] }
        if isMultiplexed {
            // A program that talks to more hosts than that learns it again.
            if multiplexed.count >= Self.mostKnown { multiplexed.removeAll() }
            multiplexed.insert(host)
        } else {
            multiplexed.remove(host)
        }
        return startAll()
    }

    static let mostKnown = 1024

    // MARK: Lines

    private func hasRoom(_ name: LineName, queueLimit: Int?) -> Bool {
        func isBelow(_ limit: Int?, _ count: Int?) -> Bool { limit.map { count ?? 0 < $0 } ?? true }
        return isBelow(limits.total, running.total) && isBelow(queueLimit, running.byQueue[name.queue])
            && isBelow(
                multiplexed.contains(name.host) || Self.isOfStreams(name.host) ? limits.streamsPerHost : limits.perHost,
                running.byHost[name.host])
    }

    /// What counts the bodies of a host that are read as they come: those of HTTP/1, too, have ``Limits/streamsPerHost``.
    static func streams(of host: String) -> String { "\(host), streams" }

    /// Other names end with a port.
    private static func isOfStreams(_ host: String) -> Bool { host.utf8.last == UInt8(ascii: "s") }

    private mutating func stand(_ wish: Wish) {
        lines[wish.line, default: Line(queueLimit: wish.queueLimit)].tickets.insert(wish.ticket)
        lines[wish.line]?.waiting += 1
    }

    private mutating func leaveLine(_ name: LineName) {
        lines[name]?.waiting -= 1
        guard let line = lines[name] else { return }
        if line.waiting == 0 {
            lines[name] = nil
        } else if line.tickets.count > 64, line.tickets.count > 2 * line.waiting {
            // What is left behind stays smaller than what waits.
            let tickets = Heap(line.tickets.unordered.filter(isInLine))
            lines[name]?.tickets = tickets
        }
    }

    private func isInLine(_ ticket: Ticket) -> Bool {
        guard let place = places[ticket.operation] else { return false }
        return !place.isHeld && place.wish.ticket == ticket
    }

    /// Lets in the best of those that have room until nothing has.
    private mutating func startAll() -> [Effect] {
        var effects: [Effect] = []
        while let (name, ticket) = next() {
            _ = lines[name]?.tickets.popMax()
            places[ticket.operation]?.isHeld = true
            running.add(1, name)
            leaveLine(name)
            effects.append(Effect(operation: ticket.operation, answer: .pass))
        }
        return effects
    }

    /// The first of all lines that have room.
    private mutating func next() -> (LineName, Ticket)? {
        var best: (name: LineName, ticket: Ticket)?
        for (name, line) in lines where hasRoom(name, queueLimit: line.queueLimit) {
            while let ticket = lines[name]?.tickets.max, !isInLine(ticket) { _ = lines[name]?.tickets.popMax() }
            guard let ticket = lines[name]?.tickets.max, best.map({ $0.ticket < ticket }) ?? true else { continue }
            best = (name, ticket)
        }
        return best.map { ($0.name, $0.ticket) }
    }
}
