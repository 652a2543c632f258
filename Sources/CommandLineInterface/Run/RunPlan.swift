import CollectionRunner
import NetworkLayer
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
            let steps = collection.hasSteps ? collection.stepIDs : []
            let requests = collection.sharedRequests {
                selection.includes($0) && (!steps.contains($0.id) || selection.names($0))
            }
            guard let first = requests.first else { continue }
            let job = RunJob(first.wrappedValue, in: collection, environment: own, variables: variables)
            jobs += requests.map(job.with)
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
        }
        var place = 0
        self.init(jobs, rounds: repeats) { job in
            guard selection.includes(itemOf: job) else { return false }
            defer { place += 1 }
            return rows != nil || shard?.includes(place) ?? true
        }
    }
}
