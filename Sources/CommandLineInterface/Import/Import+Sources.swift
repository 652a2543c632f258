import Base
import Interchange
import Presentation
import RequestCollections

/// What was read, and of which formats it was.
struct ImportedSources: Hashable {
    var collection: ImportedCollection
    var kinds: [ImportKind]
}

extension Import {
    /// What the files hold, put together in the order of the command line; a command for curl goes first.
    func sources(in context: CommandLineContext?) throws -> ImportedSources {
        guard !files.isEmpty || !curl.isEmpty else {
            throw CommandFailure(
                status: .usage, message: "import takes a file: turnstone import FILE. `turnstone import --help` shows examples.")
        }
        var kinds: [ImportKind] = []
        var collections: [ImportedCollection] = []
        var broken: [ImportNote] = []
        func read(_ source: ImportSource, as known: ImportKind?) throws {
            do throws(CollectionProblem) {
                let kind = if let known { known } else { try ImportKind.detect(source) }
                var collection = try kind.read(source, beside: neighbours(of: source.path), keepsStatic: keepsStatic)
                // Of several files, a line alone could be that of any.
                for index in collection.notes.indices where files.count > 1 && collection.notes[index].place.hasPrefix("line ") {
                    collection.notes[index].place = "\(source.path), \(collection.notes[index].place)"
                }
                collections.append(collection)
                if !kinds.contains(kind) { kinds.append(kind) }
            } catch {
                // One file that is broken leaves the others.
                guard files.count > 1 else { throw error }
                broken.append(ImportNote(source.path, "line \(error.location.line): \(error.message)"))
            }
        }
        do {
            if !curl.isEmpty { try read(ImportSource(path: "curl", text: curl.joined(separator: "\n")), as: .curl) }
            for path in files {
                if FilePaths.isDirectory(path) {
                    let directory = try directory(path)
                    collections += directory.collections
                    for kind in directory.kinds where !kinds.contains(kind) { kinds.append(kind) }
                } else {
                    let bytes = path == "-" ? Array(try context?.standardInput.readToEnd() ?? Data()) : try Self.read(path)
                    guard bytes.count <= ImportSource.Limits.size else { throw Self.tooLong(path) }
                    try read(ImportSource(path: path, bytes: bytes), as: from)
                }
            }
        } catch let error as CollectionProblem {
            throw CommandFailure(status: .usage, message: SafeText.line("\(error)"))
        }
        guard !collections.isEmpty else {
            let reasons = ImportReport.lines(broken).map { "\n\(SafeText.line($0))" }.joined()
            throw CommandFailure(status: .usage, message: "none of these files can be imported:" + reasons)
        }
        var imported = ImportedCollection.combined(collections)
        imported.notes += broken
        if let name { imported.name = name }
        return ImportedSources(collection: imported, kinds: kinds)
    }

    /// The files that a source may name: those of its directory that are nobody else's and not hidden; with --trust, any.
    ///
    /// - Parameter isOwn: the source was found in a directory that is imported.
    private func neighbours(of path: String, isOwn: Bool = false) -> NeighbouringFiles {
        guard path != "-", isOwn || files.contains(path) else { return .none }
        let directory = path.contains("/") ? path.replacing(/\/[^\/]*$/, with: "/") : "./"
        let place = CollectionPlace(directory)
        let trust = trust
        return NeighbouringFiles { name throws(CollectionProblem) in
            let path = name.hasPrefix("/") ? name : directory + name
            func problem(_ message: String) -> CollectionProblem {
                CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message)
            }
            do {
                if let file = PermittedFile(ownOf: place, RealPath.of(path), named: path) {
                    return ImportSource(path: path, bytes: try file.read(limit: ImportSource.Limits.size))
                }
                guard trust else { throw problem("it isn't a file of the document's directory; --trust reads it all the same") }
                return ImportSource(path: path, bytes: try Self.read(path))
            } catch let error as CollectionProblem {
                throw error
            } catch let error as CollectionFileError {
                throw problem("it \(error.message)")
            } catch {
                throw problem("\(error)")
            }
        }
    }

    // MARK: Directories

    /// What is in a directory and below it. Links aren't followed, what is hidden is passed over, and what else isn't read is named.
    private func directory(_ path: String) throws -> (collections: [ImportedCollection], kinds: [ImportKind]) {
        let root = path.hasSuffix("/") ? path : path + "/"
        var notes: [ImportNote] = []
        let files = try Self.files(in: root, &notes)
        guard !files.isEmpty else {
            throw CommandFailure(
                status: .usage,
                message:
                    "\(path) has no file that can be imported: none of Bruno's, and none in .json, .yaml, .http, .hurl or .har.")
        }
        let found = ImportDirectory(String(root.dropLast()), files, as: from, keepsStatic: keepsStatic) {
            neighbours(of: root + $0, isOwn: true)
        }
        notes = found.notes + notes
        var collections = found.collections
        guard !collections.isEmpty else {
            let reasons = ImportReport.lines(notes).map { "\n\(SafeText.line($0))" }.joined()
            throw CommandFailure(status: .usage, message: SafeText.line("\(path) has nothing that can be imported:") + reasons)
        }
        collections[collections.count - 1].notes += notes
        return (collections, found.kinds)
    }

    /// - Parameter notes: gets what can't be read: of one file among many nobody wants to hear that the others aren't read for it.
    private static func files(in root: String, _ notes: inout [ImportNote]) throws -> [ImportSource] {
        let place = CollectionPlace(root)
        var files: [ImportSource] = []
        var size = 0
        func read(_ directory: String, depth: Int) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: root + directory).sorted() {
                // Postman keeps what a folder says of itself in such a directory.
                guard !name.hasPrefix(".") || name == ".resources", name != "node_modules" else { continue }
                let inside = directory + name
                let isMeant = ImportDirectory.endings.contains(where: name.lowercased().hasSuffix)
                let isDirectory = FilePaths.isDirectory(root + inside)
                guard isMeant || isDirectory else { continue }
                if (try? FileManager.default.destinationOfSymbolicLink(atPath: root + inside)) != nil {
                    notes.append(ImportNote(inside, "it is a link, and not followed"))
                } else if isDirectory {
                    if depth <= ImportSource.Limits.folders + 1 {
                        try read(inside + "/", depth: depth + 1)
                    } else {
                        notes.append(
                            ImportNote(inside, "it lies too deep: more than \(ImportSource.Limits.folders) folders aren't read"))
                    }
                } else if let file = PermittedFile(ownOf: place, RealPath.of(root + inside), named: root + inside) {
                    do throws(CollectionFileError) {
                        files.append(ImportSource(path: inside, bytes: try file.read(limit: ImportSource.Limits.size)))
                    } catch {
                        notes.append(ImportNote(inside, "it \(error.message)"))
                        continue
                    }
                    size += files.last?.bytes.count ?? 0
                    guard size <= ImportSource.Limits.size, files.count < ImportSource.Limits.requests else { throw tooLong(root) }
                } else {
                    notes.append(ImportNote(inside, "it isn't a file of this directory alone, and not read"))
                }
            }
        }
        try read("", depth: 0)
        return files
    }

    private static func tooLong(_ path: String) -> CommandFailure {
        CommandFailure(
            status: .usage,
            message:
                "\(SafeText.line(path)) has more than \(ImportSource.Limits.size >> 20) MiB, which is the most that can be imported."
        )
    }

    /// Files, and pipes such as a shell's `<(command)`, up to the limit.
    private static func read(_ path: String) throws -> [UInt8] {
        guard FilePaths.isReadable(path) else { throw InputFiles.missing(SafeText.line(path)) }
        let input = try FileInput(path: path)
        var bytes: [UInt8] = []
        while true {
            let piece = try input.read(atMost: 1 << 16)
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= ImportSource.Limits.size else { throw tooLong(path) }
        }
    }
}
