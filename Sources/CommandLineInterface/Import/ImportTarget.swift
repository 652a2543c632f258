import Base
import Interchange
import Presentation
import RequestCollections

/// Where an import is written.
struct ImportTarget: Hashable {
    /// Without the slash at its end.
    let path: String
    let form: RequestCollection.Form
    private let isStandardOutput: Bool

    /// - Parameter output: `nil` and `-`: standard output.
    init(_ output: String?) {
        isStandardOutput = output == nil || output == "-"
        guard let output, !isStandardOutput else {
            path = "imported.yaml"
            form = .file
            return
        }
        form = output.hasSuffix("/") || FilePaths.isDirectory(output) ? .directory : .file
        path = output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output
    }

    /// Where the collection's variables stand.
    var variablesFile: String? {
        if isStandardOutput { return nil }
        return form == .directory ? "\(path)/_collection.yaml" : path
    }

    /// - Throws: when something would be replaced.
    func checkIsFree() throws(CommandFailure) {
        guard !isStandardOutput, FilePaths.exists(path) else { return }
        if form == .directory, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true { return }
        let what = form == .directory ? "is there already, with something in it" : "is there already"
        throw CommandFailure(
            status: .usage,
            message: "\(SafeText.line(path)) \(what). --update merges the import into it, --force replaces it; "
                + "another name for -o keeps it.")
    }

    /// Whether there is something to merge an import into.
    var isThere: Bool {
        guard !isStandardOutput, FilePaths.exists(path) else { return false }
        return form == .file || (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == false
    }

    /// - Parameter keepsBase: what it made is kept beside it, for the next import.
    func write(_ assembled: AssembledImport, keepsBase: Bool, in context: CommandLineContext) throws {
        let collection = assembled.collection
        do {
            if isStandardOutput { return try context.standardOutput.show(Data(try collection.text().utf8)) }
            if form == .directory, let slash = path.unicodeScalars.lastIndex(of: "/") {
                try FilePaths.makeDirectory(String(path[..<slash]))
            }
            var change = try collection.writing(as: form)
            if keepsBase {
                let place = ImportBase.path(of: path, form)
                // Nobody else's file is replaced, wherever a link may lead.
                if (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil {
                    throw CollectionFileError(path: place, message: "is a link, where a file is to be kept; take it away")
                }
                _ = try ImportBase.read(place)
                let base = try ImportBase(collection, identities: assembled.identities)
                change = change.adding(try base.step(at: place))
            }
            try change.write()
        } catch let error as CollectionFileError {
            throw CommandFailure(status: .file, message: SafeText.line("\(error)"))
        }
    }

    /// How to get from where the collection is to where the sources are: paths of files in them are meant from there. Empty for the
    /// same directory, and where neither is known.
    func directory(ofSources files: [String]) -> String {
        guard !isStandardOutput, let first = files.first(where: { $0 != "-" }) else { return "" }
        let from = Self.components(form == .directory ? path + "/x" : path).dropLast()
        let to = Self.components(first).dropLast()
        var shared = 0
        while shared < min(from.count, to.count), from[shared] == to[shared] { shared += 1 }
        return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)).joined(separator: "/")
    }

    private static func components(_ path: String) -> [String] {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var components: [String] = []
        for part in absolute.split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = components.popLast()
            default: components.append(String(part))
            }
        }
        return components
    }
}
