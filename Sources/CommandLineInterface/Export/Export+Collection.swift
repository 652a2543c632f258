import Base
import Interchange
import Presentation
import RequestCollections

extension Export {
    /// A file of another program's, of one collection.
    func collection(
        _ collections: [RequestCollection], _ selection: RequestSelection, as format: ExportFormat
    ) throws -> Exported {
        guard collections.count == 1, let collection = collections.first else {
            let paths = collections.map(\.path).joined(separator: ", ")
            throw CommandFailure(
                status: .usage, message: "An export to \(format.title) is of one collection, and these are several: \(paths).")
        }
        let requests = selection.requests(of: collection)
        let variables = try variables.values()
        let result: ExportedCollection
        do throws(ResolutionError) {
            switch format {
            case .http:
                result = try HTTPFileExport(
                    collection, requests: requests, environment: environment, variables: variables, dialect: dialect ?? .vscode
                ).result
            case .har:
                result = try HARExport(
                    collection, requests: requests, environment: environment, variables: variables,
                    creator: .init(name: "turnstone", version: Version.text), date: Date()
                ).result
            case .opencollection:
                result = try OpenCollectionExport(
                    collection, requests: requests, environment: environment, variables: variables
                ).result
            default:
                result = try HurlExport(collection, requests: requests, environment: environment, variables: variables).result
            }
        } catch {
            throw CommandFailure(status: .template, message: "\(error)")
        }
        guard result.requestCount > 0 else {
            let reasons = result.notes.map { "\n  \($0)" }.joined()
            throw CommandFailure(status: .template, message: "\(format.title) could have none of these requests:\(reasons)")
        }
        return Exported(text: result.text, files: result.files, notes: Self.lines(result.notes))
    }

    /// What is the same of many requests is said once, with all of them.
    private static func lines(_ notes: [ExportNote]) -> [String] {
        let same = Dictionary(grouping: notes, by: \.text)
        var said: Set<String> = []
        return notes.compactMap { note in
            guard let all = same[note.text], all.count > 1 else { return note.description }
            guard said.insert(note.text).inserted else { return nil }
            let names = all.compactMap { $0.request?.rawValue }
            let shown = names.count > 8 ? names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more" : nil
            return "\(note.text) (\(shown ?? names.joined(separator: ", ")))"
        }
    }
}

/// A directory that an export makes.
struct ExportDirectory {
    /// With a slash at its end.
    let path: String

    /// - Throws: when something is in it already.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard FilePaths.exists(path) else { return }
        if (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true { return }
        throw CommandFailure(
            status: .usage,
            message: "\(SafeText.line(path)) is there already, with something in it; an export makes a new directory.")
    }

    func write(_ files: [ExportedCollection.File]) throws {
        for file in files {
            let whole = path + file.path
            if let slash = whole.unicodeScalars.lastIndex(of: "/") { try FilePaths.makeDirectory(String(whole[..<slash])) }
            try FileOutput(path: whole, isNew: true, isPrivate: true).write(Data(file.text.utf8))
        }
    }
}
