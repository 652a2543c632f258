import NetworkLayer

extension ImportedCollection {
    /// One collection out of several sources: variables and environments come together; when more than one has requests, each of
    /// those becomes a folder.
    ///
    /// - Parameter collections: at least one.
    package static func combined(_ collections: [ImportedCollection]) -> ImportedCollection {
        var collections = collections
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
            let base = environment.name
            var number = 2
            while environments.contains(where: { $0.name == environment.name }) {
                environment.name = "\(base)-\(number)"
                number += 1
            }
            environments.append(environment)
        }
    }

    /// Gives variables of one name but other values names of their own.
    private static func rename(_ collections: inout [ImportedCollection]) {
        var known: [String: ImportedVariable] = [:]
        for index in collections.indices {
            for variable in collections[index].variables {
                guard let other = known[variable.name], other != variable else {
                    known[variable.name] = variable
                    continue
                }
                var name = VariableName.make("\(collections[index].name.lowercased())_\(variable.name)")
                while known[name] != nil { name += "_" }
                collections[index].rename(variable.name, to: name)
                known[name] = collections[index].variables.first { $0.name == name }
            }
        }
    }

    private mutating func rename(_ old: String, to new: String) {
        func changed(_ text: String) -> String { text.replacing(scalars: "{{\(old)}}", with: "{{\(new)}}") }
        forEachVariable { variable, _ in
            if variable.name == old { variable.name = new }
            variable.mapTexts(changed)
        }
        auth = auth?.mapTexts(changed)
        headers.mapTexts(changed)
        nodes.forEachFolder { folder, _ in
            folder.auth = folder.auth?.mapTexts(changed)
            folder.headers.mapTexts(changed)
        }
        nodes.forEachRequest { request, _ in request.definition.mapTexts(changed) }
    }
}
