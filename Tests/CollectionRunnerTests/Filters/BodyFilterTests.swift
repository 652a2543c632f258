import Foundation
import NetworkLayer
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct BodyFilterTests {
    private let environment = ["PATH": "/usr/bin:/bin"]
    private let body = BodyFilter.Body.data(Data(#"{"items":[{"id":1},{"id":2}]}"#.utf8))

    private func output(_ filter: String, limits: BodyFilter.Limits = .init()) async throws -> String {
        String(decoding: try await BodyFilter(filter).output(of: body, environment: environment, limits: limits), as: UTF8.self)
    }

    private func failure(_ filter: String, of body: BodyFilter.Body? = nil, limits: BodyFilter.Limits = .init()) async -> String? {
        do {
            _ = try await BodyFilter(filter).output(of: body ?? self.body, environment: environment, limits: limits)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        arguments: [
            (".items[].id", "1\n2\n"),
            (".items | map(.id) | add", "3\n"),
            (".items | length", "2\n"),
            (" !tr -d '{}' | wc -c | tr -d ' '", "23\n"),
        ])
    func `paths are evaluated here, programs by jq, and commands by the shell`(filter: String, expected: String) async throws {
        let text = try await output(filter)
        #expect(text == expected)
    }

    @Test func `a body in a file is filtered from there`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try Data("[1,2,3]".utf8).write(to: URL(filePath: path))
        let file = try TemporaryFile(adopting: path)
        for filter in [".[2]", "last", "!tail -c 2 | head -c 1"] {
            let output = try await BodyFilter(filter).output(of: .file(file), environment: environment)
            #expect(String(decoding: output, as: UTF8.self).prefix(1) == "3")
        }
        try FileManager.default.removeItem(atPath: path)
        let missing = await failure(".", of: .file(file))
        #expect(missing == "the body's file \(path) can't be read")
    }

    @Test func `values keep their digits and order`() async throws {
        let values = try await BodyFilter(".items[0]").values(of: body, environment: environment)
        #expect(values == [.object([.init(name: "id", value: .number("1"))])])
        let none = try await BodyFilter("empty").values(of: body, environment: environment)
        #expect(none == [])
    }

    @Test func `a program that fails says why`() async {
        #expect(
            await failure(".items |")
                == "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:")
        #expect(await failure("!exit 3") == "the command failed with exit status 3")
        #expect(await failure("!echo no >&2; exit 3") == "the command failed with exit status 3: no")
        #expect(await failure(".items.id") == "`.items` is an array, which has no member `id`; `.[]` goes through its items")
    }

    /// Of a value that jq has cut off nobody can tell whether it was a secret.
    @Test func `no beginning of a value is quoted`() async {
        #expect(await failure("\"0123456789abcdef\" + 1") == "jq: error (at <stdin>:0): string (…) and number (1) cannot be added")
    }

    @Test func `a program that runs on is ended`() async {
        let limits = BodyFilter.Limits(timeout: .milliseconds(200), output: 1 << 20)
        #expect(await failure("last(repeat(1))", limits: limits) == "jq took longer than 0.2 s")
        #expect(await failure("range(1e9)", limits: .init(output: 1 << 20)) == "jq printed more than 1 MiB")
        #expect(await failure("!yes", limits: .init(output: 1 << 20)) == "the command printed more than 1 MiB")
    }

    @Test(
        arguments: [
            ("env", "env"), (".items | env.SECRET", "env"), ("$ENV.SECRET", "$ENV"), ("\"\\(env.SECRET)\"", "env"),
            ("input_filename", "input_filename"), ("import \"a\" as $a; .", "import"), ("include \"a\"; .", "include"),
            ("\"a\" | modulemeta", "modulemeta"),
        ])
    func `a program that reaches out of the body isn't run`(filter: String, name: String) async {
        #expect(
            await failure(filter)
                == "`\(name)` reaches out of the body, which a filter may not: into the environment, or into files")
    }

    @Test func `jq gets nothing of our environment`() async throws {
        // A jq that shows what it was started with.
        let folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "jq")
        try Data("#!/bin/sh\n/usr/bin/env\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let environment = ["PATH": "\(folder.path):/usr/bin:/bin", "SECRET": "s3cret", "HOME": "/home/ada"]
        let output = try await BodyFilter("length").output(of: body, environment: environment)
        let names = String(decoding: output, as: UTF8.self).split(separator: "\n").map { $0.prefix { $0 != "=" } }
        // What the shell itself sets.
        #expect(Set(names).subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == [])
    }

    @Test func `a program that begins like an option is none`() async {
        #expect(await failure("-n")?.contains("error") == true)
        #expect(await failure("--arg") != "jq failed with exit status 2")
    }

    @Test func `without jq a program says what works`() async {
        do {
            _ = try await BodyFilter("length").output(of: body, environment: ["PATH": "/no"])
            Issue.record("nothing was thrown")
        } catch {
            #expect(
                error.message == "this filter takes the jq program, which isn't installed; paths such as `.a.b[0]` work without it")
        }
    }
}
