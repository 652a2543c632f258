package import NetworkLayer
package import OrderedCollections
package import RequestCollections

/// What is open, and what gives its variables their values.
package struct Workspace: Sendable {
    package internal(set) var collections: OrderedDictionary<String, RequestCollection> = [:] {
        didSet { reading += 1 }
    }
    /// Counts what was read.
    private(set) var reading = 0
    /// By the collections' paths.
    package internal(set) var trusts: [String: CollectionTrust] = [:]
    /// The environment chosen for each collection, by path.
    package internal(set) var environments: [String: String] = [:]
    /// Chosen in each collection that has it when it is opened.
    package var preferredEnvironment: String?
    /// Stand over the variables of every collection: what the program was started with.
    package var variables: [String: String] = [:]
    /// Given since; see ``ExplorerState/givenVariables(in:)``.
    package internal(set) var sessionVariables = SessionVariables()
    /// By the collections' paths: the cookies of requests that say nothing of a jar, without their values.
    package internal(set) var sessionCookies: [String: CookieJar] = [:]

    /// `nil`: it isn't open.
    package subscript(path: String) -> RequestCollection? { collections[path] }
}
