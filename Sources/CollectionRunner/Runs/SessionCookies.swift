package import NetworkLayer
import RequestCollections
import Synchronization

/// The cookies in memory that the requests of a collection share when they say nothing of a jar. They last as long as the client.
///
/// What one collection has signed in to is nothing that another one, which may be a stranger's, may use: each has a jar of its own.
package struct SessionCookies: Hashable, Sendable {
    /// Tells those apart that go their own way; empty: the session's own.
    let part: String

    package init(part: String = "") { self.part = part }

    /// - Parameters:
    ///   - collection: its path.
    ///   - item: its numbers in the loops around it, the outermost first; see ``ItemCookies``.
    package func jar(of collection: String, item: [Int] = []) -> CookieConfiguration.Jar {
        .inMemory(item.reduce(part + collection) { "\($0)\0\($1)" })
    }
}

extension CollectionRunner {
    /// Those of the session, as they are now.
    package func sessionCookies(of collection: String) -> CookieJar {
        guard let cookies else { return CookieJar() }
        return queue.client.cookies[cookies.jar(of: collection)]
    }

    /// - Returns: how many they were.
    @discardableResult
    package func forgetCookies(of collection: String) -> Int {
        guard let cookies else { return 0 }
        return queue.client.cookies.edit(cookies.jar(of: collection)) { jar in
            defer { jar = CookieJar() }
            return jar.cookies.count
        }
    }

    /// Gives those of the session to others, who go on with them on their own.
    package func lendCookies(of collection: String, to others: SessionCookies) {
        let jar = sessionCookies(of: collection)
        queue.client.cookies.edit(others.jar(of: collection)) { $0 = jar }
    }

    /// Forgets what they made of them.
    package func forgetCookies(of collection: String, lentTo others: SessionCookies) {
        queue.client.cookies.edit(others.jar(of: collection)) { $0 = CookieJar() }
    }
}

/// The cookies in memory of each row of `--data`, and of each item of a folder's loop: they begin with those that answers outside have
/// set, and what is set in them nobody else sends. Two rows at once would else take each other's session.
///
/// The items of a request's own loop share the jar of the request.
final class ItemCookies: Sendable {
    /// The jars that have begun.
    private let begun = Mutex<Set<CookieConfiguration.Jar>>([])

    /// - Parameter session: the cookies of those that are in no loop.
    func jar(_ session: SessionCookies, for job: RunJob, in jars: CookieJars) -> CookieConfiguration.Jar {
        let items = job.iterations.filter { iteration in
            if case .loop(job.definition.id, _) = iteration.scope { false } else { true }
        }
        return begun.withLock { begun in
            items.indices.reduce(session.jar(of: job.collection.path)) { outer, last in
                let inner = session.jar(of: job.collection.path, item: items[...last].map(\.index))
                if begun.insert(inner).inserted {
                    let cookies = jars[outer]
                    if cookies != CookieJar() { jars.edit(inner) { $0 = cookies } }
                }
                return inner
            }
        }
    }
}

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
