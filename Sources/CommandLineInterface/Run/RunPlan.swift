import CollectionRunner
import RequestCollections

/// What `run` sends, in order.
struct RunPlan: Sendable {
    var jobs: [RunJob]

    init(
        _ collections: [RequestCollection], _ selection: RequestSelection, environment: String? = nil,
        variables: [String: String] = [:],
        repeats: Int = 1, shard: Shard? = nil
    ) {
        var once: [RunJob] = []
        for collection in collections {
            // An environment that only some of several collections have is theirs alone.
            let own = environment.flatMap { !collection.environmentNames.contains($0) && collections.count > 1 ? nil : $0 }
            once += selection.requests(of: collection).map {
                RunJob($0, in: collection, environment: own, variables: variables)
            }
        }
        if let shard { once = once.enumerated().filter { shard.includes($0.offset) }.map(\.element) }
        jobs = (0..<repeats).flatMap { _ in once }
    }
}
