import NetworkLayer

extension RequestCollection {
    /// The items of a variable that is a list, when all that it is made of is known.
    package func items(
        of name: String, for definition: RequestDefinition, environment: String?, variables: [String: JSONValue],
        with sources: TemplateEnvironment
    ) throws(ResolutionError) -> [JSONValue] {
        let place = definition.forEach?.location
        var scope = try VariableScope(self, environment: environment, given: variables, sources: sources, for: definition)
        let value = try scope.value(of: name, at: place)
        if let unmet = scope.unmetError { throw unmet }
        guard value.labels.isEmpty else {
            throw ResolutionError(.secret, "`\(name)` is a secret, and the items of a `for-each` are shown", at: place)
        }
        let items: [JSONValue]
        switch value.value {
        case .array(let list): items = list
        // A map's items are its members.
        case .object(let members):
            items = members.map { member in
                .object([.init(name: "key", value: .string(member.name)), .init(name: "value", value: member.value)])
            }
        default:
            throw ResolutionError(
                .template, "`for-each` takes a list, and `\(name)` is \(value.value.typed)", at: place)
        }
        guard items.count <= ForEachDefinition.mostItems else {
            throw ResolutionError(
                .template, "`\(name)` has \(items.count) items, and `for-each` goes through at most \(ForEachDefinition.mostItems)",
                at: place)
        }
        return items
    }
}
