import NetworkLayer

/// The files of a collection as they are, or as they will be once the steps of a change are done.
struct CollectionFiles: Sendable {
    private var steps: [CollectionChange.Step] = []

    static let onDisk = CollectionFiles()

    init() {}

    init(after steps: [CollectionChange.Step]) { self.steps = steps }

    /// What the last step that is about a path made of it.
    private enum Fate {
        case directory
        case file([UInt8])
        case gone
        /// As it is on the disk, maybe under another path.
        case onDisk(String)
    }

    private func fate(of path: String) -> Fate {
        var path = path
        for step in steps.reversed() {
            switch step {
            case .createDirectory(path): return .directory
            case .create(path, let bytes): return .file(bytes)
            case .replace(path, _, let after): return .file(after)
            case .remove(path, _), .removeDirectory(path): return .gone
            case .move(let from, let to):
                if let rest = path.rest(below: to) {
                    path = from + rest
                } else if path.rest(below: from) != nil {
                    return .gone
                }
            default: break
            }
        }
        return .onDisk(path)
    }

    func read(_ path: String) throws(CollectionFileError) -> [UInt8] {
        switch fate(of: path) {
        case .file(let bytes): return bytes
        case .onDisk(let path): return try FileContents.read(path, limit: YAMLDocument.Limits.size)
        case .gone, .directory: throw CollectionFileError(path: path, message: "is not a file")
        }
    }

    func exists(_ path: String) -> Bool {
        switch fate(of: path) {
        case .file, .directory: true
        case .onDisk(let path): FileContents.exists(path)
        case .gone: false
        }
    }

    func isDirectory(_ path: String) -> Bool {
        switch fate(of: path) {
        case .directory: true
        case .onDisk(let path): FileContents.isDirectory(path)
        case .gone, .file: false
        }
    }

    /// What is in a directory, hidden entries left out, by name.
    func list(_ path: String) throws(CollectionFileError) -> [FileContents.Entry] {
        if steps.isEmpty { return try FileContents.list(path) }
        var names: Set<String> = []
        if case .onDisk(let original) = fate(of: path) { names.formUnion(try FileContents.list(original).map(\.name)) }
        for step in steps {
            guard let made = step.madePath, let slash = made.lastIndex(of: "/"), made[..<slash] == path else { continue }
            names.insert(String(made[made.index(after: slash)...]))
        }
        return names.sorted().compactMap { name in
            let inside = joined(path, name)
            return exists(inside) ? FileContents.Entry(name: name, isDirectory: isDirectory(inside), mayBeLink: true) : nil
        }
    }
}

extension CollectionChange.Step {
    /// What is there after it.
    fileprivate var madePath: String? {
        switch self {
        case .createDirectory(let path), .create(let path, _), .replace(let path, _, _), .move(_, let path): path
        case .remove, .removeDirectory: nil
        }
    }
}

extension String {
    /// What follows a path that this one is, or lies below: `""`, or `/...`.
    func rest(below path: String) -> Substring? {
        guard begins(with: path) else { return nil }
        let rest = self[utf8.index(utf8.startIndex, offsetBy: path.utf8.count)...]
        return rest.isEmpty || rest.begins(with: "/") ? rest : nil
    }
}
