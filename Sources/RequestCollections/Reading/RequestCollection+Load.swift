extension RequestCollection {
    /// The collection in a file or a directory.
    ///
    /// - Throws: only when `path` itself can't be read. What is wrong inside is in ``problems``, and hides nothing else.
    package static func load(path: String) throws(CollectionFileError) -> RequestCollection {
        try load(path: path, from: .onDisk)
    }

    /// The collection as it will be when these files are written.
    ///
    /// - Parameter unsaved: the bytes by path, as the collection's own path begins.
    package static func load(path: String, unsaved: [String: [UInt8]]) throws(CollectionFileError) -> RequestCollection {
        try load(path: path, from: CollectionFiles(after: unsaved.sorted { $0.key < $1.key }.map { .create($0.key, $0.value) }))
    }

    static func load(path: String, from source: CollectionFiles) throws(CollectionFileError) -> RequestCollection {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if source.isDirectory(path) {
            var collection = try DirectoryReader.load(path, from: source)
            collection.checkNeeds()
            return collection
        }
        var collection = load(path: path, bytes: try source.read(path))
        if collection.isForeign, Self.isRequest(path, in: source), let owner = Self.owner(of: path) {
            let message = "this is a part of the collection \(owner); name that directory instead"
            collection.problems = [ForeignFile.problem(path, message)]
        }
        return collection
    }

    /// Whether a file has a request's method or URL, as the files of a collection's directory do.
    private static func isRequest(_ path: String, in source: CollectionFiles) -> Bool {
        guard let bytes = try? source.read(path), let pairs = try? YAMLDocument(path: path, bytes: bytes).root?.pairs else {
            return false
        }
        return pairs.contains { pair in ["get", "post", "put", "patch", "delete", "head", "options", "url"].contains(pair.key.text)
        }
    }

    /// The directory that is the collection which a file lies in.
    private static func owner(of path: String) -> String? {
        guard var directory = FileContents.realPath(path) else { return nil }
        while let slash = directory.utf8.lastIndex(of: UInt8(ascii: "/")) {
            directory = String(directory[..<slash])
            if !directory.isEmpty, FileContents.exists(joined(directory, mainFile)) { return directory }
        }
        return nil
    }

    /// What stands for one that can't be read, among others that can: it has nothing but this problem.
    package static func unreadable(_ path: String, because error: CollectionFileError) -> RequestCollection {
        let fileName = path.split(separator: "/").last.map(String.init) ?? path
        var collection = RequestCollection(path: path, name: requestName(of: fileName) ?? fileName)
        collection.problems = [
            CollectionProblem(location: SourceLocation(path: error.path, line: 1, column: 1), message: error.message)
        ]
        return collection
    }

    /// The collections that a path means: itself, or, for a directory that isn't a collection, those that lie in it.
    package static func collections(at path: String) throws(CollectionFileError) -> [String] {
        guard FileContents.isDirectory(path), !FileContents.exists(joined(path, "_collection.yaml")) else { return [path] }
        var found: [String] = []
        for entry in try FileContents.list(path) {
            let inside = joined(path, entry.name)
            if entry.isDirectory ? FileContents.exists(joined(inside, "_collection.yaml")) : requestName(of: entry.name) != nil {
                found.append(inside)
            }
        }
        return found
    }

    /// A collection of one file, from its bytes.
    package static func load(path: String, bytes: [UInt8]) -> RequestCollection {
        let fileName = path.split(separator: "/").last.map(String.init) ?? path
        var collection = RequestCollection(path: path, name: requestName(of: fileName) ?? fileName)
        collection.files[path] = FileFingerprint(bytes)
        let reader = RequestReader(path: path)
        do throws(CollectionProblem) {
            guard let root = try YAMLDocument(path: path, bytes: bytes).root, !root.isNull else {
                collection.problems.append(
                    CollectionProblem(
                        location: SourceLocation(path: path, line: 1, column: 1),
                        message: "the file is empty; a collection begins with `turnstone: 1` and has `requests`"))
                return collection
            }
            if let problem = ForeignFile.problem(path, bytes, root) {
                (collection.problems, collection.isForeign) = ([problem], true)
                return collection
            }
            reader.readCollection(root, FormatTable.collection, into: &collection)
            if let requests = root["requests"] {
                collection.nodes = reader.nodes(requests, under: nil, problems: &collection.problems)
                collection.checkNeeds()
            }
        } catch {
            let foreign = ForeignFile.problem(path, bytes, nil)
            collection.isForeign = foreign != nil
            collection.problems.append(foreign ?? error)
        }
        return collection
    }

    /// `login` for `login.yaml`; `nil` for what isn't a request: other endings, and names with another dot, such as
    /// `create.body.yaml`, which lie beside the request that names them.
    static func requestName(of fileName: String) -> String? {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "yaml" || parts[1] == "yml", !parts[0].isEmpty else { return nil }
        return String(parts[0])
    }
}
