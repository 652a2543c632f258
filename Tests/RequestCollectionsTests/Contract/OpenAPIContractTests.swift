import Foundation
import Testing

@testable import RequestCollections

/// What an operation is found by, and what OpenAPI says in its own way.
@Suite struct OpenAPIContractTests {
    private static func contract(_ text: String) throws -> OpenAPIContract {
        let bytes = Array(text.utf8)
        return try OpenAPIContract(try ForeignYAML.parse(bytes, path: "a.yaml"), at: "a.yaml", bytes) {
            (path) throws(JSONSchemaError) in
            throw JSONSchemaError("no \(path)")
        }
    }

    @Test(
        arguments: [
            ("/orders/mine", "mine"), ("/orders/7", "one"), ("/orders/%6Dine", "mine"), ("/api/orders/7", "one"),
            ("/orders/report.csv", "csv"), ("/orders/a.b.csv", "csv"), ("/orders/.csv", "one"), ("/", "root"), ("/api", "root"),
            ("/orders/7/", nil), ("/orders//x", nil), ("/orders", "top"), ("/a%2Fb", "top"), ("/x-1-2", "dashes"), ("/x-1", "top"),
        ] as [(String, String?)])
    func `the longest literal match comes first`(path: String, id: String?) throws {
        let contract = try Self.contract(
            """
            openapi: 3.1.0
            servers: [{ url: /api/ }]
            paths:
              /{any}: { get: { operationId: top } }
              /x-{a}-{b}: { get: { operationId: dashes } }
              /orders/{id}: { get: { operationId: one } }
              /orders/{name}.csv: { get: { operationId: csv } }
              /orders/mine: { get: { operationId: mine } }
              /: { get: { operationId: root } }
            """)
        #expect(contract.operation("GET", path)?.id == id)
        #expect(contract.operation("PUT", path) == nil)
    }

    @Test(arguments: [
        ("/v1/orders", "eu.example.com", true), ("/orders", "eu.example.com", false), ("/orders", "EU.example.com", false),
        ("/orders", "localhost", true), ("/v1/orders", "localhost", true), ("/orders", nil, true), ("/orders", "example.com", true),
    ])
    func `at a server's own host its path belongs in front`(path: String, host: String?, isThere: Bool) throws {
        let contract = try Self.contract(
            """
            openapi: 3.1.0
            servers: [{ url: "https://{region}.example.com:8443/v1" }, { url: /v2 }]
            paths: { /orders: { get: {} } }
            """)
        #expect((contract.operation("GET", path, at: host) != nil) == isThere)
        guard !isThere else { return }
        #expect(
            contract.complaint("GET", path, at: host)
                == "GET /orders, and at this host it has /orders below https://{region}.example.com:8443/v1")
    }

    private static func violations(_ version: String, _ schema: String, _ value: String) throws -> [String] {
        let contract = try contract(
            """
            openapi: \(version)
            paths: { /a: { get: {} } }
            components: { schemas: { A: \(schema), Text: { type: string }, Cat: { required: [claws, tail] } } }
            """)
        let uri = "\(contract.schemas.root)#/components/schemas/A"
        let place = try #require(contract.schemas.place(of: uri))
        var context = MatchContext()
        return contract.schemas.violations(of: try #require(JSONParser.parse(value)), at: place, named: uri, &context)
            .map { "\($0.path.isEmpty ? "." : $0.path): \($0.demand)" }
    }

    @Test(
        arguments: [
            ("3.0.3", "{ type: string, nullable: true }", "null", []),
            ("3.1.0", "{ type: string, nullable: true }", "null", [".: a text must be"]),
            ("3.1.0", "{ type: [string, 'null'] }", "null", []),
            (
                "3.1.0", "{ pattern: '[a' }", "\"a\"", [".: can't be judged: the schema's `[a` isn't a regular expression"]
            ),
            ("3.1.0", "{ pattern: '[a' }", "7", []),
            ("3.0.3", "{ type: string, nullable: true, enum: [a, null] }", "null", []),
            ("3.0.3", "{ type: string, nullable: true, enum: [a] }", "null", [".: a text must be"]),
            // Beside a reference nothing counts.
            ("3.0.3", "{ $ref: '#/components/schemas/Text', nullable: true }", "null", [".: a text must be"]),
            ("3.0.3", "{ nullable: true, allOf: [{ $ref: '#/components/schemas/Text' }] }", "null", []),
            ("3.0.3", "{ type: number, minimum: 1, exclusiveMinimum: true }", "1", [".: more than 1 must be"]),
            ("3.1.0", "{ type: number, exclusiveMinimum: 1 }", "1", [".: more than 1 must be"]),
            ("3.1.0", "{ $ref: '#/components/schemas/Text', minLength: 2 }", "\"a\"", [".: at least 2 characters must be"]),
            ("3.0.3", "{ required: [a], properties: { a: { writeOnly: true } } }", "{}", []),
            ("3.0.3", "{ $ref: '#/nowhere' }", "1", [".: `#/nowhere` names a schema that isn't there"]),
            ("3.0.3", "{ $ref: 'https://example.com/a#/b' }", "1", [".: `#/b` names a schema that isn't there"]),
            (
                "3.1.0",
                "{ oneOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Cat' }], "
                    + "discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat' } } }",
                "{\"kind\": \"cat\"}",
                [
                    ".: fits none of 2 alternatives, of which the one that `kind` names says:",
                    ".claws: is missing, and is required",
                    ".tail: is missing, and is required",
                ]
            ),
            (
                "3.1.0",
                "{ anyOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Cat' }], "
                    + "discriminator: { propertyName: kind } }",
                "{\"kind\": \"Dog\"}",
                [".: fits none of 2 alternatives, of which the nearest says:", ".: a text must be"]
            ),
            (
                "3.0.3", "{ oneOf: [{ required: [a], properties: { b: { type: string } } }, { type: string }] }",
                "{\"a\": 1, \"b\": 2}",
                [".: fits none of 2 alternatives, of which the nearest says:", ".b: a text must be"]
            ),
        ] as [(String, String, String, [String])])
    func `schemas are those of the version`(version: String, schema: String, value: String, expected: [String]) throws {
        #expect(try Self.violations(version, schema, value) == expected)
    }

    @Test func `names of properties are no words of the format`() throws {
        let schema =
            "{ properties: { $ref: { type: string }, example: { $ref: '#/components/schemas/Text' }, default: { type: string } } }"
        #expect(
            try Self.violations("3.1.0", schema, #"{"example": 1, "$ref": 2}"#) == [
                ".example: a text must be", #"["$ref"]: a text must be"#,
            ])
    }
}
