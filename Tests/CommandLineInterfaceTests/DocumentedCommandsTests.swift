import ArgumentParser
import Foundation
import Testing

@testable import CommandLineInterface

/// Every command that the manual shows is one that the program takes: its words as a shell makes them, its options as they are declared.
/// Nothing is sent.
@Suite struct `The commands of the manual` {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static let pages =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }

    @Test(arguments: pages)
    func `are taken`(page: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
        let lines = blocks.flatMap { $0.components(separatedBy: "\n") }
            .filter { $0.components(separatedBy: "#")[0].contains("turnstone ") }
        for line in lines {
            let commands = try Self.commands(of: line)
            #expect(!commands.isEmpty, "\(page): a shell doesn't take \(line)")
            for words in commands {
                #expect(throws: Never.self, "\(page): \(line)") {
                    if words.first == "send" {
                        // A file of options that nobody has is an empty one.
                        let words = words.dropFirst().map { $0 == "options.txt" ? "/dev/null" : $0 }
                        _ = try SendOptionParser.groups(
                            words, reading: InputFiles(standardInput: GivenInput(bytes: Data())), environment: ["HOME": "/root"])
                    } else {
                        _ = try Turnstone.parseAsRoot(
                            ["run", "history", "show"].contains(words.first) ? TrustOption.written(words) : words)
                    }
                }
            }
        }
    }

    /// The words of each `turnstone` in a line, as bash makes them of it.
    private static func commands(of line: String) throws -> [[String]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // What a line reads and what stands before and behind a pipe is nothing here.
        _ = FileManager.default.createFile(atPath: folder.appending(path: "shop.yaml").path, contents: nil)
        let script = """
            turnstone() { printf '%s\\0' "$@" >> words; printf '\\1\\0' >> words; }
            for name in sed jq locust man journalctl pbpaste source; do eval "$name() { :; }"; done
            \(line)
            wait
            """
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = ["-c", script]
        bash.currentDirectoryURL = folder
        bash.standardInput = FileHandle.nullDevice
        bash.standardOutput = FileHandle.nullDevice
        bash.standardError = FileHandle.nullDevice
        try bash.run()
        bash.waitUntilExit()
        let words = FileManager.default.contents(atPath: folder.appending(path: "words").path) ?? Data()
        let texts = words.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        return texts.split(separator: "\u{1}").map(Array.init).filter { !$0.isEmpty && $0 != [""] }
    }
}
