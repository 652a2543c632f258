import Base
import Interchange
import Presentation
import RequestCollections

extension Import {
    enum Input {
        /// Read, and what it is as far as that is said.
        case source(ImportSource, ImportKind?)
        /// A directory of Bruno's, or one with other files.
        case directory(String)
    }

    /// What is to be imported, in the order of the command line; a command for curl goes first.
    func inputs(in context: CommandLineContext) throws -> [Input] {
        guard !files.isEmpty || !curl.isEmpty else {
            throw CommandFailure(
                status: .usage, message: "import takes a file: turnstone import FILE. `turnstone import --help` shows examples.")
        }
        var inputs: [Input] = []
        if !curl.isEmpty { inputs.append(.source(ImportSource(path: "curl", text: curl.joined(separator: "\n")), .curl)) }
        for path in files {
            guard !FilePaths.isDirectory(path) else {
                inputs.append(.directory(path))
                continue
            }
            let bytes = path == "-" ? Array(try context.standardInput.readToEnd()) : try Self.read(path)
            guard bytes.count <= ImportSource.Limits.size else { throw Self.tooLong(path) }
            inputs.append(.source(ImportSource(path: path, bytes: bytes), from))
        }
        return inputs
    }

    /// The files that a source may name: those of its directory that are nobody else's and not hidden; with --trust, any.
    ///
    /// - Parameter isOwn: the source was found in a directory that is imported.
    func neighbours(of path: String, isOwn: Bool = false) -> NeighbouringFiles {
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

    /// The files of Bruno's in a directory and in those below it: `.bru`, or YAML beside an `opencollection.yml`. Links aren't followed, and
    /// what is hidden is none of Bruno's; whatever else is passed over is named.
    static func brunoDirectory(_ path: String) throws -> ImportedCollection {
        let root = path.hasSuffix("/") ? path : path + "/"
        let place = CollectionPlace(root)
        var files: [ImportSource] = []
        var notes: [ImportNote] = []
        var size = 0
        let endings = FilePaths.exists(root + "opencollection.yml") ? [".yml", ".yaml"] : [".bru"]
        func read(_ directory: String, depth: Int) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: root + directory).sorted() {
                guard !name.hasPrefix("."), name != "node_modules" else { continue }
                let inside = directory + name
                let isBruno = endings.contains(where: name.hasSuffix) || inside == "bruno.json"
                if (try? FileManager.default.destinationOfSymbolicLink(atPath: root + inside)) != nil {
                    if isBruno || FilePaths.isDirectory(root + inside) {
                        notes.append(ImportNote(inside, "it is a link, and not followed"))
                    }
                } else if FilePaths.isDirectory(root + inside) {
                    if depth <= ImportSource.Limits.folders + 1 {
                        try read(inside + "/", depth: depth + 1)
                    } else {
                        notes.append(
                            ImportNote(inside, "it lies too deep: more than \(ImportSource.Limits.folders) folders aren't read"))
                    }
                } else if isBruno {
                    guard let file = PermittedFile(ownOf: place, RealPath.of(root + inside), named: root + inside) else {
                        notes.append(ImportNote(inside, "it isn't a file of this directory alone, and not read"))
                        continue
                    }
                    let bytes = try file.read(limit: ImportSource.Limits.size)
                    size += bytes.count
                    guard size <= ImportSource.Limits.size, files.count < ImportSource.Limits.requests else { throw tooLong(path) }
                    files.append(ImportSource(path: inside, bytes: bytes))
                }
            }
        }
        try read("", depth: 0)
        guard !files.isEmpty else {
            throw CommandFailure(
                status: .usage,
                message:
                    "\(path) has no file that can be imported: none of Bruno's, and none in .json, .yaml, .http, .hurl or .har."
            )
        }
        var collection = try ImportKind.read(brunoDirectory: ImportSource(path: path, bytes: []), files)
        collection.notes += notes
        return collection
    }

    private static func tooLong(_ path: String) -> CommandFailure {
        CommandFailure(
            status: .usage,
            message:
                "\(SafeText.line(path)) has more than \(ImportSource.Limits.size >> 20) MiB, which is the most that can be imported."
        )
    }

    /// Files, and pipes such as a shell's `<(command)`, up to the limit.
    static func read(_ path: String) throws -> [UInt8] {
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
