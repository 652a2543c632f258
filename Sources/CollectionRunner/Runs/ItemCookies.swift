import NetworkLayer
import RequestCollections
import Synchronization

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
