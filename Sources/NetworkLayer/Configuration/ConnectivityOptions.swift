/// What an operation does when the machine has no network (TNL's `connectivityOptions`, with its numbers). Without any, it
/// tries, and fails fast (TMO-7). They mean something only to a client that was given ``NetworkConditionsSource``.
public struct ConnectivityOptions: OptionSet, Sendable, Hashable, Codable {
    /// TNL's bits: 1, 2 and 4.
    public let rawValue: Int

    /// Bits that aren't listed are kept, and mean nothing.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Waits, visibly, in `waiting(connectivity)`, until an interface that is up has a default route.
    public static let wait = ConnectivityOptions(rawValue: 1)
    /// Waits when there is a retry policy.
    public static let waitWhenRetryPolicyProvided = ConnectivityOptions(rawValue: 2)
    /// The attempt timeout doesn't count the wait.
    public static let invalidateAttemptTimeoutWhenTriggered = ConnectivityOptions(rawValue: 4)
}
