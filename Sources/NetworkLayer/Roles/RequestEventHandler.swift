/// Follows one operation, and may take its time over it (EVT-1; TNL's `TNLRequestEventHandler`).
///
/// It hears every event in order, one after the other, each after the observers have (OBS-1), but it doesn't hold the operation
/// up: only ``readyToEnqueue(_:isRetry:)`` does. The operation's ``RequestOperation/response`` is there once the handler has
/// returned from `completed`. A call that lasts longer than ``NetworkClient/Settings/callbackTimeout`` fails the operation with
/// `callbackTimedOut` (TMO-5).
public protocol RequestEventHandler: Sendable {
    /// Hears one event; the next comes when it returns.
    func handle(_ event: NetworkEvent, of operation: RequestOperation) async

    /// The last step before an attempt that isn't a redirect hop: it may take time, and name operations that must end first
    /// (EVT-2).
    func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation]
}

extension RequestEventHandler {
    public func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation] { [] }
}
