import NetworkLayer
import OrderedCollections

extension RequestCollection {
    /// The variables that a file calls secrets, in whatever environment.
    package var secretNames: Set<String> {
        Set(allVariables.filter { if case .secret = $0.value { true } else { false } }.map(\.name))
    }

    var allVariables: [VariableDefinition] {
        variables + environments.values.flatMap(\.variables) + entryVariables.map(\.variable)
    }

    /// The secrets in environment variables, as far as they may be read.
    package func environmentSecrets(by trust: Trust) -> [PermittedSecret] {
        let names = allVariables.compactMap { variable -> String? in
            if case .secret(.environment(let name)) = variable.value { name } else { nil }
        }
        guard !names.isEmpty else { return [] }
        let place = CollectionPlace(path)
        return Set(names).sorted().compactMap { name in
            trust.permit(.env(name: name, for: .secret), in: place).map { .environment(name, $0) }
        }
    }

    /// Every variable that the files give, a response gives or a template reads, in whatever environment.
    package var variableNames: Set<String> {
        var names = Set((variables + entryVariables.map(\.variable)).map(\.name))
        for environment in environments.values { names.formUnion(environment.variables.map(\.name)) }
        for environment in environments.isEmpty ? [nil] : environments.keys.map(Optional.some) {
            let finder = TemplateReadsFinder(self, environment: environment, variables: [])
            for request in requests {
                let reads = finder.reads(of: request)
                names.formUnion(reads.names.map(\.name) + reads.given + request.allCaptures.map(\.name))
            }
        }
        return names
    }

    /// A request with what it takes of the answers of others, as a run finds it out.
    ///
    /// - Parameter variables: those that win over everything in the file.
    /// - Returns: the request, with a need for each request that alone captures what it reads, and those that its templates name.
    package func withImpliedNeeds(
        _ request: RequestDefinition, environment: String?, variables: Set<String> = [], maxAge: Duration? = nil
    ) -> (request: RequestDefinition, responses: [RequestID]) {
        let reads = TemplateReadsFinder(self, environment: environment, variables: variables).reads(of: request)
        let known = Set(request.needs.compactMap { find($0.name, from: request.id) })
        let captors = reads.names.filter { !$0.isOptional }.map { requests(capturing: $0.name).filter { $0 != request.id } }
        let single = OrderedSet(captors.filter { $0.count == 1 }.flatMap(\.self)).subtracting(known)
        var needing = request
        needing.needs += single.map { NeedDefinition(name: $0.rawValue, maxAge: maxAge, location: .none) }
        return (needing, reads.responses.map(\.request))
    }

    /// Requests with all that they need, each behind what it needs. What can't be sent needs nothing.
    ///
    /// - Parameter maxAge: how old the answers may be that they need without saying so; `nil`: a new one is needed.
    package func withNeeds(
        of requests: [RequestDefinition], environment: String?, variables: Set<String> = [], maxAge: Duration? = nil
    ) -> [RequestDefinition] {
        var ordered: [RequestDefinition] = []
        var seen: Set<RequestID> = []
        func add(_ request: RequestDefinition) {
            guard seen.insert(request.id).inserted else { return }
            guard request.problems.isEmpty else { return ordered.append(request) }
            let (needing, responses) = withImpliedNeeds(
                request, environment: environment, variables: variables, maxAge: maxAge)
            let needed = needing.needs.compactMap { find($0.name, from: request.id) } + responses
            for needed in needed.compactMap({ self.request($0) }) { add(needed) }
            ordered.append(needing)
        }
        for request in requests { add(request) }
        return ordered
    }

    /// Reports needs that name no request, and requests that need each other in a circle. Both can only be known when the whole tree
    /// is read.
    mutating func checkNeeds() {
        var found = checkSteps().merging(checkLoops()) { $0 + $1 }
        let needing = requests { !$0.needs.isEmpty || found[$0.id] != nil }
        guard !needing.isEmpty else { return }
        var targets: [RequestID: [RequestID]] = [:]
        for request in needing {
            for need in request.needs {
                if let target = find(need.name, from: request.id) {
                    targets[request.id, default: []].append(target)
                    if let problem = complaint(about: need, of: target, from: request.id) {
                        found[request.id, default: []].append(problem)
                    }
                } else {
                    found[request.id, default: []].append(
                        CollectionProblem(location: need.location, message: "`needs` names the request \(isMissing(need.name))"))
                }
            }
        }
        // A search for each one that merely leads to a circle would take time with the square of their number.
        let suspects = Self.leadingToCircles(targets).intersection(Self.leadingToCircles(Self.reversed(targets)))
        for request in needing where suspects.contains(request.id) {
            guard let need = request.needs.first, let circle = Self.circle(from: request.id, in: targets) else { continue }
            let path = circle.map(\.rawValue).joined(separator: " → ")
            found[request.id, default: []].append(
                CollectionProblem(location: need.location, message: "the requests need each other in a circle: \(path)"))
        }
        guard !found.isEmpty else { return }
        for request in needing { problems += found[request.id] ?? [] }
        nodes = Self.adding(found, to: nodes)
    }

    private static func reversed(_ targets: [RequestID: [RequestID]]) -> [RequestID: [RequestID]] {
        var needing: [RequestID: [RequestID]] = [:]
        for (request, others) in targets {
            for other in others { needing[other, default: []].append(request) }
        }
        return needing
    }

    /// The requests in circles, and those that lead to one: the rest after those that need nothing are removed, again and again.
    private static func leadingToCircles(_ targets: [RequestID: [RequestID]]) -> Set<RequestID> {
        var counts = targets.mapValues(\.count)
        let needing = reversed(targets)
        var free = needing.keys.filter { counts[$0] == nil }
        while let other = free.popLast() {
            for request in needing[other] ?? [] {
                counts[request, default: 1] -= 1
                guard counts[request] == 0 else { continue }
                counts[request] = nil
                free.append(request)
            }
        }
        return Set(counts.keys)
    }

    /// The way from a request back to itself, if there is one.
    private static func circle(from start: RequestID, in targets: [RequestID: [RequestID]]) -> [RequestID]? {
        /// The request from which each was reached.
        var origins: [RequestID: RequestID] = [:]
        var rest = [start]
        while let request = rest.popLast() {
            for next in (targets[request] ?? []).reversed() {
                if next == start {
                    var way = [start]
                    var step = request
                    while step != start, let origin = origins[step] {
                        way.append(step)
                        step = origin
                    }
                    return [start] + way.reversed()
                }
                if origins[next] == nil {
                    origins[next] = request
                    rest.append(next)
                }
            }
        }
        return nil
    }

    private static func adding(_ problems: [RequestID: [CollectionProblem]], to nodes: [Node]) -> [Node] {
        nodes.map { node in
            switch node {
            case .request(let shared):
                guard let problems = problems[shared.id] else { return node }
                var request = shared.wrappedValue
                request.problems += problems
                return .request(request)
            case .folder(var folder):
                folder.nodes = adding(problems, to: folder.nodes)
                return .folder(folder)
            }
        }
    }
}
