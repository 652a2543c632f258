import RequestCollections

/// What lies in a directory: collections that consist of several files, which are Bruno's, Postman's and Thunder Client's, and files
/// that each are one.
package struct ImportDirectory {
    package private(set) var collections: [ImportedCollection] = []
    package private(set) var kinds: [ImportKind] = []
    /// Why files aren't read, by their paths.
    package private(set) var notes: [ImportNote] = []

    /// The endings of files that may be imported.
    package static let endings = [".json", ".yaml", ".yml", ".http", ".rest", ".hurl", ".har", ".bru"]

    /// Files that are read together.
    private struct Unit {
        /// From the directory; with a slash at its end, or empty.
        var directory: String
        /// With their paths from ``directory``.
        var files: [ImportSource]
        /// `nil`: its content tells.
        var kind: ImportKind?

        var path: String { directory + (files.count == 1 ? files[0].path : "") }
    }

    /// - Parameters:
    ///   - path: the directory's, for a name where the files have none.
    ///   - files: with their paths inside of it, in the order of their names.
    ///   - kind: what single files are; `nil`: their content tells.
    ///   - keepsStatic: the static files of a recording are requests, too.
    ///   - neighbours: the files that the one at a path may name.
    package init(
        _ path: String, _ files: [ImportSource], as kind: ImportKind? = nil, keepsStatic: Bool = false,
        neighbours: (String) -> NeighbouringFiles
    ) {
        let units = Self.units(files)
        for var unit in units {
            do throws(CollectionProblem) {
                let own = unit.kind ?? kind
                let source = ImportSource(path: unit.directory.isEmpty ? path : "\(path)/\(unit.directory)", bytes: [])
                var collection: ImportedCollection
                switch own {
                case .bruno where unit.kind != nil: collection = try BrunoImport.read(source.name, unit.files, isDirectory: true)
                case .postman where unit.kind != nil: collection = try PostmanFiles.read(source, unit.files)
                case .thunder where unit.kind != nil: collection = try ThunderImport.read(source, files: unit.files)
                default:
                    let known: ImportKind = if let own { own } else { try ImportKind.detect(unit.files[0]) }
                    unit.kind = known
                    collection = try known.read(unit.files[0], beside: neighbours(unit.path), keepsStatic: keepsStatic)
                }
                collection = try collection.checked(source)
                if units.count > 1 {
                    for index in collection.notes.indices where !unit.path.isEmpty {
                        let place = collection.notes[index].place
                        let separator = place.isEmpty || unit.path.hasSuffix("/") ? "" : ", "
                        collection.notes[index].place = unit.path + separator + place
                    }
                }
                collection.placeFiles(in: unit.directory)
                collections.append(collection)
                if let kind = unit.kind, !kinds.contains(kind) { kinds.append(kind) }
            } catch {
                notes.append(ImportNote(unit.path, error.message))
            }
        }
    }

    /// In the order of their paths.
    private static func units(_ files: [ImportSource]) -> [Unit] {
        var roots = Set(files.filter { ["bruno.json", "opencollection.yml"].contains($0.path.fileName) }.map(\.path.directory))
        if roots.isEmpty, files.contains(where: { $0.path.hasSuffix(".bru") }) { roots = [""] }
        let openRoots = Set(files.filter { $0.path.fileName == "opencollection.yml" }.map(\.path.directory))
        let definition = ".resources/definition.yaml"
        let postman = files.map(\.path).filter { $0.hasSuffix(definition) }.map { String($0.dropLast(definition.count)) }
        let names = Dictionary(grouping: files, by: \.path.directory).mapValues { Set($0.map(\.path.fileName)) }
        var units: [Unit] = []
        for file in files {
            let directory = file.path.directory
            if let root = roots.filter(directory.hasPrefix).max(by: { $0.count < $1.count }) {
                let endings = openRoots.contains(root) ? [".yml", ".yaml"] : [".bru"]
                // Whatever else lies in a directory of Bruno's is named by its files, or isn't Bruno's.
                guard endings.contains(where: file.path.hasSuffix) || file.path == root + "bruno.json" else { continue }
                add(file, to: root, .bruno, &units)
            } else if PostmanFiles.isPart(file.path) {
                let root = postman.filter(directory.hasPrefix).min { $0.count < $1.count }
                add(file, to: root ?? directory, .postman, &units)
            } else if names[directory]?.isSuperset(of: ["thunderCollection.json", "thunderclient.json"]) == true,
                file.path.fileName.hasPrefix("thunder")
            {
                // What was sent lately is none of the collections.
                if file.path.fileName != "thunderActivity.json" { add(file, to: directory, .thunder, &units) }
            } else {
                units.append(Unit(directory: directory, files: [ImportSource(path: file.path.fileName, bytes: file.bytes)]))
            }
        }
        return units
    }

    private static func add(_ file: ImportSource, to root: String, _ kind: ImportKind, _ units: inout [Unit]) {
        let file = ImportSource(path: String(file.path.dropFirst(root.count)), bytes: file.bytes)
        if let index = units.firstIndex(where: { $0.directory == root && $0.kind == kind }) {
            units[index].files.append(file)
        } else {
            units.append(Unit(directory: root, files: [file], kind: kind))
        }
    }
}

extension String {
    /// Up to its last slash, with it.
    fileprivate var directory: String { String(dropLast(fileName.count)) }
    fileprivate var fileName: String { String(split(separator: "/").last ?? "") }
}
