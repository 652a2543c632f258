import OrderedCollections
import RequestCollections

/// The variables that templates name and nothing gives a value.
struct UnsetVariables {
    private(set) var names: OrderedSet<String> = []
    private let set: Set<String>

    init(_ tree: ImportedCollection) {
        var tree = tree
        set = Set(
            tree.variables.map(\.name) + tree.environments.flatMap { $0.variables.map(\.name) }
                + tree.nodes.requests.flatMap { $0.definition.captures.map(\.name) })
        for index in tree.variables.indices { tree.variables[index].mapTexts { note($0) } }
        tree.auth = tree.auth?.mapTexts { note($0) }
        tree.headers.mapTexts { note($0) }
        tree.nodes.forEachFolder { folder, _ in
            folder.auth = folder.auth?.mapTexts { note($0) }
            folder.headers.mapTexts { note($0) }
        }
        tree.nodes.forEachRequest { request, _ in request.definition.mapTexts { note($0) } }
    }

    private mutating func note(_ text: String) -> String {
        guard Template.isIn(text), let template = try? Template(text) else { return text }
        for case .expression(let node) in template.segments { note(node) }
        return text
    }

    private mutating func note(_ node: TemplateNode) {
        switch node.expression {
        case .variable(let name): if !set.contains(name) { names.append(name) }
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
    /// All that mean something in a template of the collection, with a value or without.
    var variableNames: Set<String> {
        Set(
            variables.map(\.name) + environments.flatMap { $0.variables.map(\.name) }
                + nodes.requests.flatMap { $0.definition.captures.map(\.name) }
        )
        .union(UnsetVariables(self).names)
    }
}
