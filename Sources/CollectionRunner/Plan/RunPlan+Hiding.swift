package import NetworkLayer
import RequestCollections

extension RunPlan {
    /// The secrets that stand in environment variables, as far as its collections may read these.
    package func environmentSecrets(by trust: TrustKeeper, from source: any SecretSource) async -> Redactor {
        var known: Set<String> = []
        var secrets: Set<String> = []
        for node in round where known.insert(node.job.collection.path).inserted {
            let collection = node.job.collection
            for secret in collection.environmentSecrets(by: trust.trust(in: collection)) {
                // What isn't set is missed where it is used.
                if let value = try? await source.read(secret) { secrets.insert(value) }
            }
        }
        // A short one is a word of many others.
        return Redactor(secrets.filter { $0.utf8.count >= Redactor.shortestSearched })
    }

    /// The same, in which no item is called by a secret: a plan is shown before anything is known of its requests.
    package func hiding(_ redactor: Redactor) -> RunPlan {
        guard !redactor.isEmpty else { return self }
        var plan = self
        for index in plan.round.indices {
            plan.round[index].job.iterations = plan.round[index].job.iterations.map { $0.hiding(redactor) }
        }
        return plan
    }
}

extension RunIteration {
    /// The iteration, named by its number where its value is secret.
    func hiding(_ redactor: Redactor) -> RunIteration {
        guard redactor.finds(in: name) else { return self }
        var iteration = self
        iteration.name = "\(index + 1)"
        return iteration
    }
}
