import DequeModule

/// Decides which requests must wait because their host asked for a pause. A value: inputs with their times in, answers out
/// (section 1.12).
///
/// A signal opens a line for its key. While the pause lasts, no request passes (BKO-3). A request that comes during the pause or
/// the serial time joins the line: requests go out one after the other, each when the one before it is over (BKO-4), and not sooner
/// after its start than the spacing. A request that comes later waits for those that joined, but holds up no other; neither does a
/// long poll, whenever it comes (BKO-5). A line that no request needs any more is forgotten.
///
///     signal ─── pause ───┬──── serial time ────┐
///     joins:   1, 2, 3    │ 1 ─> 2 ─> 3 ─> …    │ (later ones wait for those that joined, then go out together)
struct Backoff: Sendable {
    /// Whom it answers: an operation, or somebody who sends by other means.
    enum Ticket: Sendable, Hashable {
        case operation(OperationID)
        case foreign(Int)
    }

    enum Answer: Sendable, Hashable {
        case pass
        /// `until`: the end of the pause; `nil` when only requests before it are to be waited for.
        case wait(key: String, until: MonotonicTime?)
    }

    struct Effect: Sendable, Hashable {
        var ticket: Ticket
        var answer: Answer
    }

    private var lines: [String: Line] = [:]
    private var keys: [Ticket: String] = [:]
    private var nextNumber = 0

    private struct Line: Sendable {
        var pauseEnd: MonotonicTime?
        /// Until when new requests join the line.
        var serialEnd: MonotonicTime?
        var spacing = Duration.zero
        var places: [Ticket: Place] = [:]
        /// How many of the places haven't passed.
        var waiting = 0
        /// The places in order of arrival; some of them may be gone.
        var order: Deque<(ticket: Ticket, number: Int)> = []

        func isInForce(at time: MonotonicTime) -> Bool {
            !places.isEmpty || (pauseEnd.map { time < $0 } ?? false) || (serialEnd.map { time < $0 } ?? false)
        }
    }

    private struct Place: Sendable {
        let number: Int
        /// Whether it holds up those behind it.
        let isJoined: Bool
        var hasPassed = false
        var isOver = false
        /// The time before which no other request may follow.
        var spacedUntil: MonotonicTime?
    }

    // MARK: Inputs

    /// A host asked for a pause.
    mutating func signal(_ key: String, _ behavior: BackoffBehavior, at time: MonotonicTime) -> [Effect] {
        guard behavior.isEffective else { return [] }
        lines = lines.filter { $0.value.isInForce(at: time) }
        var line = lines[key] ?? Line()
        if behavior.pause > .zero {
            line.pauseEnd = max(line.pauseEnd ?? time, time + behavior.pause)
            line.serialEnd = max(line.serialEnd ?? time, time + behavior.pause)
        }
        if behavior.serialize > .zero { line.serialEnd = max(line.serialEnd ?? time, time + behavior.serialize) }
        line.spacing = behavior.spacing
        lines[key] = line
        guard behavior.pause > .zero else { return [] }
        return line.order.compactMap { ticket, number in
            guard let place = line.places[ticket], place.number == number, !place.hasPassed else { return nil }
            return Effect(ticket: ticket, answer: .wait(key: key, until: line.pauseEnd))
        }
    }

    /// Somebody wants to send a request.
    mutating func join(_ ticket: Ticket, _ key: String, isLongPoll: Bool, at time: MonotonicTime) -> [Effect] {
        guard keys[ticket] == nil else { return [] }
        guard lines[key]?.isInForce(at: time) == true else {
            lines[key] = nil
            return [Effect(ticket: ticket, answer: .pass)]
        }
        nextNumber += 1
        let isJoined = !isLongPoll && (lines[key]?.serialEnd.map { time < $0 } ?? false)
        lines[key]?.places[ticket] = Place(number: nextNumber, isJoined: isJoined)
        lines[key]?.order.append((ticket, nextNumber))
        lines[key]?.waiting += 1
        keys[ticket] = key
        let effects = move(key, at: time)
        guard let place = lines[key]?.places[ticket], !place.hasPassed else { return effects }
        return effects + [Effect(ticket: ticket, answer: .wait(key: key, until: lines[key]?.pauseEnd))]
    }

    /// A request is over, or was given up before it passed.
    mutating func leave(_ ticket: Ticket, at time: MonotonicTime) -> [Effect] {
        guard let key = keys.removeValue(forKey: ticket), let place = lines[key]?.places[ticket] else { return [] }
        if place.hasPassed {
            lines[key]?.places[ticket]?.isOver = true
        } else {
            lines[key]?.places[ticket] = nil
            lines[key]?.waiting -= 1
        }
        return move(key, at: time)
    }

    /// Time has passed.
    mutating func look(at time: MonotonicTime) -> [Effect] {
        lines.keys.sorted().flatMap { move($0, at: time) }
    }

    /// Forgets every line; the requests that waited pass. For another mode (BKO-1).
    mutating func clear() -> [Effect] {
        defer { self = Backoff() }
        return lines.sorted { $0.key < $1.key }.flatMap { _, line in
            line.order.compactMap { ticket, number in
                guard let place = line.places[ticket], place.number == number, !place.hasPassed else { return nil }
                return Effect(ticket: ticket, answer: .pass)
            }
        }
    }

    /// When to look again; `nil` when nobody waits for a time.
    var nextLook: MonotonicTime? {
        lines.values.compactMap { line -> MonotonicTime? in
            guard line.waiting > 0 else { return nil }
            if let pauseEnd = line.pauseEnd { return pauseEnd }
            guard let first = line.order.first, let place = line.places[first.ticket], place.isOver else { return nil }
            return place.spacedUntil
        }.min()
    }

    /// How many wait, over all keys.
    var waitingCount: Int { lines.values.reduce(0) { $0 + $1.waiting } }

    // MARK: The line

    /// Lets requests pass, up to and including the first one that holds up the others.
    private mutating func move(_ key: String, at time: MonotonicTime) -> [Effect] {
        guard var line = lines.removeValue(forKey: key) else { return [] }
        var effects: [Effect] = []
        if let pauseEnd = line.pauseEnd, pauseEnd <= time { line.pauseEnd = nil }
        while let (ticket, number) = line.order.first {
            guard var place = line.places[ticket], place.number == number else {
                line.order.removeFirst()
                continue
            }
            if !place.hasPassed {
                if line.pauseEnd != nil { break }
                effects.append(Effect(ticket: ticket, answer: .pass))
                place.hasPassed = true
                line.waiting -= 1
                if place.isJoined, line.spacing > .zero { place.spacedUntil = time + line.spacing }
                line.places[ticket] = place
            }
            if place.isJoined, !place.isOver || (place.spacedUntil.map { time < $0 } ?? false) { break }
            line.order.removeFirst()
            line.places[ticket] = nil
            if !place.isOver { keys[ticket] = nil }
        }
        if line.isInForce(at: time) { lines[key] = line }
        return effects
    }
}
