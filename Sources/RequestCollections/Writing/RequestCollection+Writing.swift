extension RequestCollection {
    /// The text of a collection that is made of values, in one file.
    ///
    /// It is read again before it is handed out: what is read must be what was given.
    ///
    /// - Throws: ``CollectionProblem`` for what the format can't say.
    package func text() throws(CollectionProblem) -> String {
        let text = try CollectionWriter(self).file()
        try check(Self.load(path: path, bytes: Array(text.utf8)))
        return text
    }

    /// What makes it on disk, at its path, and replaces the files of these names that are there.
    ///
    /// - Throws: ``CollectionProblem`` for what the format can't say, ``CollectionFileError`` for what can't be read or written.
    package func writing(as form: Form) throws -> CollectionChange {
        let writer = CollectionWriter(self)
        var steps: [CollectionChange.Step] = []
        switch form {
        case .file:
            let bytes = Array(try text().utf8)
            guard bytes.count <= YAMLDocument.Limits.size else {
                throw CollectionFileError(
                    path: path,
                    message: "would have \(bytes.count) bytes, and one file has at most \(YAMLDocument.Limits.size); "
                        + "make it a directory")
            }
            steps.append(try Self.step(path, bytes))
        case .directory:
            for file in try writer.directory() {
                switch file {
                case .directory(let path): if !FileContents.isDirectory(path) { steps.append(.createDirectory(path)) }
                case .file(let path, let text): steps.append(try Self.step(path, Array(text.utf8)))
                }
            }
        }
        let collection = try Self.load(path: path, from: CollectionFiles(after: steps))
        // What else lies in the directory belongs to the collection from now on.
        if form == .directory, !FileContents.exists(path) { try check(collection) }
        return CollectionChange(steps: steps, collection: collection)
    }

    private static func step(_ path: String, _ bytes: [UInt8]) throws(CollectionFileError) -> CollectionChange.Step {
        guard FileContents.exists(path) else { return .create(path, bytes) }
        return .replace(path, before: try FileContents.read(path, limit: YAMLDocument.Limits.size), after: bytes)
    }

    private func check(_ read: RequestCollection) throws(CollectionProblem) {
        if let problem = read.problems.first { throw problem }
        guard read.others(than: nil) == others(than: nil) else {
            throw CollectionProblem(
                location: SourceLocation(path: path, line: 1, column: 1),
                message: "what was to be written has a form that this format can't hold")
        }
    }
}

extension RequestCollection.Node {
    /// What it is called in a directory.
    var fileName: String {
        switch self {
        case .request: "\(id.name).yaml"
        case .folder: String(id.name)
        }
    }
}
