import Base
import Interchange
import NetworkLayer
import OrderedCollections
import RequestCollections

/// Values that a person gave to variables of collections for as long as the explorer runs: they win over the files, and stand in none.
struct SessionVariables: Hashable, Sendable {
    /// The values, by the collection's path and the variable's name.
    private var values: [String: [String: PastedRequest.Value]] = [:]

    /// Remembers the values of a command for curl, which stand in no file.
    mutating func remember(_ pasted: PastedRequest, in collection: String) {
        self[collection].merge(pasted.values) { $1 }
        // A secret that is known already goes to where it was pasted for as well.
        guard let origin = URL(international: pasted.definition.url).flatMap({ Origin($0) }).map({ OriginPattern($0) }) else {
            return
        }
        let texts = "\(pasted.definition)"
        for (name, value) in self[collection]
        where value.isSecret && !value.origins.contains(origin) && texts.contains("{{\(name)}}") {
            self[collection][name]?.origins.append(origin)
        }
    }

    subscript(collection: String) -> [String: PastedRequest.Value] {
        get { values[collection] ?? [:] }
        set { values[collection] = newValue }
    }

    /// The collections that have some.
    var collections: [String] { values.keys.sorted() }

    /// The names of secrets by what they are, so that a secret that comes twice is one.
    func knownSecrets(in collection: String) -> [String: String] {
        Dictionary(self[collection].filter(\.value.isSecret).map { ($0.value.text, $0.key) }) { first, _ in first }
    }
}

extension ExplorerState {
    /// Variables that saved requests use and only this session has a value for, each once: without that they can't be sent.
    var namesLostAtTheEnd: [String] {
        var names: Set<String> = []
        for path in workspace.sessionVariables.collections {
            guard let collection = workspace[path] else { continue }
            var known = Set(collection.variables.map(\.name))
            for environment in collection.environments.values { known.formUnion(environment.variables.map(\.name)) }
            for request in collection.requests { known.formUnion(request.captures.map(\.name)) }
            let candidates = workspace.sessionVariables[path].keys.filter { !known.contains($0) }
            if !candidates.isEmpty { names.formUnion(collection.variableNames.intersection(candidates)) }
        }
        return names.sorted()
    }

    /// What stands over the variables of a collection: what the program was started with, and what was given since.
    func givenVariables(
        in collection: String
    ) -> (texts: [String: String], values: [String: JSONValue], secrets: [String: [OriginPattern]]) {
        let session = workspace.sessionVariables[collection]
        let texts = session.mapValues(\.text).merging(workspace.variables) { $1 }
        return (
            texts, texts.mapValues(JSONValue.string),
            session.filter { $0.value.isSecret && workspace.variables[$0.key] == nil }.mapValues(\.origins)
        )
    }
}
