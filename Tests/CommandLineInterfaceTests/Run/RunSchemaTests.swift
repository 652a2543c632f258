import Foundation
import HTTPTypes
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// `expect: { body: { schema: order.json } }`
@Suite struct RunSchemaTests {
    private static let schema = ##"""
        {"type": "object", "required": ["id", "items"], "properties": {"id": {"type": "string"},
        "items": {"type": "array", "items": {"$ref": "parts/item.json"}}}, "additionalProperties": false}
        """##

    private func run(
        _ expect: String, _ words: [String] = ["--trust"], body: String = #"{"id": "A7", "items": []}"#,
        files: [String: String] = [
            "order.json": schema, "parts/item.json": #"{"properties": {"price": {"exclusiveMinimum": 0}}}"#,
        ],
        command: String = "run"
    ) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: http://shop/a, expect: { \(expect) } } }\n")
        defer { withExtendedLifetime(directory) {} }
        try FileManager.default.createDirectory(atPath: "\(directory.path)/parts", withIntermediateDirectories: false)
        for (name, text) in files { try directory.write(name, text) }
        let transport = ScriptedTransport { _ in
            .respond(headers: [.contentType: "application/json"], body: Data(body.utf8))
        }
        let shown = await CommandLineRun.run(
            [command, path] + (command == "run" ? ["--no-history"] + words : words), transport: transport,
            environment: ["HOME": directory.path])
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    @Test(arguments: [
        "body: { schema: order.json }", "body: { .: { schema: order.json } }",
        "body: { .items: { each: { schema: parts/item.json } } }",
    ])
    func `what fits passes`(expect: String) async throws {
        let shown = try await run(expect, body: #"{"id": "A7", "items": [{"price": 1}]}"#)
        #expect(shown.status == .success, "\(shown.output)\(shown.errors)")
    }

    @Test func `what doesn't is named, place by place`() async throws {
        let shown = try await run(
            "body: { schema: order.json }", body: #"{"items": [{"price": 1}, {"price": 0}], "extra": 1, "id": 7}"#)
        #expect(shown.status == .expectationFailed)
        #expect(
            shown.output.contains(
                """
                    shop.yaml:2:48: expected body . to fit order.json, and found {"items":[{"price":1},{"price":0}],"extra":1,"id":7}
                      .items[1].price: the number 0 where more than 0 must be
                      .extra: is there, and the schema knows no such member
                      .id: the number 7 where a text must be

                """), "\(shown.output)")
        let other = try await run("body: { schema: order.json }", body: "no JSON")
        #expect(other.status == .expectationFailed && other.output.contains("isn't JSON"), "\(other.output)")
    }

    @Test func `a credential in the body isn't told`() async throws {
        let shown = try await run(
            "body: { schema: s.json }, header: { x: missing }", body: #"{"token": "hunter2-secret"}"#,
            files: ["s.json": #"{"properties": {"token": {"type": "null"}}}"#])
        #expect(shown.status == .expectationFailed)
        #expect(!shown.output.contains("hunter2"), "\(shown.output)")
        #expect(
            shown.output.contains(".token: \u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022} where null must be"), "\(shown.output)")
    }

    @Test(arguments: [
        ([:], 25, "order.json can't be read: no such file or directory"),
        (["order.json": "{"], 2, "the schema order.json isn't JSON"),
        (
            ["order.json": #"{"$ref": "https://example.com/x"}"#], 2,
            "the schema order.json: `https://example.com/x` names a schema that isn't in it; nothing is fetched"
        ),
        (["order.json": #"{"$ref": "nowhere.json"}"#], 2, "nowhere.json can't be read: no such file or directory"),
    ])
    func `a schema that can't be read is said before anything is sent`(files: [String: String], status: Int32, message: String)
        async throws
    {
        let shown = try await run("body: { schema: order.json }", files: files)
        #expect(shown.status.rawValue == status && shown.output.contains(message), "\(shown.output)\(shown.errors)")
        #expect(!shown.output.contains("200 OK"))
        let checked = try await run("body: { schema: order.json }", [], files: files, command: "check")
        #expect(checked.output.contains("there is no file `order.json`") == files.isEmpty)
    }
}
