extension ImportedCollection {
    /// One collection out of several sources: variables and environments come together; when more than one has requests, each of
    /// those becomes a folder.
    ///
    /// - Parameter collections: at least one.
    package static func combined(_ collections: [ImportedCollection]) -> ImportedCollection {
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
        for collection in collections { result.take(from: collection) }
        return result
    }

    private mutating func take(from other: ImportedCollection) {
        for variable in other.variables {
            guard let known = variables.first(where: { $0.name == variable.name }) else {
                variables.append(variable)
                continue
            }
            if known != variable {
                notes.append(ImportNote(other.name, "the variable `\(variable.name)`: another file gives it another value already"))
            }
        }
        environments += other.environments
        notes += other.notes
    }
}
