/// What exactly an operation waits for.
public enum WaitDetail: Sendable, Hashable, Codable {
    /// Operations that must be over first, in the order of their numbers.
    case operations([OperationID])
    /// The pause that a host asked for. `key`: the host, or host and path, in lower case. `until`: when the pause ends; `nil`
    /// when it has, and requests go out one after the other.
    case backoff(key: String, until: MonotonicTime?)
    /// The operation waits for a slot among the transfers to a host, before a transfer that isn't its first: `host:port`, or an empty
    /// text where only the queue or the client has a limit.
    case concurrencyLimit(host: String)
}
