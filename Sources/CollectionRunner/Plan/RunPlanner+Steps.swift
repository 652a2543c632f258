import NetworkLayer
import RequestCollections

/// What goes before folders and after them.
extension RunPlanner {
    // MARK: Before

    /// A request waits for the set-up of the collection and of each folder around it, unless it is a part of that.
    ///
    /// - Throws: for a name that means nothing: without its set-up nothing of a folder is sent.
    mutating func setUps(for job: RunJob) throws(RunFailure) -> [Demand] {
        guard let unsetFolders, tearingDown == nil, hasSteps(job.collection) else { return [] }
        let id = job.definition.id
        var demands: [Demand] = []
        for scope in job.collection.stepScopes(around: id) where !scope.steps.setUp.isEmpty {
            let key = ScopeKey(place: job.place(in: scope), folder: scope.folder)
            guard !unsetFolders.contains(key.anywhere), !requests(ofSetUpOf: scope, key, for: job).contains(id) else { continue }
            for step in scope.steps.setUp {
                guard let request = job.collection.find(step, in: scope) else { throw missing("set-up", step, in: job) }
                demands.append(
                    Demand(
                        request: request, reason: .setUp, freshness: step.maxAge.map(RunPlan.Freshness.within) ?? .always,
                        location: step.location))
            }
        }
        return demands
    }

    /// The requests that the set-up names, and those that they need.
    private mutating func requests(ofSetUpOf scope: RequestCollection.StepScope, _ key: ScopeKey, for job: RunJob) -> Set<RequestID>
    {
        if let known = requestsOfSetUps[key.anywhere] { return known }
        var planner = RunPlanner(withoutSetUpOf: (unsetFolders ?? []).union([key.anywhere]))
        planner.add(
            scope.steps.setUp.compactMap { step in
                job.collection.find(step, in: scope).flatMap(job.collection.shared).map(job.job(for:))
            })
        let requests = Set(planner.nodes.map(\.id))
        requestsOfSetUps[key.anywhere] = requests
        return requests
    }

    private func missing(_ key: String, _ step: NeedDefinition, in job: RunJob) -> RunFailure {
        RunFailure(
            .resolution(.definition), "`\(key)` names the request \(job.collection.isMissing(step.name))", at: step.location)
    }

    private mutating func add(_ problem: RunFailure) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Most collections have none, and need not be asked for each request.
    mutating func hasSteps(_ collection: RequestCollection) -> Bool {
        if let known = stepsAreKnown[ExactText(collection.path)] { return known }
        let hasSteps = collection.hasSteps
        stepsAreKnown[ExactText(collection.path)] = hasSteps
        return hasSteps
    }

    // MARK: After

    /// Requests are undone in the reverse order; then come the tear-downs of folders, the inner ones first, and the collection's.
    mutating func addTearDowns() {
        for index in (0..<mainCount).reversed() {
            let job = nodes[index].job
            for step in job.definition.tearDown {
                guard let request = job.collection.find(step.name, from: job.definition.id) else {
                    add(missing("tear-down", step, in: job))
                    continue
                }
                let hasItems = job.definition.forEach?.source != nil
                guard !hasItems || job.collection.request(request)?.forEach?.source == nil else {
                    add(
                        RunFailure(
                            .resolution(.definition),
                            "`\(job.definition.id)` is sent for items that only an answer gives, and so is `\(request)`, which undoes it; "
                                + "leave the `for-each` of one of them out",
                            at: step.location))
                    continue
                }
                let first = nodes.count
                addTearDown(request, of: job, undoing: [index], isOne: true)
                guard hasItems else { continue }
                for place in first..<nodes.count where nodes[place].id == request {
                    nodes[place].undoesItems = true
                    if nodes[place].edges.contains(where: { $0.node == index }) { continue }
                    nodes[place].edges.append(RunPlan.Edge(node: index, reasons: [.order], isItem: true))
                }
            }
        }
        var scopes: [(key: ScopeKey, scope: RequestCollection.StepScope, job: RunJob, nodes: [Int])] = []
        var places: [ScopeKey: Int] = [:]
        for index in 0..<mainCount where hasSteps(nodes[index].job.collection) {
            let job = nodes[index].job
            for scope in job.collection.stepScopes(around: job.definition.id) where !scope.steps.tearDown.isEmpty {
                let key = ScopeKey(place: job.place(in: scope), folder: scope.folder)
                if let place = places[key] {
                    scopes[place].nodes.append(index)
                } else {
                    places[key] = scopes.count
                    scopes.append((key, scope, job.job(in: scope), [index]))
                }
            }
        }
        let depths = scopes.map { $0.scope.folder?.components.count ?? 0 }
        for place in scopes.indices.sorted(by: { (-depths[$0], $0) < (-depths[$1], $1) }) {
            let (_, scope, job, undone) = scopes[place]
            for step in scope.steps.tearDown {
                guard let request = job.collection.find(step, in: scope) else {
                    add(missing("tear-down", step, in: job))
                    continue
                }
                addTearDown(request, of: job, undoing: undone, isOne: false)
            }
        }
    }

    /// - Parameter isOne: whether it undoes one request, of which there may be others like it.
    private mutating func addTearDown(_ request: RequestID, of job: RunJob, undoing undone: [Int], isOne: Bool) {
        guard let definition = job.collection.shared(request) else { return }
        if let step = definition.tearDown.first {
            add(
                RunFailure(
                    .resolution(.definition),
                    "`\(request)` is a tear-down itself, and nothing comes after those; leave its `tear-down` out",
                    at: step.location))
        }
        // What was asked for, or is needed anyway, is sent then, unless a failure holds it back.
        let twin = index(of: request, in: job.job(for: definition).place).flatMap { $0 < mainCount ? $0 : nil }
        let job = job.with(definition)
        tearingDown = (request, isOne ? undone[0] : twin.map { -1 - $0 })
        defer { tearingDown = nil }
        let first = nodes.count
        var optional: [Int: [String]] = [:]
        let places = add(job, isSelected: false, .always, optional: &optional) ?? []
        for (index, names) in optional { addOrder(to: index, names) }
        // Also what an earlier one needed already.
        let all = Set(places + Array(first..<nodes.count) + places.flatMap { nodes[$0].edges.map(\.node) })
        for index in all where index >= mainCount { nodes[index].undoes = Set(nodes[index].undoes + undone).sorted() }
        if let twin { for index in places where index >= mainCount { nodes[index].twin = twin } }
        for index in first..<nodes.count {
            nodes[index].step = .tearDown
            if let last = lastTearDown { nodes[index].edges.append(RunPlan.Edge(node: last, reasons: [.order])) }
        }
        lastTearDown = places.last ?? lastTearDown
    }

    /// Whether a request is sent before everything is undone, where another one can take something from it.
    func isPlanned(_ request: RequestID, for job: RunJob) -> Bool {
        !places(of: request, for: job).isEmpty
    }
}

extension RunPlanner.ScopeKey {
    /// The requests of a set-up are the same for each item of a loop.
    fileprivate var anywhere: RunPlanner.ScopeKey {
        var key = self
        key.place.iterations = []
        return key
    }
}

extension RunJob {
    /// The same for the items of the loops around a folder alone.
    fileprivate func job(in scope: RequestCollection.StepScope) -> RunJob {
        var job = self
        job.iterations.removeAll { !$0.scope.isAround(scope.folder) }
        return job
    }

    fileprivate func place(in scope: RequestCollection.StepScope) -> RunMemory.Place { job(in: scope).place }
}

extension RunIteration.Scope {
    /// Whether all of a folder is sent for its items; with `nil` of the collection.
    fileprivate func isAround(_ folder: RequestID?) -> Bool {
        switch self {
        case .data: true
        case .loop: folder.map(includes) ?? false
        }
    }
}
