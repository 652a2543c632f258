package import NetworkLayer

/// What the explorer knows of one operation.
package struct OperationEntry: Sendable, Identifiable {
    package let id: OperationID
    package let request: RequestReference
    /// The name of the request when it was sent.
    package let title: String
    package let environment: String?
    /// The fold of ``events``.
    package internal(set) var metrics = OperationMetrics()
    package internal(set) var events: [NetworkEvent] = []
    /// `nil` until the operation has ended.
    package internal(set) var response: Response?
    package internal(set) var body = BodyState.none

    package init(id: OperationID, request: RequestReference, title: String, environment: String? = nil) {
        self.id = id
        self.request = request
        self.title = title
        self.environment = environment
    }

    package internal(set) var state = RequestOperation.State.idle

    /// The lines over the response's body: made outside, since a large one takes a while.
    package enum BodyState: Sendable {
        case none, preparing
    }
}
