import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import History

@Suite struct HistoryWriterTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path()
        var database: String { "\(path)/history.sqlite" }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func run(_ number: Int) -> FinishedRun {
        let metrics = EventScript.success().metrics
        let definition = RequestDefinition(
            id: RequestID(rawValue: "r\(number)"), method: "GET", url: "http://h/",
            location: SourceLocation(path: "shop.yaml", line: 1, column: 1))
        return FinishedRun(
            of: definition, in: "/shop", environment: nil,
            response: Response(originalRequest: EventScript.request(), metrics: metrics), redactor: Redactor())
    }

    @Test func `all runs are in the file when it is closed, in their order`() throws {
        let folder = Folder()
        let writer = HistoryWriter(try History(path: folder.database))
        for number in 0..<1_000 { #expect(try writer.keep(run(number)) == nil) }
        try writer.close()
        let runs = try History(path: folder.database).runs(HistoryQuery(limit: 2_000))
        #expect(runs.reversed().map(\.request.rawValue) == (0..<1_000).map { "r\($0)" })
        #expect(throws: HistoryError.self) { try writer.keep(run(0)) }
    }

    @Test func `what waits is written while nothing more comes`() async throws {
        let folder = Folder()
        let history = try History(path: folder.database)
        let writer = HistoryWriter(history)
        _ = try writer.keep(run(0))
        while try history.count() == 0 { await Task.yield() }
        try writer.close()
        #expect(try history.count() == 1)
    }

    @Test func `nothing kept, nothing to wait for`() throws {
        let folder = Folder()
        try HistoryWriter(try History(path: folder.database)).close()
    }

    @Test func `why a run isn't kept is said at the end, and the others are kept`() throws {
        let folder = Folder()
        let writer = HistoryWriter(try History(path: folder.database))
        var lost = run(1)
        let path = folder.database + "-body"
        try Data("x".utf8).write(to: URL(filePath: path))
        lost.response.info = ResponseInfo(
            finalRequest: EventScript.request(), head: ResponseHead(status: .ok), body: .file(try TemporaryFile(adopting: path)))
        try FileManager.default.removeItem(atPath: path)
        for run in [run(0), lost, run(2)] { _ = try writer.keep(run) }
        #expect(throws: HistoryError.self) { try writer.close() }
        #expect(try History(path: folder.database).runs().map(\.request.rawValue) == ["r2", "r0"])
    }

    @Test func `several in one transaction are as many one by one`() throws {
        let folder = Folder()
        let history = try History(path: folder.database, retention: HistoryRetention(runs: 300))
        for start in stride(from: 0, to: 1_000, by: 100) { try history.record((start..<start + 100).map(run)) }
        #expect(try history.count() <= 303)
        #expect(try history.runs(HistoryQuery(limit: 1)).map(\.request.rawValue) == ["r999"])
    }
}
