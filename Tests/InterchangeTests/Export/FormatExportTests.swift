import Interchange
import RequestCollections
import SchemaTesting
import Testing

/// Nothing of what a request says is left out silently: whoever adds a row to the tables finds it named here.
@Suite struct `Every key of a request in an export` {
    private static func collection(_ line: String) -> RequestCollection {
        let verb = line.hasPrefix("body") ? "post" : "get"
        let expect = line.hasPrefix("until") ? "\n    expect: { status: 200 }" : ""
        return .of("turnstone: 1\nrequests:\n  a:\n    \(verb): http://h/\(expect)\n    \(line)\n  word: { get: http://h/ }\n")
    }

    /// What is about the file or this program alone, and values that nothing in the request takes. `body: none` says nothing, too.
    private static let ours: Set<String> = ["name", "description", "tags", "variables", "path", "mock", "graphql-schema"]

    private static let rows = FormatSample.paths.filter { !ours.contains($0[0]) && $0 != ["body"] }.map { FormatRow(path: $0) }

    struct FormatRow: CustomTestStringConvertible {
        var path: [String]
        var testDescription: String { path.joined(separator: ".") }
    }

    private struct Export: Equatable {
        var text: String
        var notes: [String]
    }

    /// Whether a sample of the row makes another file than the same request without the row, or one for which it is noted that not all is
    /// in it.
    private static func isSaid(_ row: FormatRow, _ export: (RequestCollection) throws -> Export) throws -> Bool {
        func accepted(_ line: String) -> RequestCollection? {
            let collection = collection(line)
            return collection.problems.isEmpty && collection.requests.allSatisfy(\.problems.isEmpty) ? collection : nil
        }
        let samples = FormatSample.all.filter { $0.path == row.path }.compactMap { sample in
            accepted(sample.line).map { (with: $0, without: sample.withoutRow.flatMap { accepted($0.line) }) }
        }
        let standard = collection("# nothing")
        let plain = try? export(standard)
        return samples.isEmpty
            || samples.contains { sample in
                do {
                    let made = try export(sample.with)
                    return try !Set(made.notes).isSubset(of: plain?.notes ?? []) || made != export(sample.without ?? standard)
                } catch {
                    return true
                }
            }
    }

    @Test(arguments: rows) func `is in the Locust file, or named there`(row: FormatRow) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let file = try LocustFile(collection, requests: collection.requests, files: "/shop")
                return Export(text: file.text, notes: file.notes.map(\.text))
            })
    }

    /// A command for curl sends; it checks and captures nothing.
    @Test(arguments: rows.filter { !["expect", "capture"].contains($0.path[0]) })
    func `is in the command for curl, or named above it`(row: FormatRow) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let export = try CurlExport(try #require(collection.requests.first), in: collection)
                return Export(text: export.command, notes: export.notes)
            })
    }

    @Test(arguments: rows, RoundTripTests.Format.allCases)
    func `is in the file of another program, or named`(row: FormatRow, format: RoundTripTests.Format) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let exported = try format.export(collection).0
                return Export(text: exported.text, notes: exported.notes.map(\.text))
            })
    }
}
