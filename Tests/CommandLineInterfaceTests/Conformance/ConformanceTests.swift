import CommandLineInterface
import Foundation
import ServerTesting
import Testing

/// `turnstone send` and the real curl, with the same words, against the same answers.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct ConformanceTests {
    private let table: ConformanceTable

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "curl.table")
        table = try ConformanceTable(String(contentsOf: file, encoding: .utf8))
    }

    @Test func `hundreds of command lines do the same, or differ for a reason that is written down`() async throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        #expect(table.rows.count > 300)
        let table = table
        // Most of a row's time is a program that starts, or a wait before another try.
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rows = Conformance.sample(table.rows)[...]
            for row in rows.prefix(8) { group.addTask { try await Self.compare(row, of: table, curl) } }
            rows = rows.dropFirst(8)
            while try await group.next() != nil {
                guard let row = rows.popFirst() else { continue }
                group.addTask { try await Self.compare(row, of: table, curl) }
            }
        }
    }

    private static func compare(_ row: ConformanceTable.Row, of table: ConformanceTable, _ curl: String) async throws {
        async let theirs = run(curl: curl, row, of: table)
        let ours = try await send(row, of: table)
        let expected = try await theirs
        let found = ours.differences(from: expected)
        for aspect in found.subtracting(row.differences) {
            Issue.record(
                """
                \(row.line)
                \(aspect.rawValue) differs. curl:
                \(expected.text(of: aspect))
                turnstone:
                \(ours.text(of: aspect))
                """)
        }
        for aspect in row.differences.subtracting(found).subtracting(row.doubtful) {
            Issue.record("\(row.line)\n\(aspect.rawValue) is the same by now: “\(row.reason)” can go.")
        }
    }

    private static func send(_ row: ConformanceTable.Row, of table: ConformanceTable) async throws -> ConformanceOutcome {
        let run = try ConformanceRun(row, of: table)
        let output = CaughtBytes()
        let status = await CommandLineRun.run(
            ["send"] + run.words, GivenInput(bytes: row.input), output, environment: ["HOME": run.directory.file("home")])
        return try run.outcome(output: output.bytes, status: [status.status])
    }

    private static func run(curl: String, _ row: ConformanceTable.Row, of table: ConformanceTable) async throws
        -> ConformanceOutcome
    {
        let run = try ConformanceRun(row, of: table)
        let home = run.directory.file("home")
        // On a thread of its own: it waits for the program.
        let (output, status) = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try ChildProcess.output(
                            of: "/usr/bin/env", ["HOME=\(home)", curl, "-q"] + run.words, input: row.input)
                    })
            }
        }
        return try run.outcome(output: output, status: ConformanceOutcome.meaning(ofCurl: status))
    }
}
