import CollectionRunner
import NetworkLayer
import Synchronization

/// The operations by their ids: what effects name, what holds their responses, and what nobody may see of them.
///
/// The loop gets events and responses without secrets, so that no pane, tab, search or copy can show one.
final class OperationTable: Sendable {
    private struct Entry {
        var run: PreparedRun
        var redactor: Redactor
        /// Whether its response is held back until the captures of its body are known.
        var isHeldBack: Bool
    }

    private let entries = Mutex<[OperationID: Entry]>([:])
    /// The responses of runs of former sessions that are looked at, and of WebSockets, whose transcript the runner has.
    private let past = Mutex<[OperationID: Response]>([:])

    subscript(id: OperationID) -> RequestOperation? { entries.withLock { $0[id]?.run.operation } }

    /// `nil` before it has ended.
    func response(of id: OperationID) -> Response? { past.withLock { $0[id] } ?? self[id]?.finalResponse }

    /// The body of a run that is under way; `none` when something secret may yet be captured of it.
    func partialBody(of id: OperationID) -> ResponseBody {
        entries.withLock { $0[id].flatMap { $0.isHeldBack ? nil : $0.run.operation } }?.partialBody ?? .none
    }

    /// When the session opened that it became.
    func sessionOpened(of id: OperationID) -> MonotonicTime? {
        (self[id]?.metrics ?? past.withLock { $0[id]?.metrics })?.attempts.last?.session?.opened
    }

    /// The run of this program that opens a session.
    func session(of id: OperationID) -> PreparedRun? {
        entries.withLock { $0[id].flatMap { $0.run.opensSession ? $0.run : nil } }
    }

    /// - Returns: whether there were any.
    func closeSessions() -> Bool {
        let open = entries.withLock { $0.values.map(\.run) }.filter { $0.opensSession && !$0.operation.state.isFinal }
        for run in open { run.closeSession() }
        return !open.isEmpty
    }

    /// When each part of its body arrived.
    func arrivals(of id: OperationID) -> [BodyArrival] { self[id]?.bodyArrivals ?? [] }

    /// A response in place of the operation's.
    func keep(_ response: Response, of id: OperationID) {
        past.withLock { $0[id] = response }
    }

    func add(_ run: PreparedRun) {
        run.keepNews()
        entries.withLock { $0[run.id] = Entry(run: run, redactor: run.redactor, isHeldBack: run.hidesBody) }
    }

    func remove(_ ids: [OperationID]) {
        entries.withLock { entries in
            for id in ids { entries[id] = nil }
        }
        past.withLock { past in
            for id in ids { past[id] = nil }
        }
    }

    func redactor(of id: OperationID) -> Redactor { entries.withLock { $0[id]?.redactor ?? Redactor() } }

    /// The event as it may be seen. An attempt may have a new token in it, and a head what is captured of it.
    func redacted(_ event: NetworkEvent) -> NetworkEvent {
        let redactor = entries.withLock { entries -> Redactor in
            guard var entry = entries[event.operation] else { return Redactor() }
            switch event.kind {
            case .attemptStarted, .preparationFailed: entry.redactor = entry.redactor.union(entry.run.redactor)
            case .requestHeadSent(let head): entry.redactor = entry.redactor.union(entry.run.redactor(afterSending: head))
            case .authenticationStep(let head), .informational(let head), .head(let head):
                entry.redactor = entry.redactor.union(entry.run.redactor(after: head))
            default: return entry.redactor
            }
            entries[event.operation] = entry
            return entry.redactor
        }
        return redactor.event(event)
    }

    func isHeldBack(_ id: OperationID) -> Bool { entries.withLock { $0[id]?.isHeldBack ?? false } }

    /// After its captures.
    ///
    /// - Returns: whether its response was held back until now.
    func finish(_ id: OperationID, _ redactor: Redactor) -> Bool {
        entries.withLock { entries in
            guard var entry = entries[id] else { return false }
            defer { entries[id] = entry }
            entry.redactor = entry.redactor.union(redactor)
            defer { entry.isHeldBack = false }
            return entry.isHeldBack
        }
    }
}
