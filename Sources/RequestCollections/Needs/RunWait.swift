package import NetworkLayer

/// What a run waits for before it enters the queue: something that may take as long as it likes.
package enum RunWait: Hashable, Sendable {
    /// A person is asked for something.
    case person
    /// A command runs whose output is a secret or another value.
    case command
    /// A token of OAuth 2 is being got.
    case token
    /// A request that it needs was sent by another run: both get its answer.
    case request(RequestID)
    /// A request that it needs is under way; `then` names those that are sent between that one and this.
    case operation(OperationID, then: [RequestID])
}
