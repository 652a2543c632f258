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

    @Test(arguments: [
        ("[9007199254740993]", "9007199254740993"), ("{\"a\": -09007199254740993}", "09007199254740993"),
        ("{\"a\":\"\\\"\",\"b\":18446744073709551616}", "18446744073709551616"), ("9007199254740992", nil),
        ("[0.12345678901234567890]", nil),
        ("[123456789012345678.5]", nil), ("[1e99, 12345678901234567E-3]", nil), ("\"9007199254740993 \\\" 9007199254740993\"", nil),
        ("{\"9007199254740993\":1}", nil),
    ])
    func `integers that a Double can't hold are found outside of texts`(json: String, integer: String?) {
        #expect(LongInteger.first(in: json.utf8) == integer)
    }

    @Test(arguments: [
        ("jq-1.6", true), ("jq-1.5-1-a5b5cbe", true), ("jq-1.7.1", false), ("jq-1.10", false), ("gojq 0.12.16", false),
    ])
    func `an old jq is known by its version`(version: String, isOld: Bool) {
        #expect(JQProgram.roundsIntegers(version) == isOld)
    }

    @Test(arguments: [("jq-1.6", "{\"id\":9007199254740993}", ".id + 0"), ("jq-1.6", "{\"id\":1}", ".id == 9007199254740993")])
    func `an old jq gives no value of a body with a long integer, nor a program with one`(
        version: String, json: String, filter: String
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        func values(_ version: String, _ filter: String) async -> Result<[JSONValue], BodyFilterError> {
            let script = "#!/bin/sh\ncase \"$1\" in --version) echo \(version);; *) echo 5;; esac\n"
            FileManager.default.createFile(
                atPath: "\(directory)/jq", contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
            do throws(BodyFilterError) {
                return .success(
                    try await BodyFilter(filter).values(of: .data(Data(json.utf8)), environment: ["PATH": "\(directory):/bin"]))
            } catch {
                return .failure(error)
            }
        }
        let message =
            "\(filter.contains("9") ? "it" : "the body") has the integer 9007199254740993, and jq-1.6 loses the last digits "
            + "of such; jq 1.7 keeps them, and so do paths such as `.a.b[0]`"
        #expect(await values(version, filter) == .failure(BodyFilterError(message)))
        #expect(await values("jq-1.7.1", filter) == .success([.number("5")]))
        #expect(await values(version, ".id") == .success([.number(json.contains("9") ? "9007199254740993" : "1")]))
    }

    @Test func `what jq can't compile is said, without a body`() async throws {
        let jq = try #require(JQProgram(in: environment))
        #expect(await jq.complaint(about: JSONFilter(".s >"))?.contains("syntax error") == true)
        #expect(await jq.complaint(about: JSONFilter(".a | nope"))?.contains("nope") == true)
        #expect(await jq.complaint(about: JSONFilter(".a | error")) == nil)
        #expect(await jq.complaint(about: JSONFilter("[limit(3; repeat(1))]")) == nil)
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

    @Test func `a program that takes ever more memory is ended, and says so`() async {
        let reason = await failure("[range(1e9)]", limits: .init(memory: 64 << 20))
        #expect(reason == "jq needed more than 64 MiB of memory, and was ended")
        #expect(BodyFilter.Limits().memory <= 4 << 30)
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
