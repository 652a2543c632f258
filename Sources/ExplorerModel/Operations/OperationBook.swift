package import NetworkLayer
package import OrderedCollections

/// What was sent and what came of it.
package struct OperationBook: Sendable {
    /// In the order in which they were enqueued.
    package internal(set) var entries: OrderedDictionary<OperationID, OperationEntry> = [:]
    /// The last operation of each request.
    package internal(set) var latest: [RequestReference: OperationID] = [:]
    package internal(set) var selected: OperationID?
    /// Sends that aren't in the queue yet, by number.
    package internal(set) var waitingSends: OrderedDictionary<Int, WaitingSend> = [:]
    /// Why requests were not sent when that was asked for last.
    package internal(set) var refusals: [RequestReference: Refusal] = [:]
    package internal(set) var isSuspended = false
    /// Nothing goes to a host before the pause that it asked for is over.
    package internal(set) var keepsPauses = false
    /// The ends of those pauses.
    var hostPauses: [String: MonotonicTime] = [:]
    /// What was shown when a request was sent: a user who has moved on since stays at the new place.
    var shownAtSend: [RequestReference: RequestReference] = [:]
    /// The request that was sent last: the response's tab was picked for its answers.
    var tabRequest: RequestReference?
    package var retention = Retention()

    package internal(set) subscript(id: OperationID) -> OperationEntry? {
        get { entries[id] }
        _modify { yield &entries[id] }
    }
}
