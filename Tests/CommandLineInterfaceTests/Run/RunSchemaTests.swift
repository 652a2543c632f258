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

/// `expect: { contract: openapi.yaml }`
@Suite struct RunContractTests {
    private static let document = """
        openapi: 3.0.3
        info: { title: Shop, version: "1" }
        servers:
          - url: https://{region}.example.com/v1
        paths:
          /orders:
            post:
              operationId: createOrder
              responses:
                "201":
                  description: made
                  headers:
                    location: { required: true, schema: { type: string, pattern: ^/orders/ } }
                    x-left: { schema: { type: integer, maximum: 10 } }
                  content:
                    application/json:
                      schema: { $ref: "#/components/schemas/Order" }
                4XX: { $ref: "parts.yaml#/Problem" }
          /orders/{id}:
            get:
              responses:
                "200":
                  description: it
                  content:
                    application/json: { schema: { $ref: "#/components/schemas/Order" } }
                default: { description: anything else }
          /orders/mine:
            get:
              operationId: mine
              responses:
                "200":
                  description: mine
                  content:
                    application/*: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } }
                "204": { description: none, content: { application/json: { schema: { type: object } } } }
        components:
          schemas:
            Order:
              type: object
              required: [id, state, password]
              properties:
                id: { type: string }
                password: { type: string, writeOnly: true }
                state:
                  enum: [open, paid]
                note: { type: string, nullable: true }
                items:
                  type: array
                  items:
                    required: [price]
                    properties:
                      price:
                        type: number
                parent: { $ref: "#/components/schemas/Order" }

        """
    private static let parts = """
        Problem:
          description: refused
          content:
            application/problem+json:
              schema: { type: object, required: [title] }

        """

    private func run(
        _ request: String, status: Int = 200, type: String? = "application/json", fields: HTTPFields = [:],
        body: String = #"{"id": "A7", "state": "open"}"#, _ words: [String] = ["--trust"], command: String = "run",
        files: [String: String] = ["openapi.yaml": document, "parts.yaml": parts], expect: String = "contract: openapi.yaml"
    ) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests:\n  a:\n    \(request)\n    expect: { \(expect) }\n")
        defer { withExtendedLifetime(directory) {} }
        for (name, text) in files { try directory.write(name, text) }
        var fields = fields
        if let type { fields[.contentType] = type }
        let headers = fields
        let transport = ScriptedTransport { _ in
            .respond(status: HTTPResponse.Status(code: status), headers: headers, body: Data(body.utf8))
        }
        let shown = await CommandLineRun.run(
            [command, path] + (command == "run" ? ["--no-history"] + words : words), transport: transport,
            environment: ["HOME": directory.path])
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    @Test(arguments: [
        ("get: http://shop/orders/A7", 200, #"{"id": "A7", "state": "open", "note": null}"#),
        ("get: http://shop/v1/orders/A7", 200, #"{"id": "A7", "state": "open"}"#),
        // What is described for all others says nothing of a body.
        ("get: http://shop/v1/orders/A7?x=1", 418, "anything"),
        ("get: http://shop/orders/mine", 200, #"[{"id": "A7", "state": "paid"}]"#),
        ("get: http://shop/orders/mine", 204, ""),
    ])
    func `what is described passes`(request: String, status: Int, body: String) async throws {
        let shown = try await run(request, status: status, body: body)
        #expect(shown.status == .success, "\(shown.output)\(shown.errors)")
    }

    @Test func `what breaks it is named with its place in the body and in the document`() async throws {
        let shown = try await run(
            "post: http://shop/v1/orders", status: 201, fields: [HTTPField.Name("x-left")!: "11"],
            body: #"{"id": 7, "state": "lost", "note": 1, "items": [{"price": 1}, {"price": "9.5"}, {}], "parent": null}"#,
            ["--trust", "-v"])
        #expect(shown.status == .expectationFailed)
        let lines = [
            "shop.yaml:5:15: expected the contract createOrder 201 of openapi.yaml, and found 8 violations",
            "header location: is missing, and is required (openapi.yaml:13:25)",
            "header x-left: the number 11 where at most 10 must be (openapi.yaml:14:48)",
            ".id: the number 7 where a text must be (openapi.yaml:42:15)",
            #".state: the text "lost" where one of "open", "paid" must be (openapi.yaml:45:11)"#,
            ".note: the number 1 where a text must be (openapi.yaml:46:17)",
            #".items[1].price: the text "9.5" where a number must be (openapi.yaml:53:17)"#,
            ".items[2].price: is missing, and is required (openapi.yaml:50:13)",
            ".parent: null where a map must be (openapi.yaml:39:7)",
        ]
        for line in lines { #expect(shown.output.contains("  \(line)\n"), "\(line)\n\(shown.output)") }
        // All that was found is named.
        #expect(shown.output.components(separatedBy: " (openapi.yaml:").count == 9, "\(shown.output)")
    }

    @Test(arguments: [
        (["openapi.yaml": "swagger: '2.0'\npaths: {}"], "and this is Swagger 2.0"),
        (["openapi.yaml": "openapi: 3.1.0\n"], "it describes no operation below `paths`"),
        (["openapi.yaml": "a: [\n"], "the contract openapi.yaml, line 2"),
        (["openapi.yaml": document], "parts.yaml can't be read"),
    ])
    func `a document that is none is said before anything is sent`(files: [String: String], message: String) async throws {
        let shown = try await run("get: http://shop/orders", files: files)
        #expect(shown.status != .success && shown.output.contains(message), "\(shown.output)\(shown.errors)")
        #expect(!shown.output.contains("200 OK"))
    }
}
