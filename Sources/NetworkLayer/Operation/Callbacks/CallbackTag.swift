/// A call of a role that hadn't returned (TMO-5, TMO-6; TNL's `Class<Protocol>->selector`).
struct CallbackTag: Sendable, Hashable {
    /// The type that plays the role.
    var type: String
    /// The protocol: `RequestHydrator`.
    var role: String
    var method: String
    /// What the role says of itself; see ``DescribedRole``.
    var phrase: String?
    /// For how long it had been awaited, pauses of the whole program left out.
    var duration = Duration.zero
}

extension CallbackTag: CustomStringConvertible {
    /// `TokenHydrator<RequestHydrator>.hydrate`.
    var description: String { phrase ?? "\(type)<\(role)>.\(method)" }
}

/// A role that people know by something else than its type, such as a command that they wrote into a file. Messages name it so.
package protocol DescribedRole: Sendable {
    /// A noun with its article, for the middle of a sentence.
    var roleDescription: String { get }
}
