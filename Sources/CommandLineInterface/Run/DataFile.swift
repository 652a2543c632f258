import ArgumentParser
import Base
import CollectionRunner
import RequestCollections

/// `--data FILE`: rows, for each of which everything is sent once.
struct DataFile: Hashable, Sendable, ExpressibleByArgument {
    var path: String

    init(argument: String) { path = argument }

    /// - Throws: a ``CommandFailure``, with the line that is wrong; also for a file without rows.
    func rows(for collections: [RequestCollection]) throws -> [RunIteration] {
        let bytes = try FileInput(path: path).readToEnd()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                status: .file, message: "\(path) isn't text in UTF-8. Save it as “CSV UTF-8”, or turn it into that with iconv.")
        }
        let data: DataRows
        do throws(DataRows.Problem) {
            data = try DataRows(text, DataRows.Format(path: path, text: text))
        } catch {
            throw CommandFailure(status: .usage, message: "\(path):\(error.line): \(error.message).")
        }
        guard !data.rows.isEmpty else {
            throw CommandFailure(status: .usage, message: "\(path) has no row, so there is nothing to send.")
        }
        return RunIteration.iterations(
            of: data, hiding: collections.reduce(into: Set()) { $0.formUnion($1.secretNames) })
    }

    /// Columns that nothing uses, when nothing uses any: then they are for another collection, or misspelled.
    func complaint(about rows: [RunIteration], in choice: CollectionChoice) -> [String] {
        let names = Set(rows.flatMap(\.variables.keys)).sorted()
        let complaints = choice.complaints(aboutVariables: names)
        return complaints.count == names.count ? complaints : []
    }
}
