import RequestCollections

/// `http-client.env.json`, which JetBrains and Visual Studio have beside `.http` files: a map of environments.
enum HTTPEnvironments {
    static func isDocument(_ value: JSONValue) -> Bool {
        !value.members.isEmpty
            && value.members.allSatisfy { member in
                guard case .object(let variables) = member.value else { return false }
                return variables.allSatisfy { $0.value.scalar != nil || $0.value.isNull }
            }
    }

    /// What is in the private file is a secret.
    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        guard isDocument(document) else { throw source.problem("is no file of environments: it takes a map of maps of texts") }
        var collection = ImportedCollection(name: source.name)
        let isPrivate = source.path.contains(".private.") || source.path.hasSuffix(".user")
        for member in document.members {
            let variables = member.value.members.map { variable in
                ImportedVariable(
                    VariableName.make(variable.name),
                    .text(
                        TemplateText(ForeignTemplate(variable.value.scalar ?? "")) { inside, _ in VariableName.make(inside) }.text),
                    isSecret: isPrivate)
            }
            if member.name == "$shared" {
                collection.variables += variables
            } else {
                collection.environments.append(ImportedEnvironment(name: member.name, variables: variables))
            }
        }
        return collection
    }
}
