import Foundation
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct RegexProcessTests {
    private static let catastrophe = RegexQuestion("^(a+)+$", ignoringCase: false, in: String(repeating: "a", count: 40) + "b")

    private func program(_ script: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    private func answer(of script: String, timeout: Duration = .seconds(60)) async throws -> RegexAnswer {
        let path = try program(script)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return await RegexProcess.answer(Self.catastrophe, by: path, timeout: timeout)
    }

    @Test func `what the other process says is the answer`() async throws {
        #expect(try await answer(of: "cat > /dev/null; printf found") == .found)
        #expect(try await answer(of: "cat > /dev/null; printf missing") == .missing)
        #expect(try await answer(of: "cat > /dev/null; printf nonsense") == .unknown("could not be asked about"))
    }

    @Test func `a process that doesn't answer is ended, and nobody knows`() async throws {
        #expect(
            try await answer(of: "exec sleep 1000", timeout: .milliseconds(100))
                == .unknown(
                    "took longer than 0.1 s: a repetition in a repetition, such as (a+)+, can be tried in too many ways"))
    }

    @Test(arguments: [
        (RegexQuestion("^a\nb", ignoringCase: false, in: "a\nbc"), "found"),
        (RegexQuestion("B", ignoringCase: true, in: "abc"), "found"),
        (RegexQuestion("B", ignoringCase: false, in: "abc"), "missing"),
        (RegexQuestion("ä", ignoringCase: false, in: "ä"), "found"),
        (RegexQuestion("", ignoringCase: false, in: ""), "found"), (RegexQuestion("(", ignoringCase: false, in: "("), "missing"),
    ])
    func `a question arrives as it was asked`(question: RegexQuestion, answer: String) {
        #expect(RegexProcess.answer(to: RegexProcess.input(of: question)) == answer)
    }

    @Test(arguments: ["", "i", "i5\nab", "x\n", "--1\nab", "-9223372036854775807\n"])
    func `what is no question has no answer`(input: String) {
        #expect(RegexProcess.answer(to: Data(input.utf8)) == nil)
    }
}
