/// Sees every event of every operation of a client or a queue (OBS-1): in order for each operation, on the thread on which it happened.
/// The observers of the queue see an event before those of the client, each group in the order in which they were added.
public protocol NetworkObserver: Sendable {
    /// Must return soon: it may hold up the transport's thread, and with it every other transfer.
    func observe(_ event: NetworkEvent, of operation: RequestOperation)
}

/// A token for something that was added, with which it can be removed.
public struct Registration: Sendable {
    private let remove: @Sendable () -> Void

    init(remove: @escaping @Sendable () -> Void) {
        self.remove = remove
    }

    /// Removes it; calling it again does nothing.
    public func cancel() { remove() }
}
