import Base
import NetworkLayer
import Presentation
import RequestCollections

/// What the explorer knows of one operation.
struct OperationEntry: Sendable, Identifiable {
    let id: OperationID
    let sent: SentRequest
    /// The priority at present.
    var priority: Priority
    /// The fold of ``events``.
    var metrics = OperationMetrics()
    var events: [NetworkEvent] = []
    /// `nil` until the operation has ended.
    var response: Response?
    var body = BodyState.none
    /// The looks at a body that arrives.
    var peek = Peek()
    /// What came of it, when it is a stream that somebody looked at.
    var stream: StreamTable?
    /// The attempt before a retry whose body was asked for.
    var peekedAttempt: Int?
    /// How the body is read where that isn't as its server says.
    var reading = BodyReading()
    /// What of its body is an image that can be drawn.
    var picture: Picture?
    /// What the response pane's filter makes of the body; `nil`: it was not asked.
    var filtered: FilteredBody?
    /// `nil` until its run has ended, and when that has nothing to say.
    var report: RunReport?
    /// Whether its body and its events were released; see ``Retention``.
    var isReleased = false

    /// What it has otherwise than the run before; `nil`: that isn't known, or there is none.
    var change: RunChange?
    /// Its number in the history, once it is there.
    var historyNumber: Int64?
    /// When the run was made, if it is one of a former session.
    var pastDate: Date?
    /// What became of a run of a former session.
    var pastVerdict: Verdict?
    /// Whether it was never sent because something that it needs failed.
    var isStopped = false
    /// The history has kept everything but the body.
    var lacksBody = false

    init(id: OperationID, sent: SentRequest) {
        self.id = id
        self.sent = sent
        priority = sent.priority
    }

    /// The type of the error of a run that was never sent.
    static let needType = "need.failed"

    /// A run that was never sent.
    init(stopped id: OperationID, _ sent: SentRequest, because message: String, at date: Date, now: MonotonicTime) {
        self.init(id: id, sent: sent)
        isStopped = true
        let error = NetworkError(.operationFailed, phase: .preparation, type: Self.needType, message: message)
        let kinds: [NetworkEvent.Kind] = [
            .enqueued(queue: "explorer", date: date, timeouts: Timeouts()), .transition(from: .idle, to: .failed),
            .completed(.failed, error),
        ]
        for (sequence, kind) in kinds.enumerated() {
            apply(NetworkEvent(operation: id, attempt: nil, sequence: sequence, time: now, kind: kind))
        }
    }

    var request: RequestReference { sent.reference }
    /// The name of the request when it was sent.
    var title: String { sent.definition.name ?? sent.definition.id.rawValue }
    var environment: String? { sent.environment }

    var state: RequestOperation.State { metrics.state }

    /// The session that it became.
    var session: SessionMetrics? { metrics.attempts.last?.session }

    var isOpenSession: Bool { !state.isFinal && session.map { $0.close == nil } ?? false }

    struct Peek: Sendable {
        /// How much there was at the last one.
        var bytes = 0
        /// The same, on its way.
        var received: Int64 = 0
        /// Another one is under way.
        var isPending = false
    }

    /// The lines over the response's body: made beside the loop, since a large one takes a while.
    enum BodyState: Sendable {
        /// There is no body, or none yet.
        case none
        case preparing
        /// The lines that have come so far, of a body that is read as it arrives.
        case arriving(BodyDocument)
        case ready(BodyDocument)
        /// For instance, its file can't be read.
        case failed(String)
    }
}

extension OperationID {
    /// Operations count from 1; those that were never sent have numbers that none of them reaches.
    init(stopped number: Int) { self.init(rawValue: 1 << 40 + number) }
}

extension OperationEntry {
    /// How much of the body has come while it is on its way; then how much of it is kept, which panes and the history show, too.
    var bodySize: Int64 {
        let last = metrics.attempts.last
        let kept = Int64(response?.info?.body.count ?? 0)
        if kept > 0 { return kept }
        guard let last, last.end != nil, last.bytes.decodedResponseBody > 0 else { return last?.download.bytes ?? 0 }
        return last.bytes.decodedResponseBody
    }
}

/// What a run found out about its response: whether it was as expected, and what was taken from it. Without secrets.
struct RunReport: Hashable, Sendable {
    var expectations: [ExpectationResult] = []
    /// Sorted by name.
    var captured: [Captured] = []
    /// Why something after the response failed, with its place.
    var failure: String?
    /// The variable that the answer should have given a value; the failure says why it didn't.
    var missing: String?

    struct Captured: Hashable, Sendable {
        var name: String
        /// Masked when nobody may see it.
        var text: String
    }

    /// How many errors the answer to a query has about which nothing is expected.
    var queryErrors = 0

    /// So many expectations could not be looked at, since no answer came.
    var unseen = 0

    var isEmpty: Bool { expectations.isEmpty && captured.isEmpty && failure == nil && unseen == 0 && queryErrors == 0 }

    var metCount: Int { expectations.count(where: \.isMet) }

    var isPassed: Bool { failure == nil && metCount == expectations.count && unseen == 0 }

    /// `4/5 checks`, the longest form first; none when nothing was expected.
    var tallies: [String] {
        if unseen > 0 {
            return ["\(unseen) \(unseen == 1 ? "check" : "checks") not looked at", "-/\(unseen) checks", "-/\(unseen)"]
        }
        let count = "\(metCount)/\(expectations.count)"
        return expectations.isEmpty ? [] : ["\(count) checks", count]
    }
}
