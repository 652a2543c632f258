package import NetworkLayer

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
