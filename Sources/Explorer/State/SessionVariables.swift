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
            for request in collection.requests { known.formUnion(request.allCaptures.map(\.name)) }
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

/// A variable that is to get the value that a request lacks; then the request is sent.
struct VariableWish: Hashable, Sendable {
    var name: String
    var request: RequestReference
    var place: Place

    enum Place: Hashable, Sendable {
        /// The value holds while the explorer runs, and is written to no file.
        case session
        /// The same, and nobody sees it.
        case secret
        /// In the collection's file: in an environment, or with `nil` for all of the collection.
        case file(environment: String?)
    }
}

extension ExplorerState {
    func form(of wish: VariableWish) -> EntryForm {
        let note =
            switch wish.place {
            case .session: "It stands over the file until you leave the explorer, and gets into no file"
            case .secret: "Nobody sees it, it gets into no file, and it goes only to where this request goes"
            case .file(let environment?): "It is written to the environment \(environment), in the collection's file"
            case .file: "It is written to the collection's file, under variables"
            }
        let field = EntryForm.Field("value", isSecret: wish.place == .secret)
        return EntryForm("Set \(wish.name)", [field], note: note, purpose: .variable(wish))
    }

    /// - Throws: why it can't be so.
    mutating func set(_ wish: VariableWish, to text: String) throws(CollectionProblem) -> [ExplorerEffect] {
        let path = wish.request.collection
        if case .file(let environment) = wish.place {
            treeChanges.sendAfter = wish.request
            return treeChanges.write(.setVariable(wish.name, to: text, in: environment, of: path))
        }
        let isSecret = wish.place == .secret
        var origins: [OriginPattern] = []
        if isSecret {
            guard let origin = origin(of: wish.request) else {
                throw CollectionProblem(
                    location: SourceLocation(path: "", line: 1, column: 1),
                    message: "the URL says no host yet, and a secret goes only to a host that is known; set what it lacks first")
            }
            origins = [origin]
        }
        workspace.sessionVariables[path][wish.name] = PastedRequest.Value(text, isSecret: isSecret, origins: origins)
        refreshContext(isStale: true)
        return send(wish.request)
    }

    /// What waited for the variable.
    mutating func sendAfter(_ change: TreeChange) -> [ExplorerEffect] {
        guard case .setVariable = change.edit, let reference = treeChanges.sendAfter else { return [] }
        treeChanges.sendAfter = nil
        return change.kind == .made ? send(reference) : []
    }

    private mutating func send(_ reference: RequestReference) -> [ExplorerEffect] {
        guard let definition = definition(of: reference) else { return [] }
        operations.shownAtSend[reference] = selectedRequest
        return [.send(definition, in: reference.collection, environment: workspace.environments[reference.collection])]
    }

    func templates(of reference: RequestReference) -> TemplatePreview? {
        guard let collection = workspace[reference.collection] else { return nil }
        let given = givenVariables(in: reference.collection)
        return TemplatePreview(
            collection, environment: workspace.environments[reference.collection], of: definition(of: reference),
            given: given.texts,
            secrets: Set(given.secrets.keys))
    }

    /// Where a request goes, as far as that is known without running anything.
    private func origin(of reference: RequestReference) -> OriginPattern? {
        guard let templates = templates(of: reference), let definition = definition(of: reference) else { return nil }
        let url = templates.resolvedParts(of: definition.url).map(\.text).joined()
        return URL(international: url).flatMap { Origin($0) }.map { OriginPattern($0) }
    }
}
