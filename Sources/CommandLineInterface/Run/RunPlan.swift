import CollectionRunner
import RequestCollections

extension RunPlan {
    /// What is selected of some collections, and what that needs.
    ///
    /// - Parameter rows: all of it is sent once for each.
    init(
        _ collections: [RequestCollection], _ selection: RequestSelection, environment: String? = nil,
        variables: [String: JSONValue] = [:], rows: [RunIteration]? = nil, repeats: Int = 1, shard: Shard? = nil
    ) {
        var jobs: [RunJob] = []
        for collection in collections {
            // An environment that only some of several collections have is theirs alone.
            let own = environment.flatMap { !collection.environmentNames.contains($0) && collections.count > 1 ? nil : $0 }
            jobs += selection.requests(of: collection).map {
                RunJob($0, in: collection, environment: own, variables: variables)
            }
        }
        if let rows {
            // A row's requests belong together.
            jobs = rows.filter { shard?.includes($0.index) ?? true }.flatMap { row in
                jobs.map { job in
                    var job = job
                    job.iterations = [row]
                    return job
                }
            }
        } else if let shard {
            jobs = jobs.enumerated().filter { shard.includes($0.offset) }.map(\.element)
        }
        self.init(jobs, rounds: repeats)
    }
}
