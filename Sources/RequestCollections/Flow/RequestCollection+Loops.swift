import NetworkLayer
import OrderedCollections

extension RequestCollection {
    /// Every loop around a request, those included whose items are known only as it is sent.
    func allLoops(of definition: RequestDefinition) -> [RequestLoop] {
        let known = loops(of: definition)
        guard let own = definition.forEach, own.source != nil else { return known }
        return known + [RequestLoop(scope: definition.id, definition: own)]
    }

    /// Reports loops whose variable another one has already: whoever reads it could mean either.
    func checkLoops() -> [RequestID: [CollectionProblem]] {
        var found: [RequestID: [CollectionProblem]] = [:]
        let scopes = folders.filter { $0.forEach != nil }.map { $0.id.rawValue + "/" }
        let looped = requests { request in
            request.forEach != nil || request.repeats != nil || scopes.contains { request.id.rawValue.hasPrefix($0) }
        }
        for request in looped {
            var outer: Set<String> = []
            for loop in allLoops(of: request).map(\.definition) {
                let name = loop.variable
                let owner = outer.contains(name) ? "the variable of a loop around it" : self.owner(of: name, for: request)
                outer.insert(name)
                guard let owner else { continue }
                found[request.id, default: []].append(
                    CollectionProblem(
                        location: loop.location,
                        message: "`\(name)` is also \(owner), which the loop would hide; give the loop's variable another name"))
            }
        }
        return found
    }

    /// What else gives a variable of that name, as the end of a sentence.
    private func owner(of name: String, for request: RequestDefinition) -> String? {
        if variables.contains(where: { $0.name == name }) { return "a variable of the collection" }
        if let environment = environments.values.first(where: { $0.variables.contains { $0.name == name } }) {
            return "a variable of the environment `\(environment.name)`"
        }
        if let folder = folders(around: request.id).first(where: { $0.variables.contains { $0.name == name } }) {
            return "a variable of the folder `\(folder.id)`"
        }
        if request.variables.contains(where: { $0.name == name }) { return "a variable of the request" }
        return captors(of: name).first.map { "what `\($0.request)` captures" }
    }

    /// Why an earlier answer can't do in place of a request; `nil` when it can.
    func complaint(about need: NeedDefinition, of target: RequestID, from asker: RequestID?) -> CollectionProblem? {
        guard need.maxAge != nil, let definition = request(target) else { return nil }
        let around = asker.flatMap(request).map { Set(allLoops(of: $0).map(\.scope)) } ?? []
        let isLooped = definition.repeats != nil || allLoops(of: definition).contains { !around.contains($0.scope) }
        guard isLooped else { return nil }
        return CollectionProblem(
            location: need.location,
            message:
                "`\(target)` is sent once for each item of a loop, so there is no one answer whose age `max-age` could be about")
    }
}
