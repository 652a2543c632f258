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
            let shared = Shared(wrappedValue: collection)
            jobs += selection.requests(of: collection).filter { !steps.contains($0.id) || selection.names($0) }.map {
                RunJob($0, in: shared, environment: own, variables: variables)
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
        }
        var place = 0
        self.init(jobs, rounds: repeats) { job in
            guard selection.includes(itemOf: job) else { return false }
            defer { place += 1 }
            return rows != nil || shard?.includes(place) ?? true
        }
    }

    /// What the requests of each collection want, those included that they need, in the order of the collections' paths.
    func wants(usesMocks: Bool) -> [(collection: RequestCollection, wants: [NotedWant])] {
        var wanted: [String: (collection: RequestCollection, wants: [NotedWant])] = [:]
        for jobs in Dictionary(
            grouping: round.map(\.job), by: { "\($0.collection.path)\n\($0.environment ?? "")\n\($0.iterations.map(\.index))" }
        ).values {
            let wants = jobs[0].collection.wants(
                of: jobs.map(\.definition), environment: jobs[0].environment, variables: jobs[0].variables, usesMocks: usesMocks)
            wanted[jobs[0].collection.path, default: (jobs[0].collection, [])].wants += wants
        }
        return wanted.sorted { $0.key < $1.key }.map { _, wanted in
            // Each row of many wants the same.
            var known: Set<NotedWant> = []
            return (wanted.collection, wanted.wants.filter { known.insert($0).inserted })
        }
    }
}
