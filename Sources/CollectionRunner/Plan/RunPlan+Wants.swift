import NetworkLayer
package import RequestCollections

extension RunPlan {
    /// What the requests of each collection want, those included that they need, in the order of the collections' paths.
    package func wants(usesMocks: Bool) -> [(collection: RequestCollection, wants: [NotedWant])] {
        /// Loops may give different values to variables of one name.
        struct Item: Hashable {
            var scope: RunIteration.Scope
            var index: Int
        }
        struct Place: Hashable {
            @ExactText var collection: String
            var environment: String?
            var items: [Item]
        }
        var groups: [(first: RunJob, requests: [Shared<RequestDefinition>])] = []
        var numbers: [Place: Int] = [:]
        for node in round {
            let job = node.job
            let place = Place(
                collection: job.collection.path, environment: job.environment,
                items: job.iterations.map { Item(scope: $0.scope, index: $0.index) })
            let number = numbers[place] ?? groups.count
            if number == groups.count {
                numbers[place] = number
                groups.append((job, []))
            }
            groups[number].requests.append(job.$definition)
        }
        var wanted: [ExactText: (collection: RequestCollection, wants: [NotedWant])] = [:]
        for (job, requests) in groups {
            let wants = job.collection.wants(
                of: requests, environment: job.environment, variables: job.variables, usesMocks: usesMocks)
            wanted[ExactText(job.collection.path), default: (job.collection, [])].wants += wants
        }
        return wanted.sorted { $0.key.wrappedValue < $1.key.wrappedValue }.map { _, wanted in
            // Many rows want the same things.
            var known: Set<NotedWant> = []
            return (wanted.collection, wanted.wants.filter { known.insert($0).inserted })
        }
    }
}
