/// Sees every event of every operation of a client or queue (OBS-1): in order per operation, on whatever thread it happened.
///
/// Of one event, the observers of the queue hear before those of the client, each group in the order of their addition.
public protocol NetworkObserver: Sendable {
    /// Must return soon: it may hold up the transport's thread, and with it every other transfer.
    func observe(_ event: NetworkEvent, of operation: RequestOperation)
}

/// Proof that something was added, to take it out again.
public struct Registration: Sendable {
    private let remove: @Sendable () -> Void

    init(remove: @escaping @Sendable () -> Void) {
        self.remove = remove
    }

    /// Takes it out; a second time does nothing.
    public func cancel() { remove() }
}
