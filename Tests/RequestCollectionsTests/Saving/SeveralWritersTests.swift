import Foundation
import Testing

@testable import RequestCollections

/// Processes that save to one file at once. More of them by hand: `TURNSTONE_WRITERS=20 TURNSTONE_EDITS=100 swift test --filter SeveralWritersTests`.
@Suite struct SeveralWritersTests {
    private let directory: TemporaryDirectory
    private let writers = Int(ProcessInfo.processInfo.environment["TURNSTONE_WRITERS"] ?? "") ?? 5
    private let edits = Int(ProcessInfo.processInfo.environment["TURNSTONE_EDITS"] ?? "") ?? 10
    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "collection-writers").path()

    init() throws {
        directory = try TemporaryDirectory([
            "shop.yaml":
                "turnstone: 1\nrequests:\n  a:\n    get: http://h/a   # ca\n  b:\n    get: http://h/b   # cb\n    headers:\n      x: 1   # hx\n"
        ])
    }

    private var path: String { directory.path("shop.yaml") }

    /// All at once; what each has printed.
    private func run(_ commands: [[String]]) throws -> [[String]] {
        let running = try commands.map { arguments in
            let process = Process()
            process.executableURL = URL(filePath: Self.program)
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
        return running.map { process, output in
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test func `edits of different entries are all there`() throws {
        let output = try run(
            (1...writers).map { number in ["edit", path, number.isMultiple(of: 2) ? "a" : "b", "w\(number)", "\(edits)"] })
        for lines in output { #expect(lines.filter { !$0.hasPrefix("waited") } == (1...edits).map { "saved \($0)" }) }
        let collection = try RequestCollection.load(path: path)
        for number in 1...writers {
            let request = try #require(collection.request(number.isMultiple(of: 2) ? "a" : "b"))
            #expect(request.headers.first { $0.name == "w\(number)" }?.value == "\(edits)")
        }
        let text = try directory.read("shop.yaml")
        for comment in ["# ca", "# cb", "# hx"] { #expect(text.contains(comment)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["shop.yaml"])
    }

    @Test func `edits of the same entry are saved or said to be conflicts`() throws {
        let output = try run((1...writers).map { _ in ["edit", path, "a", "x", "\(edits)"] })
        for lines in output {
            let numbers = lines.filter { !$0.hasPrefix("waited") }.map { $0.split(separator: " ") }
            #expect(numbers.map { String($0[1]) } == (1...edits).map { "\($0)" })
            #expect(numbers.allSatisfy { $0[0] == "saved" || $0[0] == "conflict" })
        }
        let value = try RequestCollection.load(path: path).request("a")?.headers.first?.value
        #expect(Int(value ?? "").map { (1...edits).contains($0) } ?? false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["shop.yaml"])
    }

    @Test(arguments: 1...6)
    func `a writer that is killed leaves a whole file with what it had saved`(round: Int) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["edit", path, "a", "x", "100000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var said = ""
        while said.split(separator: "\n").count < round * 3 {
            said += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        // Somewhere in the middle of the next one.
        #expect(kill(process.processIdentifier, SIGKILL) == 0)
        process.waitUntilExit()
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let saved = try #require(said.split(separator: "\n").last?.split(separator: " ").last.flatMap { Int($0) })
        let collection = try RequestCollection.load(path: path)
        #expect(collection.problems.isEmpty)
        let value = collection.request("a")?.headers.first { $0.name == "x" }?.value
        #expect(value == "\(saved)" || value == "\(saved + 1)", "after saved \(saved)")
        let text = try directory.read("shop.yaml")
        for comment in ["# ca", "# cb"] { #expect(text.contains(comment)) }
        // Nothing that it left keeps others from going on, and no collection reads it.
        #expect(try run([["edit", path, "b", "y", "1"]]) == [["saved 1"]])
    }

    @Test func `a disk that takes no more leaves the file as it was, and says so`() throws {
        let before = try directory.read("shop.yaml")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", Self.program, "edit", path, "a", "x", "1"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.hasPrefix("failed 1: ") && said.contains("too large"), "\(said)")
        #expect(try directory.read("shop.yaml") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["shop.yaml"])
    }
}
