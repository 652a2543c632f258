import Interchange
import RequestCollections
import SchemaTesting
import Testing

/// Nothing of what a request says is left out silently: whoever adds a row to the tables finds it named here.
@Suite struct `Every key of a request in an export` {
    private static func collection(_ line: String) -> RequestCollection {
        let expect = line.hasPrefix("until") ? "\n    expect: { status: 200 }" : ""
        return .of("turnstone: 1\nrequests:\n  a:\n    get: http://h/\(expect)\n    \(line)\n  word: { get: http://h/ }\n")
    }

    /// What is about the file or this program alone, and values that nothing in the request takes. `body: none` says nothing, too.
    private static let ours: Set<String> = ["name", "description", "tags", "variables", "path", "mock"]

    private static let rows = FormatSample.paths.filter { !ours.contains($0[0]) && $0 != ["body"] }.map { FormatRow(path: $0) }

    struct FormatRow: CustomTestStringConvertible {
        var path: [String]
        var testDescription: String { path.joined(separator: ".") }
    }

    /// Whether a sample of the row makes another text than the same request without it.
    private static func isSaid(_ row: FormatRow, _ text: (RequestCollection) throws -> String) throws -> Bool {
        let samples = FormatSample.all.filter { $0.path == row.path }.map { collection($0.line) }
        let accepted = samples.filter { $0.problems.isEmpty && $0.requests.allSatisfy(\.problems.isEmpty) }
        let standard = collection("# nothing")
        let plain = (try? text(standard)) ?? ""
        return accepted.isEmpty
            || accepted.contains { collection in
                do { return try text(collection) != plain } catch { return true }
            }
    }

    @Test(arguments: rows) func `is in the Locust file, or named there`(row: FormatRow) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let file = try LocustFile(collection, requests: collection.requests, files: "/shop")
                return file.text + file.notes.map(\.text).joined()
            })
    }

    /// A command for curl sends; it checks and captures nothing.
    @Test(arguments: rows.filter { !["expect", "capture"].contains($0.path[0]) })
    func `is in the command for curl, or named above it`(row: FormatRow) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let export = try CurlExport(try #require(collection.requests.first), in: collection)
                return export.notes.joined() + export.command
            })
    }

    @Test(arguments: rows, RoundTripTests.Format.allCases)
    func `is in the file of another program, or named`(row: FormatRow, format: RoundTripTests.Format) throws {
        #expect(
            try Self.isSaid(row) { collection in
                let exported = try format.export(collection).0
                return exported.notes.map(\.text).joined() + exported.text
            })
    }
}
