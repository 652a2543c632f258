import HeapModule

/// Which transfers may be under way at a time, over all queues of a client, as a value. Every input takes O(log n), and one more
/// step for each queue in which something waits.
///
/// A slot belongs to a transfer: it is taken just before one starts, and given back when it ends, or when somebody is asked what
/// to do with it. So who waits (for a retry, a hook, another operation) never keeps anybody from sending.
///
///     ask ─┬─> held ──────────────────────────> left
///          └─> in line (host, queue, client) ─> held
struct TransferSlots: Sendable {
    let limits: Limits
    var hosts: [String: Host] = [:]
    var queues: [QueueNumber: Queue] = [:]
    var places: [OperationID: Place] = [:]
    /// What was learned about hosts to which nothing is under way.
    var learnedLimits: [String: Gradient2Limit] = [:]
    /// The hosts that answered with HTTP/2 or later.
    var multiplexed: Set<String> = []
    var running = 0

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
        /// In place of both limits: what each host's own limit starts as.
        var adaptive: Gradient2Limit?
        /// Over all hosts and queues.
        var total: Int?

        var isByHost: Bool { perHost != nil || streamsPerHost != nil || adaptive != nil }
    }

    /// What an operation asks for.
    struct Wish: Sendable, Hashable {
        var ticket: Ticket
        var host: String
        var queue: QueueNumber = 0
        var queueLimit: Int?
    }

    enum Answer: Sendable, Hashable {
        case pass, wait
    }

    struct Effect: Sendable, Hashable {
        var operation: OperationID
        var answer: Answer
    }

    /// A place in the order of starts: first the highest priority, then who came first.
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

    struct Queue: Sendable {
        let limit: Int?
        var running = 0
        var waiting = 0
        /// The best that wait for hosts that have room, and some that were it once: checked when they come up.
        var candidates: Heap<Ticket> = []

        var hasRoom: Bool { limit.map { running < $0 } ?? true }
    }

    struct Host: Sendable {
        var running = 0
        var limit: Gradient2Limit?
        var lines: [QueueNumber: Line] = [:]
    }

    /// The operations of one queue that wait for a host.
    struct Line: Sendable {
        /// May hold tickets of those that wait no more.
        var tickets: Heap<Ticket> = []
        var waiting = 0
        /// The last one that was put among the candidates, until it comes up there.
        var offered: Ticket?
    }

    // MARK: Inputs

    /// An operation wants to begin a transfer.
    mutating func ask(_ wish: Wish) -> [Effect] {
        let id = wish.ticket.operation
        guard places[id] == nil else { return [] }
        if hosts[wish.host] == nil { hosts[wish.host] = newHost(wish.host) }
        let queue = queues[wish.queue, default: Queue(limit: wish.queueLimit)]
        // Whoever waits for the same host and queue waits for want of room, so there is none to overtake.
        let isHeld = hasRoom && queue.hasRoom && hasRoom(inHost: wish.host)
        places[id] = Place(wish: wish, isHeld: isHeld)
        if isHeld {
            hosts[wish.host]?.running += 1
            queues[wish.queue, default: queue].running += 1
            running += 1
        } else {
            queues[wish.queue, default: queue].waiting += 1
            stand(wish)
        }
        return [Effect(operation: id, answer: isHeld ? .pass : .wait)]
    }

    /// A transfer is over, or isn't wanted any more.
    ///
    /// - Parameter roundTrip: from the last byte of the request to the first of the answer; `nil` without an answer.
    mutating func leave(_ id: OperationID, roundTrip: Duration? = nil) -> [Effect] {
        guard let place = places.removeValue(forKey: id) else { return [] }
        let (host, queue) = (place.wish.host, place.wish.queue)
        if place.isHeld {
            let inFlight = hosts[host]?.running ?? 0
            if let roundTrip { hosts[host]?.limit?.take(roundTrip, inFlight: inFlight) }
            hosts[host]?.running = inFlight - 1
            queues[queue]?.running -= 1
            running -= 1
            offerAll(of: host)
        } else {
            hosts[host]?.lines[queue]?.waiting -= 1
            queues[queue]?.waiting -= 1
            compact(host, queue)
            offer(host, queue)
        }
        forget(host, queue)
        return startAll()
    }

    /// An operation that waits has become more urgent, or less.
    mutating func setPriority(_ priority: Priority, of id: OperationID) {
        guard var place = places[id], place.wish.ticket.priority != priority else { return }
        place.wish.ticket.priority = priority
        places[id] = place
        if place.isHeld { return }
        hosts[place.wish.host]?.lines[place.wish.queue]?.waiting -= 1
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
        offerAll(of: host)
        return startAll()
    }

    static let mostKnown = 1024
}
