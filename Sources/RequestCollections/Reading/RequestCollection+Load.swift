import NetworkLayer

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
    static func isRequest(_ path: String, in source: CollectionFiles) -> Bool {
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

/// Another program's file, named where a collection is wanted: what stands in it isn't wrong, so it isn't read key by key.
enum ForeignFile {
    /// - Parameter root: `nil` for what is no YAML.
    /// - Returns: what to do with it; `nil` for a file that somebody wrote for Turnstone.
    static func problem(_ path: String, _ bytes: [UInt8], _ root: YAMLNode?) -> CollectionProblem? {
        let ending = path.pieces(at: "/").last.flatMap { $0.pieces(at: ".").dropFirst().last }.map { $0.lowercased() }
        let isYAML = ending.map { ["yaml", "yml"].contains($0) } ?? false
        let isStandardInput = path == "-"
        if let root {
            guard root.pairs == nil ? !isYAML : !isMeantAsCollection(root) else { return nil }
        } else if isYAML || isStandardInput || hasVersion(bytes) {
            return nil
        }
        return problem(
            path,
            "this is no collection, which begins with `turnstone: 1`; if it is another program's file, "
                + "`turnstone import \(isStandardInput ? "FILE" : path.shellWord) -o NAME.yaml` makes a collection of it")
    }

    static func problem(_ path: String, _ message: String) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message)
    }

    /// Whether somebody who mistyped a key, or forgot the version, could have written these keys.
    private static func isMeantAsCollection(_ root: YAMLNode) -> Bool {
        let known = FormatTable.collection.keys.map(\.name)
        // A collection has fewer keys, and comparing every key of a long file would take seconds.
        let names = (root.pairs ?? []).prefix(64).map { pair in
            pair.key.text.flatMap { known.contains($0) ? $0 : nearestName(to: $0, in: known) }.map { ($0, pair.value) }
        }
        // Other programs have a list of requests.
        let hasRequests = names.contains { $0.map { $0.0 == "requests" && ($0.1.pairs != nil || $0.1.isNull) } ?? false }
        return hasRequests || names.contains { $0?.0 == "turnstone" } || names.allSatisfy { $0 != nil }
    }

    /// Whether a line says so: also of a collection that is no YAML as yet.
    private static func hasVersion(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { line in
            let key = line.drop { " \t{\"'".utf8.contains($0) }
            return key.starts(with: "turnstone".utf8) && key.dropFirst(9).first { !" \t\"'".utf8.contains($0) } == UInt8(ascii: ":")
        }
    }
}

/// A YAML file in a directory that its name keeps from being a request or a collection, though it reads like one.
enum PassedOverFile {
    /// - Parameters:
    ///   - kind: what it would be.
    ///   - reads: whether it reads like that.
    ///   - isTaken: whether a name is that of another file beside it.
    /// - Returns: `nil` for a file that is read, and for one that nobody can have meant.
    static func warning(
        _ path: String, name: String, as kind: String, reads: () -> Bool, isTaken: (String) -> Bool
    ) -> CollectionProblem? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, !parts[0].isEmpty, let ending = parts.last, ["yaml", "yml"].contains(ending.lowercased()),
            !["_collection.yaml", "_folder.yaml"].contains(name)
        else { return nil }
        let stem = parts.dropLast().joined(separator: "-")
        func problem(_ message: String) -> CollectionProblem {
            CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: "this file isn't read\(message)")
        }
        if ["_collection", "_folder"].contains(stem.lowercased()) {
            let better = "\(stem.lowercased()).yaml"
            let owner = better == "_folder.yaml" ? "a folder" : "the collection"
            return problem(
                isTaken(better)
                    ? ", since \(better) beside it is \(owner)'s; keep one of them"
                    : ", since the name of \(owner)'s own is `\(better)`; rename it")
        }
        let reason =
            if stem.hasPrefix("_") {
                "its name begins with `_`"
            } else if parts.count > 2 {
                "there is another dot in its name"
            } else if ending != ending.lowercased() {
                "its name ends in `.\(ending)`"
            } else {
                ""
            }
        guard !reason.isEmpty, reads() else { return nil }
        let rest = stem.drop { $0 == "_" }
        let better = "\(rest.isEmpty ? "request" : rest).\(ending.lowercased())"
        return problem(" as \(kind), since \(reason); rename it" + (isTaken(better) ? "" : ", such as to `\(better)`"))
    }
}

extension RequestCollection {
    /// A warning for each file of a directory of collections that would be one, if its name didn't keep it from that.
    package static func passedOver(at path: String) -> [CollectionProblem] {
        guard FileContents.isDirectory(path), !FileContents.exists(joined(path, mainFile)),
            let entries = try? FileContents.list(path)
        else { return [] }
        return entries.compactMap { entry in
            let inside = joined(path, entry.name)
            // Here a name may begin with a line below.
            guard !entry.isDirectory, requestName(of: entry.name) == nil else { return nil }
            let bytes = (try? CollectionFiles.onDisk.read(inside)) ?? []
            guard bytes.split(separator: 0x0A).contains(where: { $0.starts(with: "turnstone:".utf8) }) else { return nil }
            return PassedOverFile.warning(inside, name: entry.name, as: "a collection", reads: { true }) {
                FileContents.exists(joined(path, $0))
            }
        }
    }
}
