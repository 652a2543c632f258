import NetworkLayer
import OrderedCollections
import RequestCollections

/// What is open, and what gives its variables their values.
struct Workspace: Sendable {
    var collections: OrderedDictionary<String, RequestCollection> = [:] {
        didSet { reading += 1 }
    }
    /// Counts what was read.
    private(set) var reading = 0
    /// By the collections' paths.
    var trusts: [String: CollectionTrust] = [:]
    /// The environment chosen for each collection, by path.
    var environments: [String: String] = [:]
    /// Chosen in each collection that has it when it is opened.
    var preferredEnvironment: String?
    /// Stand over the variables of every collection: what the program was started with.
    var variables: [String: String] = [:]
    /// The path of the demo: its files are a copy that is thrown away, so what is new gets a place of its own.
    var demo: String?
    /// Given since; see ``ExplorerState/givenVariables(in:)``.
    var sessionVariables = SessionVariables()
    /// By the collections' paths: the cookies of requests that say nothing of a jar, without their values.
    var sessionCookies: [String: CookieJar] = [:]

    /// `nil`: it isn't open.
    subscript(path: String) -> RequestCollection? { collections[path] }
}
