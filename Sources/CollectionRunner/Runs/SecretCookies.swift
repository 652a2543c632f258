import NetworkLayer
import RequestCollections
import Synchronization

/// The names of cookies whose values nobody may see, since a capture calls them secret: `{ from: "cookie:token-x", secret: true }`.
///
/// A request names those of its collection before it is sent. So another one that sends such a cookie, or gets it back, hides it also
/// while the answer that has set it is still being evaluated. All runs of a runner share the names, as they may share a jar of cookies.
final class SecretCookies: Sendable {
    private let names = Mutex<Set<String>>([])

    func add(_ new: Set<String>) {
        guard !new.isEmpty else { return }
        names.withLock { $0.formUnion(new) }
    }

    /// The values of sessions and of these in a request's head as it was sent.
    func values(inSentHead head: String) -> Set<String> {
        Redaction.standard.sessions(inSentHead: head, and: names.withLock(\.self))
    }

    /// The values that an answer sets. Short ones are left out, since such words occur everywhere.
    func values(in head: ResponseHead) -> Set<String> {
        let values = names.withLock(\.self).flatMap(head.values(ofCookie:))
        return Set(values.flatMap { Redaction.forms(ofCookieValue: $0[...]) }.filter { $0.utf8.count >= Redactor.shortestSearched })
    }
}
