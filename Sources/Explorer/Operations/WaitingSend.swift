import NetworkLayer
import OrderedCollections
import RequestCollections

/// A request that was sent and isn't in the queue yet, since it waits for something that takes as long as it likes.
struct WaitingSend: Hashable, Sendable {
    /// Its number, in the order in which requests were sent.
    let number: Int
    let sent: SentRequest
    var wait: RunWait
    let since: MonotonicTime

    var title: String { sent.definition.name ?? sent.definition.id.rawValue }
}

extension ExplorerState {
    /// Tells of a send that doesn't enter the queue by itself.
    mutating func waits(_ number: Int, _ sent: SentRequest, for wait: RunWait) {
        operations.waitingSends[number, default: WaitingSend(number: number, sent: sent, wait: wait, since: now)].wait = wait
    }

    /// The person took it back before it was in the queue.
    mutating func sendCancelled(_ reference: RequestReference) {
        operations.shownAtSend[reference] = nil
        whatIfRuns.giveUp(reference)
        notice = Notice(.info, "\(definition(of: reference)?.name ?? reference.id.rawValue) was cancelled before it was sent")
    }

    /// The last one of a request that waits.
    func waitingSend(of reference: RequestReference) -> WaitingSend? {
        operations.waitingSends.values.last { $0.sent.reference == reference }
    }

    /// That of the shown request.
    var shownWaitingSend: WaitingSend? { selectedRequest.flatMap { waitingSend(of: $0) } }

    /// `waits for your answer`
    ///
    /// - Parameter isShort: where there is little room: `asks you`.
    func words(for wait: RunWait, isShort: Bool = false) -> String {
        switch wait {
        case .person: isShort ? "asks you" : "waits for your answer"
        case .command: isShort ? "runs a command" : "waits for a command"
        case .token: isShort ? "gets a token" : "waits for a token"
        case .request(let id): "\(isShort ? "needs" : "waits for") \(id)"
        case .operation(let id, _): "\(isShort ? "needs" : "waits for") \(operations[id]?.title ?? "another request")"
        }
    }
}
