import NetworkLayer
import RequestCollections

extension ImportedCollection {
    /// One collection out of several sources: variables and environments come together; when more than one has requests, each of
    /// those becomes a folder.
    ///
    /// - Parameter collections: at least one.
    package static func combined(_ collections: [ImportedCollection]) -> ImportedCollection {
        var collections = collections
        if collections.count(where: { !$0.nodes.isEmpty }) > 1 {
            // Before they are one, since each source means its own requests and variables.
            for index in collections.indices { collections[index].scopeReferences(index) }
            needOwnCaptors(&collections)
        }
        rename(&collections)
        let trees = collections.filter { !$0.nodes.isEmpty }
        guard var result = trees.first ?? collections.first else { return ImportedCollection(name: "Imported") }
        if trees.count > 1 {
            result = ImportedCollection(name: "Imported")
            result.nodes = trees.map { tree in
                var folder = ImportedFolder(name: tree.name)
                folder.description = tree.description
                folder.auth = tree.auth
                folder.headers = tree.headers
                folder.nodes = tree.nodes
                return .folder(folder)
            }
            result.hasExampleBodies = trees.contains(where: \.hasExampleBodies)
        }
        result.variables = []
        result.environments = []
        result.notes = []
        for collection in collections { result.merge(from: collection) }
        result.tokens = collections.reduce(into: [:]) { $0.merge($1.tokens) { first, _ in first } }
        result.fetchTokens()
        return result
    }

    private mutating func merge(from other: ImportedCollection) {
        for variable in other.variables where !variables.contains(where: { $0.name == variable.name }) {
            variables.append(variable)
        }
        notes += other.notes
        for var environment in other.environments {
            if let index = environments.firstIndex(where: { $0.title == environment.title }) {
                // One environment in several files.
                for variable in environment.variables {
                    if let known = environments[index].variables.last(where: { $0.name == variable.name }),
                        known.value != variable.value
                    {
                        notes.append(
                            ImportNote(
                                "environment \(environment.title)",
                                "`\(variable.name)` has another value in a later file, which stands",
                                isLoss: false))
                    }
                }
                environments[index].variables += environment.variables
                continue
            }
            environment.name = freeName(environment.name) { name in !environments.contains { $0.name == name } }
            environments.append(environment)
        }
    }

    private mutating func scopeReferences(_ scope: Int) {
        func scoped(_ text: String) -> String {
            RequestReference.replacing(in: text) { RequestReference.text(RequestReference.scoped($0[0], scope)) }
        }
        mapTexts { text, _ in scoped(text) }
        nodes.forEachRequest { request, _ in
            request.reference = request.reference.map { RequestReference.scoped($0, scope) }
            request.captors = request.captors.mapValues { RequestReference.scoped($0, scope) }
            for index in request.definition.needs.indices {
                request.definition.needs[index].name = scoped(request.definition.needs[index].name)
            }
        }
    }

    /// Where several trees capture a variable and nothing else gives it a value, each takes it from its own request: the token of one service
    /// never goes to another.
    private static func needOwnCaptors(_ trees: inout [ImportedCollection]) {
        let captured = trees.map { Set($0.nodes.requests.flatMap { $0.definition.captures.map(\.name) }) }
        let counts = Dictionary(captured.flatMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
        for index in trees.indices {
            var shared = captured[index].filter { counts[$0] ?? 0 > 1 }
            trees[index].forEachVariable { variable, _ in shared.remove(variable.name) }
            for variable in shared {
                var captor: String?
                var number = 0
                trees[index].nodes.forEachRequest { request, _ in
                    number += 1
                    if request.captors[variable] == nil, request.definition.uses(variable) { request.captors[variable] = captor }
                    guard request.definition.captures.contains(where: { $0.name == variable }) else { return }
                    request.reference = request.reference ?? RequestReference.scoped("request \(number)", index)
                    captor = request.reference
                }
            }
        }
    }

    // MARK: Variables

    /// Gives variables of one name that don't mean the same everywhere names of their own.
    private static func rename(_ collections: inout [ImportedCollection]) {
        var known: [String: [String: ImportedVariable.Value]] = [:]
        // What stands in files without requests is for those of all others.
        let shared = Set(
            collections.filter(\.nodes.isEmpty).flatMap { ($0.variables + $0.environments.flatMap(\.variables)).map(\.name) })
        for index in collections.indices {
            let unset = collections[index].unsetSecrets.subtracting(shared)
            var isDone = false
            // Another name for one variable changes what others mean that are made of it.
            while !isDone {
                let meanings = collections[index].meanings(unset)
                let conflict = meanings.keys.sorted().first { known[$0] != nil && known[$0] != meanings[$0] }
                isDone = conflict == nil
                guard let conflict else { continue }
                var name = VariableName.make("\(collections[index].name.lowercased())_\(conflict)")
                while known[name] != nil || meanings[name] != nil { name += "_" }
                collections[index].rename(conflict, to: name)
            }
            known.merge(collections[index].meanings(unset)) { old, _ in old }
        }
    }

    /// Names of secrets that requests use and nothing here gives a value: another file's secret isn't meant.
    private var unsetSecrets: Set<String> {
        let captured = nodes.requests.flatMap { $0.definition.captures.map(\.name) }
        return Set(UnsetVariables(self).names.filter(SecretName.matches)).subtracting(captured)
    }

    /// The values of each variable, by the environments; the collection's own have no name.
    private func meanings(_ unset: Set<String>) -> [String: [String: ImportedVariable.Value]] {
        var meanings: [String: [String: ImportedVariable.Value]] = [:]
        for variable in variables { meanings[variable.name, default: [:]][""] = variable.value }
        guard !nodes.isEmpty else { return meanings }
        for environment in environments {
            for variable in environment.variables { meanings[variable.name, default: [:]][environment.title] = variable.value }
        }
        let names = UnsetVariables(self).names
        for name in unset where names.contains(name) { meanings[name] = [:] }
        return meanings
    }

    private mutating func rename(_ old: String, to new: String) {
        var names: Set<String> = []
        forEachVariable { variable, _ in names.insert(variable.name) }
        mapTexts { text, _ in
            Template.mapVariables(in: text) { name in
                // `user.name` is a member of `user`, unless it is a variable of its own.
                let isMember = name.hasPrefix("\(old).") && !names.contains(name)
                return name == old || isMember ? new + name.dropFirst(old.count) : name
            }
        }
        forEachVariable { variable, _ in if variable.name == old { variable.name = new } }
        nodes.forEachRequest { request, _ in
            for index in request.definition.captures.indices where request.definition.captures[index].name == old {
                request.definition.captures[index].name = new
            }
            request.captors = Dictionary(uniqueKeysWithValues: request.captors.map { ($0 == old ? new : $0, $1) })
            guard var conditions = request.definition.when?.conditions else { return }
            for index in conditions.indices where conditions[index].variable == old { conditions[index].variable = new }
            request.definition.when?.conditions = conditions
        }
    }
}

extension RequestDefinition {
    /// Whether a template in it names a variable.
    fileprivate func uses(_ variable: String) -> Bool {
        var copy = self
        var found = false
        copy.mapTexts { text in
            found = found || Template.variables(in: text).contains(variable)
            return text
        }
        return found
    }
}
