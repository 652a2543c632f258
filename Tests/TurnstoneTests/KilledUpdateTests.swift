import Foundation
import Glibc
import Testing

/// `turnstone import --update`, killed at any moment: nothing is lost, nothing is half-written, and the next update ends what this one began.
@Suite(.serialized) struct KilledUpdateTests {
    private static let count = 60

    private static func document(_ version: Int) -> String {
        let paths = (0..<count + (version - 1) * 15).compactMap { number -> String? in
            if version == 2, number.isMultiple(of: 11) { return nil }
            let parameter =
                "{\"name\": \"q\", \"in\": \"query\", \"required\": true, \"example\": \"v\(number.isMultiple(of: 2) ? 1 : version)\"}"
            return
                "\"/x\(number)\": {\"get\": {\"tags\": [\"t\(number % 4)\"], \"operationId\": \"op\(number)\", \"parameters\": [\(parameter)], \"responses\": {}}}"
        }
        return
            "{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"Big\"}, \"servers\": [{\"url\": \"http://h.test\"}], \"paths\": {\(paths.joined(separator: ","))}}"
    }

    private let home = Program.Home()

    init() throws {
        for version in 1...2 {
            try Self.document(version).write(toFile: home.path("v\(version).json"), atomically: true, encoding: .utf8)
        }
    }

    private func start(_ words: String...) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["import"] + words
        process.environment = ["HOME": home.path, "XDG_STATE_HOME": "", "PATH": "/usr/bin:/bin"]
        process.currentDirectoryURL = URL(filePath: home.path)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        return process
    }

    /// Every file of a collection, and its base, by name. What a killed program could not take away again has another ending.
    private func files(_ form: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: home.path) where name.hasPrefix("\(form)") {
            guard name.hasSuffix(".yaml") || name.hasSuffix(".import.json") || name.hasSuffix("_import.json") else { continue }
            files[name] = try? Data(contentsOf: URL(filePath: home.path(name)))
        }
        return files
    }

    private func restore(_ form: String, to files: [String: Data]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: home.path) where name.hasPrefix("\(form)") {
            try FileManager.default.removeItem(atPath: home.path(name))
        }
        for (name, data) in files {
            let url = URL(filePath: home.path(name))
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
    }

    @Test(arguments: ["directory/"]) func `at any moment`(output: String) throws {
        let form = output.split(separator: /[\/.]/)[0].description
        func finished(_ words: [String]) throws {
            let process = try start(words[0], "-o", output, words[1])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        try finished(["v1.json", "--force"])
        let before = try files(form)
        #expect(!before.isEmpty)
        try finished(["v2.json", "--update"])
        let after = try files(form)
        #expect(after != before)
        var killed = 0
        for round in 0..<8 {
            try restore(form, to: before)
            let process = try start("v2.json", "-o", output, "--update")
            // From before the first change to beyond the last one, each round a little later.
            while process.isRunning, try files(form) == before, round > 0 {}
            usleep(UInt32(round * 1500))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let now = try files(form)
            if process.terminationReason == .uncaughtSignal, now != before { killed += 1 }
            for (name, data) in now { #expect(data == before[name] || data == after[name], "\(name) in round \(round)") }
            for name in before.keys where after[name] != nil { #expect(now[name] != nil, "\(name) in round \(round)") }
            try finished(["v2.json", "--update"])
            #expect(try files(form) == after, "round \(round)")
        }
        if output.hasSuffix("/") { #expect(killed > 0) }
    }
}
