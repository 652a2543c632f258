import Foundation
import Testing

@Suite struct `The Makefile` {
    private static let text = try? String(contentsOf: DocumentationLinksTests.root.appending(path: "Makefile"), encoding: .utf8)

    /// `swift build` asks for coloured messages on a terminal, and a compiler with other arguments has to build everything once more.
    @Test func `builds with the same arguments whether somebody watches or not`() throws {
        let lines = try #require(Self.text).split(separator: "\n").filter { $0.contains(/\$\(SWIFT\) (build|test|run)/) }
        #expect(
            lines == [
                "SWIFT_BUILD = $(SWIFT) build --no-color-diagnostics", "SWIFT_TEST = $(SWIFT) test --no-color-diagnostics",
            ])
    }

    /// Of the log of a run of CI somebody may see the end alone.
    @Test func `repeats at the end which tests failed, and keeps the status`() throws {
        let lines = [
            "◇ Test a started.", "✔ Test a passed.", "◇ Test b started.", "✘ Test b recorded an issue at B.swift:1:2: (1 → 2) == 3",
            "↳ what it was about", "◇ Test c started.", "main.swift:1: Fatal error: out of range",
        ]
        let program = Process()
        program.executableURL = DocumentationLinksTests.root.appending(path: ".ci/repeat-failures")
        program.arguments = ["/bin/sh", "-c", "printf '%s\\n' \"$@\"; exit 3", "tests"] + lines
        let (output, errors) = (Pipe(), Pipe())
        (program.standardOutput, program.standardError) = (output, errors)
        try program.run()
        #expect(try output.fileHandleForReading.readToEnd()?.split(separator: 10).count == lines.count)
        let repeated = try errors.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        program.waitUntilExit()
        #expect(program.terminationStatus == 3)
        #expect(
            repeated == """
                What failed:
                \(lines[3])
                \(lines[4])
                \(lines[6])
                The last that started: \(lines[5])

                """)
    }
}
