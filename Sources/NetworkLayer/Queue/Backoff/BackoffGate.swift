public import Base
public import HTTPTypes
import Synchronization

extension NetworkClient {
    /// When hosts are left alone for a while; disabled at first. It holds for operations that are enqueued from now on; another
    /// mode also ends all pauses there are (BKO-1).
    public var backoff: BackoffRules {
        get { backoffGate.rules }
        set { backoffGate.rules = newValue }
    }

    /// Reports that a host asked a program that doesn't use this library for a pause: our requests to the host observe it as well
    /// (BKO-6).
    ///
    /// - Parameter host: instead of the URL's, where the two differ.
    public func signalBackoff(from url: URL, host: String? = nil, headers: HTTPFields = [:]) {
        let rules = backoff
        guard let key = rules.key(of: url, host: host) else { return }
        backoffGate.signal(key, rules.behavior.behavior(after: headers, from: url, now: time.date))
    }

    /// Waits as one of our requests would, for something that doesn't use this library (BKO-6). Returns at once when nothing is to
    /// be waited for, and when the task is cancelled.
    ///
    /// - Parameter isLongPoll: whether it waits, but is not to hold up others.
    /// - Returns: its place; those behind it go on when it is ended.
    public func passBackoff(to url: URL, host: String? = nil, isLongPoll: Bool = false) async -> BackoffPass {
        let pass = BackoffPass(gate: backoffGate, ticket: backoffGate.makeForeignTicket())
        guard backoffGate.isOn else { return pass }
        let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
        backoffGate.join(pass.ticket, url, host: host, isLongPoll: isLongPoll) { answer in
            if answer == .pass { continuation.finish() }
        }
        for await _ in answers {}
        if Task.isCancelled { pass.end() }
        return pass
    }
}

/// A place among the requests to a host that go out one after the other. It ends with ``end()``, or when nobody holds it.
public final class BackoffPass: Sendable {
    private let gate: BackoffGate
    let ticket: Backoff.Ticket

    init(gate: BackoffGate, ticket: Backoff.Ticket) {
        self.gate = gate
        self.ticket = ticket
    }

    deinit {
        end()
    }

    /// The request is over; a second time does nothing.
    public func end() {
        gate.leave(ticket)
    }
}

/// The shell around ``Backoff``: its lock, its alarm, and whom to tell. One for a client, shared by its queues.
///
/// Answers are told outside of the lock, in order, by one thread at a time.
final class BackoffGate: Sendable {
    private let time: any TimeSource
    private let core = Mutex(Core())
    private let isEnabled = Atomic(false)

    private struct Core: Posting {
        var rules = BackoffRules()
        var backoff = Backoff()
        var outbox = Outbox<Backoff.Ticket, Backoff.Answer>()
        var alarm: (time: MonotonicTime, alarm: (any Alarm)?)?
        var foreignCount = 0
    }

    init(time: any TimeSource) {
        self.time = time
    }

    /// Whether anything can ask for a pause at all. One load, since every operation asks.
    var isOn: Bool { isEnabled.load(ordering: .acquiring) }

    /// How many wait.
    var waitingCount: Int { core.withLock { $0.backoff.waitingCount } }

    var rules: BackoffRules {
        get { core.withLock { $0.rules } }
        set {
            isEnabled.store(newValue.mode != .disabled, ordering: .releasing)
            update { core, _ in
                let isOtherMode = core.rules.mode != newValue.mode
                core.rules = newValue
                return isOtherMode ? core.backoff.clear() : []
            }
        }
    }

    // MARK: Signals

    struct Signal {
        var key: String
        var behavior: BackoffBehavior
    }

    /// Looks at an answer.
    ///
    /// - Returns: what it asked for and got; `nil` when it didn't.
    func check(_ head: ResponseHead, from url: URL, originalURL: URL) -> Signal? {
        let rules = rules
        guard rules.mode != .disabled, rules.signaler.isSignal(head, from: url) else { return nil }
        let behavior = rules.behavior.behavior(after: head.headers, from: url, now: time.date)
        guard behavior.isEffective, let key = rules.key(of: rules.usesOriginalHost ? originalURL : url) else { return nil }
        signal(key, behavior)
        return Signal(key: key, behavior: behavior)
    }

    func signal(_ key: String, _ behavior: BackoffBehavior) {
        update { $0.backoff.signal(key, behavior, at: $1) }
    }

    // MARK: Requests

    /// Tells `listener` what to wait for, perhaps several times, and at last that it may pass; perhaps before it returns.
    func join(
        _ ticket: Backoff.Ticket, _ url: URL, host: String? = nil, isLongPoll: Bool,
        listener: @escaping Outbox<Backoff.Ticket, Backoff.Answer>.Listener
    ) {
        let key = core.withLock { $0.rules.key(of: url, host: host) }
        guard let key else { return listener(.pass) }
        update { core, now in
            core.outbox[ticket] = listener
            return core.backoff.join(ticket, key, isLongPoll: isLongPoll, at: now)
        }
    }

    func makeForeignTicket() -> Backoff.Ticket {
        core.withLock { core in
            core.foreignCount += 1
            return .foreign(core.foreignCount)
        }
    }

    /// The request is over, or doesn't wait any more.
    func leave(_ ticket: Backoff.Ticket) {
        update { core, now in
            core.outbox[ticket] = nil
            return core.backoff.leave(ticket, at: now)
        }
    }

    // MARK: The shell

    private func update(_ change: (inout Core, MonotonicTime) -> [Backoff.Effect]) {
        core.update { core in
            for effect in change(&core, time.now) {
                core.outbox.post(effect.answer, to: effect.ticket, isLast: effect.answer == .pass)
            }
        }
        setAlarm()
    }

    private func setAlarm() {
        let (next, old) = core.withLock { core -> (MonotonicTime?, (any Alarm)?) in
            let next = core.backoff.nextLook
            guard next != core.alarm?.time else { return (nil, nil) }
            let old = core.alarm?.alarm
            core.alarm = next.map { ($0, nil) }
            return (next, old)
        }
        old?.cancel()
        guard let next else { return }
        let alarm = time.schedule(at: next) { [weak self] in self?.alarmRang(next) }
        let isWanted = core.withLock { core in
            guard core.alarm?.time == next, core.alarm?.alarm == nil else { return false }
            core.alarm?.alarm = alarm
            return true
        }
        if !isWanted { alarm.cancel() }
    }

    private func alarmRang(_ deadline: MonotonicTime) {
        core.withLock { core in
            if core.alarm?.time == deadline { core.alarm = nil }
        }
        update { $0.backoff.look(at: max($1, deadline)) }
    }
}
