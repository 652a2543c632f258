import Base
import Interchange
import Presentation
import RequestCollections

extension Import {
    /// What is in a directory: Bruno's, or one of other programs' files, which are read in the order of their names. Links aren't followed,
    /// what is hidden is passed over, and so is, with a note, what is of no known kind.
    func directory(_ path: String) throws -> (collections: [ImportedCollection], kinds: [ImportKind]) {
        let root = path.hasSuffix("/") ? path : path + "/"
        var notes: [ImportNote] = []
        let files = try Self.files(in: root, &notes)
        if files.isEmpty || FilePaths.exists(root + "opencollection.yml") || files.contains(where: { $0.path.hasSuffix(".bru") }) {
            return ([try Self.brunoDirectory(path)], [.bruno])
        }
        var collections: [ImportedCollection] = []
        var kinds: [ImportKind] = []
        for file in files {
            do throws(CollectionProblem) {
                let kind: ImportKind = if let from { from } else { try ImportKind.detect(file) }
                collections.append(
                    try kind.read(file, beside: neighbours(of: root + file.path, isOwn: true), keepsStatic: keepsStatic))
                if !kinds.contains(kind) { kinds.append(kind) }
            } catch {
                notes.append(ImportNote(file.path, error.message))
            }
        }
        guard !collections.isEmpty else {
            let reasons = ImportReport.lines(notes).map { "\n\(SafeText.line($0))" }.joined()
            throw CommandFailure(status: .usage, message: SafeText.line("\(path) has nothing that can be imported:") + reasons)
        }
        collections[collections.count - 1].notes += notes
        return (collections, kinds)
    }

    private static let endings = [".json", ".yaml", ".yml", ".http", ".rest", ".hurl", ".har", ".bru"]

    /// - Parameter notes: gets what can't be read: of one file among many nobody wants to hear that the others aren't read for it.
    private static func files(in root: String, _ notes: inout [ImportNote]) throws -> [ImportSource] {
        let place = CollectionPlace(root)
        var files: [ImportSource] = []
        var size = 0
        func read(_ directory: String, depth: Int) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: root + directory).sorted() {
                guard !name.hasPrefix("."), name != "node_modules", depth < ImportSource.Limits.folders else { continue }
                let inside = directory + name
                guard (try? FileManager.default.destinationOfSymbolicLink(atPath: root + inside)) == nil else { continue }
                if FilePaths.isDirectory(root + inside) {
                    try read(inside + "/", depth: depth + 1)
                } else if endings.contains(where: name.lowercased().hasSuffix),
                    let file = PermittedFile(ownOf: place, RealPath.of(root + inside), named: root + inside)
                {
                    let bytes: [UInt8]
                    do throws(CollectionFileError) {
                        bytes = try file.read(limit: ImportSource.Limits.size)
                    } catch {
                        notes.append(ImportNote(inside, "it \(error.message)"))
                        continue
                    }
                    size += bytes.count
                    guard size <= ImportSource.Limits.size, files.count < ImportSource.Limits.requests else {
                        throw CommandFailure(
                            status: .usage,
                            message: "\(SafeText.line(root)) has more than \(ImportSource.Limits.size >> 20) MiB, "
                                + "which is the most that can be imported.")
                    }
                    files.append(ImportSource(path: inside, bytes: bytes))
                }
            }
        }
        try read("", depth: 0)
        return files
    }
}
