import Foundation
import NetworkLayerTesting
import ServerTesting

/// `turnstone run` of a generated collection, several at a time over shared connections, and what its report says of them.
struct RunRound {
    let number: Int
    let server: TortureServer
    let program: String
    private var random: SeededGenerator

    private static let size = 120

    init(number: Int, seed: UInt64, server: TortureServer, program: String) {
        self.number = number
        self.server = server
        self.program = program
        random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    }

    mutating func play(_ tally: inout Tally) async throws -> [String] {
        let collection = try TortureCollection(ids: number * 1000..<number * 1000 + Self.size, server: server, random: &random)
        let report = collection.folder.file("report.json")
        let (status, talk) = try run(
            [
                "run", collection.path, "--trust", "--jobs", String(Int.random(in: 1...12, using: &random)), "--quiet", "--report",
                "json=\(report)",
            ], in: collection.folder)
        let page = try server.turnPage()
        guard case .exit = status.reason, Self.known.contains(status.code) else {
            return ["turnstone run ended by \(status.reason) \(status.code): \(talk.suffix(6000))"] + page.brokenRules
        }
        guard let data = FileManager.default.contents(atPath: report) else { return ["turnstone run wrote no report: \(talk)"] }
        let runs = try JSONDecoder().decode(Report.self, from: data).runs
        let methods = Dictionary(uniqueKeysWithValues: collection.requests.map { ("r\($0.id)", $0) })
        let ends = runs.compactMap { run in methods[run.request].map { run.end(id: $0.id, method: $0.method) } }
        tally.requests += ends.count
        tally.succeeded += ends.count { $0.failure == nil }
        let missing = collection.requests.count - ends.count
        return TortureRules(page: page).problems(ends) + (missing == 0 ? [] : ["\(missing) requests aren't in the report"])
    }

    /// 0, and whatever the manual names but for a wrong command line, a template and a file.
    private static let known: Set<Int32> = [0, 1, 20, 21, 22, 23, 26]

    private struct Status {
        var reason: Process.TerminationReason
        var code: Int32
    }

    private func run(_ arguments: [String], in folder: TemporaryDirectory) throws -> (Status, String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = [
            "HOME": folder.path, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1",
            "ASAN_OPTIONS": ProcessInfo.processInfo.environment["ASAN_OPTIONS"] ?? "",
        ]
        process.standardInput = FileHandle.nullDevice
        let talk = folder.file("talk")
        _ = FileManager.default.createFile(atPath: talk, contents: nil)
        let output = FileHandle(forWritingAtPath: talk)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        try output?.close()
        let said = FileManager.default.contents(atPath: talk).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (Status(reason: process.terminationReason, code: process.terminationStatus), said)
    }

    private struct Report: Decodable {
        var runs: [Run]

        struct Run: Decodable {
            var request: String
            var verdict: String
            var status: Int?
            var error: Failure?
            var reasons: [String]

            struct Failure: Decodable {
                var type: String
                var message: String
            }

            func end(id: Int, method: String) -> TortureRules.End {
                var end = TortureRules.End(id: id, method: method)
                end.status = status
                if let error {
                    end.failure = error.type.isEmpty || error.message.isEmpty ? "" : "\(error.type): \(error.message)"
                    end.isTimeout = error.type.contains("timeout") || error.type.contains("timed_out")
                } else if verdict != "passed" {
                    end.failure = reasons.joined(separator: "; ")
                }
                return end
            }
        }
    }
}
