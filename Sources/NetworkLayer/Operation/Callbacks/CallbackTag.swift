/// A call of a role that hadn't returned (TMO-5, TMO-6; TNL's `Class<Protocol>->selector`).
struct CallbackTag: Sendable, Hashable {
    /// The type that plays the role.
    var type: String
    /// The protocol: `RequestHydrator`.
    var role: String
    var method: String
    /// For how long it had been awaited, pauses of the whole program left out.
    var duration = Duration.zero
}

extension CallbackTag: CustomStringConvertible {
    /// `TokenHydrator<RequestHydrator>.hydrate`.
    var description: String { "\(type)<\(role)>.\(method)" }
}
