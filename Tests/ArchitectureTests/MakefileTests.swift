import Foundation
import Testing

@Suite struct `The Makefile` {
    /// `swift build` asks for coloured messages on a terminal, and a compiler with other arguments has to build everything once more.
    @Test func `builds with the same arguments whether somebody watches or not`() throws {
        let file = DocumentationLinksTests.root.appending(path: "Makefile")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
            $0.contains(/\$\(SWIFT\) (build|test|run)/)
        }
        #expect(lines == ["SWIFT_BUILD = $(SWIFT) build --no-color-diagnostics"])
    }

    /// Of the log of a run of CI somebody may see the end alone.
    @Test func `runs all parts of the tests, and says at the end what failed in them`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let bundle = directory.appending(path: "tests")
        // Plays the tests: of one target a test fails, and those with servers end in the middle.
        let play = """
            #!/bin/sh
            case " $* " in
            *' --skip ^(?!HistoryTests'*)
                printf '%s\n' '◇ Test c started.' '✘ Test c recorded an issue at C.swift:1:2: (1 → 2) == 3' '↳ what it was about' \
                    '✘ Test c failed after 0.1 seconds with 1 issue.' '✘ Test run with 7 tests in 2 suites failed after 12.5 seconds with 1 issue.'
                exit 1 ;;
            *' --skip ^(?!'*) echo '✔ Test run with 2 tests in 1 suite passed after 0.5 seconds.' ;;
            *) printf '%s\n' '◇ Test a started.' '◇ Test b started.' 'main.swift:1: Fatal error: out of range'; exit 3 ;;
            esac
            """
        try play.write(to: bundle, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle.path)
        let program = Process()
        program.executableURL = DocumentationLinksTests.root.appending(path: ".ci/test")
        program.environment = ProcessInfo.processInfo.environment.merging(["BUNDLE": bundle.path]) { $1 }
        let output = Pipe()
        (program.standardOutput, program.standardError) = (output, output)
        try program.run()
        let text = try output.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) } ?? ""
        program.waitUntilExit()
        #expect(program.terminationStatus == 1)
        let end = text.components(separatedBy: "What failed").last?.split(separator: "\n").map(String.init) ?? []
        #expect(end.first == " (\(directory.path)/test-logs has all):")
        // The parts end in any order.
        #expect(
            Set(end.dropFirst().dropLast(2)) == [
                "✘ Test c recorded an issue at C.swift:1:2: (1 → 2) == 3", "↳ what it was about",
                "main.swift:1: Fatal error: out of range", "It ended at: Test b",
            ])
        #expect(end.last?.hasSuffix(" passed, 2 failed") == true)
    }
}
