import Foundation
import NetworkLayer
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct BodyFilterTests {
    private let environment = ["PATH": "/usr/bin:/bin"]
    private let body = BodyFilter.Body.data(Data(#"{"items":[{"id":1},{"id":2}]}"#.utf8))

    private func output(_ filter: String, limits: BodyFilter.Limits = .init()) async throws -> String {
        String(
            decoding: try await BodyFilter(filter).output(
                of: body, environment: environment, limits: limits),
            as: UTF8.self)
    }

    private func failure(_ filter: String, of body: BodyFilter.Body? = nil, limits: BodyFilter.Limits = .init()) async -> String? {
        do {
            _ = try await BodyFilter(filter).output(
                of: body ?? self.body, environment: environment, limits: limits)
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

    /// Cases of the evaluators: exact, or refused in the same words with every jq.
    @Test(
        arguments: [
            (".a - .b", "1"), (".ids | add", "9007199254740994"), (".a % 10", "3"), (".a + 1", "9007199254740994"),
            (".n | tonumber", "9007199254740993"), ("(.n | tonumber) == 9007199254740993", "true"), (".b == 0.1", "false"),
            ("[.long] | .[0]", "0.1234567890123456789"), ("[.huge] | .[0]", "1e1000"), (".ids | max", "9007199254740993"),
        ])
    func `numbers keep all of their digits`(filter: String, found: String) async throws {
        let json =
            #"{"a":9007199254740993,"b":9007199254740992,"ids":[9007199254740993,1],"n":"9007199254740993","#
            + #""long":0.1234567890123456789,"huge":1e1000}"#
        let output = try await BodyFilter(filter).output(of: .data(Data(json.utf8)), environment: environment)
        #expect(String(decoding: output, as: UTF8.self) == found + "\n")
    }

    @Test(
        arguments: [
            ("{\"id\":9007199254740993}", "-.id", "the body"), ("{\"id\":9007199254740993}", ".id | floor", "the body"),
            ("{\"p\":\"{\\\"id\\\":9007199254740993}\"}", ".p | fromjson | .id", "the body"),
            ("{\"id\":1}", "[limit(1; .id == 9007199254740993)]", "it"),
        ])
    func `jq gives no value of a body with a long integer, nor a program with one`(
        json: String, filter: String, what: String
    ) async throws {
        let message = await failure(filter, of: .data(Data(json.utf8)))
        #expect(message?.hasPrefix("\(what) has the integer 9007199254740993, whose last digits jq loses") == true)
        #expect(await failure(".id", of: .data(Data(json.utf8))) == nil)
    }

    @Test func `what can't be compiled is said, without a body`() async throws {
        let worker = QuestionWorker(program: nil)
        let programs = [
            ".s >", ".a | nope", ".a | error", "[limit(3; repeat(1))]", "1) , (2", "", "\"", "def a: 1;", "// nothing #",
        ]
        let complaints = await worker.complaints(about: programs)
        #expect(Set(complaints.keys) == [".s >", ".a | nope", "1) , (2", "\"", "// nothing #"])
        #expect(complaints[programs[0]] == "syntax error, unexpected $end at <top-level>, line 1:")
        #expect(complaints[programs[1]] == "nope/0 is not defined at <top-level>, line 1:")
        #expect(XMLText.complaint(about: "//a[") == "it isn't an expression of XPath 1.0")
        #expect(XMLText.complaint(about: "//a:b") == nil)
    }

    @Test func `a body in a file is filtered from there`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        try Data("[1,2,3]".utf8).write(to: URL(filePath: path))
        let file = try TemporaryFile(adopting: path)
        for filter in [".[2]", "last", "!tail -c 2 | head -c 1"] {
            let output = try await BodyFilter(filter).output(
                of: .file(file), environment: environment)
            #expect(String(decoding: output, as: UTF8.self).prefix(1) == "3")
        }
        try FileManager.default.removeItem(atPath: path)
        let missing = await failure(".", of: .file(file))
        #expect(missing == "the body's file \(path) can't be read")
    }

    @Test func `values keep their digits and order`() async throws {
        let values = try await BodyFilter(".items[0]").values(
            of: body, environment: environment, worker: QuestionWorker(program: nil))
        #expect(values == [.object([.init(name: "id", value: .number("1"))])])
        let none = try await BodyFilter("empty").values(of: body, environment: environment, worker: QuestionWorker(program: nil))
        #expect(none == [])
    }

    @Test func `a program that fails says why`() async {
        #expect(await failure(".items |") == "syntax error, unexpected $end at <top-level>, line 1:")
        #expect(await failure("!exit 3") == "the command failed with exit status 3")
        #expect(await failure("!echo no >&2; exit 3") == "the command failed with exit status 3: no")
        #expect(await failure(".items.id") == "`.items` is an array, which has no member `id`; `.[]` goes through its items")
    }

    /// Of a value that jq has cut off nobody can tell whether it was a secret.
    @Test func `no beginning of a value is quoted`() async {
        #expect(await failure("\"0123456789abcdef\" + 1") == "string (…) cannot be added")
    }

    @Test func `a program that runs on is ended`() async {
        let limits = BodyFilter.Limits(timeout: .milliseconds(200), output: 1 << 20)
        #expect(await failure("!sleep 100", limits: limits) == "the command took longer than 0.2 s")
        #expect(await failure("range(1e9)", limits: .init(output: 1 << 20)) == "what it finds is longer than 1 MiB")
        #expect(await failure("!yes", limits: .init(output: 1 << 20)) == "the command printed more than 1 MiB")
    }

    @Test(
        arguments: [
            ("env", "env"), (".items | env.SECRET", "env"), ("$ENV.SECRET", "$ENV"), ("\"\\(env.SECRET)\"", "env"),
            ("input_filename", "input_filename"), ("import \"a\" as $a; .", "import"), ("include \"a\"; .", "include"),
            ("\"a\" | modulemeta", "modulemeta"), ("[., inputs]", "inputs"),
            ("input_line_number", "input_line_number"), ("\"x\" | halt_error", "halt_error"),
        ])
    func `a program that reaches out of the body isn't run`(filter: String, name: String) async {
        #expect(
            await failure(filter) == "`\(name)` reaches out of the body, which a filter may not: "
                + "into the environment, into files, or into the process")
    }
}
