/// Sees every event of every operation of a client or queue (OBS-1): in order per operation, on whatever thread it happened.
public protocol NetworkObserver: Sendable {
    /// Must return soon and must not call back into the operation's queue.
    func observe(_ event: NetworkEvent, of operation: RequestOperation)
}
