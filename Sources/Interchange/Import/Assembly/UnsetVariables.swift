import OrderedCollections
import RequestCollections

/// The variables that templates name and nothing gives a value.
struct UnsetVariables {
    private(set) var names: OrderedSet<String> = []
    private let set: Set<String>
    /// By the names down to a folder or request, those that it gives a value.
    private var own: [String: Set<String>] = [:]
    /// The variables among them that apply where the text stands.
    private var near: Set<String> = []

    /// - Parameter everywhere: a value in one of several environments is none in the others.
    init(_ tree: ImportedCollection, everywhere: Bool = false) {
        var tree = tree
        let inEach = tree.environments.map { Set($0.variables.map(\.name)) }
        let ofEnvironments = inEach.dropFirst().reduce(inEach.first ?? []) { everywhere ? $0.intersection($1) : $0.union($1) }
        let captures = Dictionary(tree.nodes.requests.flatMap { $0.definition.captures.map { ($0.name, 1) } }, uniquingKeysWith: +)
        // A variable that several requests capture needs none of them: until one has been sent, a file gives it a value.
        set = Set(
            tree.variables.map(\.name) + ofEnvironments
                + captures.filter { $0.value == 1 }.keys)
        for index in tree.variables.indices { tree.variables[index].mapTexts { note($0) } }
        _ = tree.auth?.mapTexts { note($0) }
        tree.headers.mapTexts { note($0) }
        // Where two folders have one name, each counts for both: too few are asked for, and the run says it.
        tree.nodes.forEachFolder { folder, path in own[path.place, default: []].formUnion(folder.variables.map(\.name)) }
        tree.nodes.forEachFolder { folder, path in
            enter(path, [])
            for index in folder.variables.indices { folder.variables[index].mapTexts { note($0) } }
            _ = folder.auth?.mapTexts { note($0) }
            folder.headers.mapTexts { note($0) }
        }
        let captured = tree.captures
        tree.nodes.forEachRequest { request, path in
            enter(path.dropLast(), request.variables)
            // What it needs has given it a value.
            for need in request.definition.needs { near.formUnion(captured[need.name] ?? []) }
            for index in request.variables.indices { request.variables[index].mapTexts { note($0) } }
            request.definition.mapTexts { note($0) }
        }
    }

    private mutating func enter(_ folders: [String], _ variables: [ImportedVariable]) {
        near = Set(variables.map(\.name))
        for count in folders.indices { near.formUnion(own[Array(folders[...count]).place] ?? []) }
    }

    private mutating func note(_ text: String) -> String {
        guard Template.isIn(text), let template = try? Template(text) else { return text }
        for case .expression(let node) in template.segments { note(node) }
        return text
    }

    private mutating func note(_ node: TemplateNode) {
        switch node.expression {
        case .variable(let name): if !set.contains(name), !near.contains(name) { names.append(name) }
        case .list(let nodes): for node in nodes { note(node) }
        // What has a default needs no value.
        case .call(let call) where call.function != .default:
            for node in call.arguments.values { note(node) }
            for node in call.rest { note(node) }
        default: break
        }
    }
}

extension ImportedCollection {
    /// What each request captures, by how templates refer to it.
    fileprivate var captures: [String: Set<String>] {
        nodes.requests.reduce(into: [:]) { captures, request in
            guard let reference = request.reference.map(ImportedRequest.reference(to:)) else { return }
            captures[reference, default: []].formUnion(request.definition.captures.map(\.name))
        }
    }

    /// Where several requests capture a variable, the one that a request takes it from goes before that one.
    mutating func needCaptors() {
        let captured = captures
        let all = nodes.requests.flatMap { Set($0.definition.captures.map(\.name)) }
        let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
        nodes.forEachRequest { request, _ in
            let meant = request.captors.filter { (counts[$0.key] ?? 0) > 1 }
            let needed = Set(meant.values.map(ImportedRequest.reference(to:))).sorted()
            // Where two of them capture one of the variables, nobody could say which is meant.
            guard meant.keys.allSatisfy({ name in needed.count { captured[$0]?.contains(name) == true } == 1 }) else { return }
            let known = Set(request.definition.needs.map(\.name))
            request.definition.needs += needed.filter { !known.contains($0) }.map { NeedDefinition(name: $0, location: .none) }
        }
    }

    /// Gives a value to every variable that templates name and the source gives none: a secret by reference where one stands, a value
    /// that the importer made up, else what a person types.
    ///
    /// - Returns: what is to be set, in the order in which it is used.
    mutating func declareUnset(_ extractor: inout SecretExtractor) -> [UnsetVariable] {
        // One of a request that is empty there, and nothing around gives a value, is filled in before it is sent.
        var known: Set<String> = []
        forEachVariable { variable, _ in if variable.value != .text("") { known.insert(variable.name) } }
        nodes.forEachRequest { request, _ in
            request.variables.removeAll { $0.value == .text("") && !known.contains($0.name) }
        }
        let secrets = SecretUses(self).names
        var declared = variables.filter(\.isMadeUp).map { UnsetVariable(name: $0.name, isMadeUp: true) }
        for name in UnsetVariables(self, everywhere: true).names {
            if secrets.contains(name) || SecretName.matches(name) {
                variables.append(extractor.declare(name))
            } else {
                variables.append(ImportedVariable(name, .text("{{prompt(\"\(name)\")}}")))
                declared.append(UnsetVariable(name: name, isMadeUp: false))
            }
        }
        return declared
    }

    /// All that mean something in a template of the collection, with a value or without.
    var variableNames: Set<String> {
        var copy = self
        var names = UnsetVariables(self).names.union(nodes.requests.flatMap { $0.definition.captures.map(\.name) })
        copy.forEachVariable { variable, _ in names.append(variable.name) }
        return Set(names)
    }
}

/// A variable of a collection that the source gave no value.
package struct UnsetVariable: Hashable, Sendable {
    package var name: String
    /// The importer gave it a value by its type; otherwise a person is asked.
    package var isMadeUp: Bool
}
