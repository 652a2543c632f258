/// What is sent before all that a folder or a collection has, and after it.
package struct FolderSteps: Hashable, Sendable {
    /// `set-up: [tenant/create]`
    package var setUp: [NeedDefinition] = []
    /// `tear-down: [tenant/delete]`
    package var tearDown: [NeedDefinition] = []
}

extension RequestCollection {
    /// The steps of a folder; with `nil` those of the collection itself.
    package struct StepScope: Hashable, Sendable {
        package var folder: RequestID?
        package var steps: FolderSteps

        /// A name in them means what it would mean to a request in the folder.
        fileprivate var asker: RequestID? { folder.map { Optional($0).child("") } }
    }

    /// Those around a request, the collection's first. Without steps a folder isn't among them.
    package func stepScopes(around id: RequestID) -> [StepScope] {
        let scopes = [StepScope(folder: nil, steps: steps)] + folders(around: id).map { StepScope(folder: $0.id, steps: $0.steps) }
        return scopes.filter { $0.steps != FolderSteps() }
    }

    /// The request that a step names.
    package func find(_ step: NeedDefinition, in scope: StepScope) -> RequestID? { find(step.name, from: scope.asker) }

    /// Whether it, a folder or a request has any.
    package var hasSteps: Bool { !stepScopes.isEmpty || !requestsThatAreUndone.isEmpty }

    private var stepScopes: [StepScope] {
        let scopes = [StepScope(folder: nil, steps: steps)] + folders.map { StepScope(folder: $0.id, steps: $0.steps) }
        return scopes.filter { $0.steps != FolderSteps() }
    }

    private var requestsThatAreUndone: [RequestDefinition] { requests { !$0.tearDown.isEmpty } }

    /// The requests that this one undoes.
    func requests(undoneBy id: RequestID) -> [RequestDefinition] {
        requestsThatAreUndone.filter { request in request.tearDown.contains { find($0.name, from: request.id) == id } }
    }

    /// The requests that set something up or tear it down: they are sent as that, and not for themselves.
    package var stepIDs: Set<RequestID> {
        var ids = Set(stepScopes.flatMap { scope in (scope.steps.setUp + scope.steps.tearDown).compactMap { find($0, in: scope) } })
        for request in requestsThatAreUndone { ids.formUnion(request.tearDown.compactMap { find($0.name, from: request.id) }) }
        return ids
    }

    /// Reports steps that name no request, and requests that undo something and are to be undone themselves.
    ///
    /// - Returns: what is wrong with requests; what is wrong with folders is among the collection's problems.
    mutating func checkSteps() -> [RequestID: [CollectionProblem]] {
        var found: [RequestID: [CollectionProblem]] = [:]
        var undoing: Set<RequestID> = []
        for scope in stepScopes {
            for (key, steps) in [("set-up", scope.steps.setUp), ("tear-down", scope.steps.tearDown)] {
                for step in steps {
                    if let id = find(step, in: scope) {
                        if key == "tear-down" { undoing.insert(id) }
                        if let problem = complaint(about: step, of: id, from: nil) { problems.append(problem) }
                    } else {
                        problems.append(
                            CollectionProblem(
                                location: step.location, message: "`\(key)` names the request \(isMissing(step.name))"))
                    }
                }
            }
        }
        let undone = requestsThatAreUndone
        for request in undone {
            for step in request.tearDown {
                if let id = find(step.name, from: request.id) {
                    undoing.insert(id)
                } else {
                    found[request.id, default: []].append(
                        CollectionProblem(
                            location: step.location, message: "`tear-down` names the request \(isMissing(step.name))"))
                }
            }
        }
        for request in undone where undoing.contains(request.id) {
            found[request.id, default: []].append(
                CollectionProblem(
                    location: request.tearDown[0].location,
                    message: "`\(request.id)` is a tear-down itself, and nothing comes after those; leave its `tear-down` out"))
        }
        return found
    }
}
