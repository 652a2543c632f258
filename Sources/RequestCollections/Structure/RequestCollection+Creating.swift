extension RequestCollection {
    /// The two forms of a collection.
    package enum Form: Hashable, Sendable, CaseIterable {
        case file, directory
    }

    /// What makes a new collection, without requests.
    ///
    /// - Parameter path: of the file, or of the directory; nothing may have it.
    package static func creating(_ form: Form, at path: String, name: String) throws(CollectionFileError) -> CollectionChange {
        guard !FileContents.exists(path) else {
            throw CollectionFileError(path: path, message: "is there already; choose another name")
        }
        let head = "turnstone: 1\nname: \(ValueRenderer(step: 2).key(name, isFlow: false))\n"
        let steps: [CollectionChange.Step] =
            switch form {
            case .file: [.create(path, Array((head + "requests: {}\n").utf8))]
            case .directory: [.createDirectory(path), .create(joined(path, "_collection.yaml"), Array(head.utf8))]
            }
        return CollectionChange(steps: steps, collection: try load(path: path, from: CollectionFiles(after: steps)))
    }
}
