import RequestCollections
import Testing

@testable import Interchange

@Suite struct OpenAPIReferenceTests {
    private static let files = [
        "ops/create.yml": """
        operationId: createOrder
        tags: [orders]
        parameters:
          - { $ref: "../shared/parameters.yml#/Limit" }
        requestBody: { content: { application/json: { schema: { $ref: "models/order.yml" } } } }
        responses: { "201": { $ref: "../openapi.yaml#/components/responses/Created" } }
        """,
        "ops/models/order.yml": """
        type: object
        properties:
          sku: { $ref: "#/definitions/Sku" }
          parent: { $ref: "order.yml" }
        definitions: { Sku: { type: string, example: A7 } }
        """,
        "shared/parameters.yml": "Limit: { name: limit, in: query, description: How many., schema: { type: integer, default: 5 } }",
        "intro.md": "# Orders\n\nAll of them.",
        "broken.yml": "a: [",
    ]

    private static func read(_ document: String) throws -> ImportedCollection {
        let texts = files
        let files = NeighbouringFiles { path throws(CollectionProblem) in
            guard let text = texts[path] else {
                throw ImportSource(path: path, bytes: []).problem("it can't be read: no such file or directory")
            }
            return ImportSource(path: path, text: text)
        }
        return try ImportKind.openapi.read(ImportSource(path: "api/openapi.yaml", text: document), beside: files)
    }

    private static func yaml(_ document: String) throws -> String {
        try read(document).assembled(ImportOptions(path: "x.yaml")).collection.text()
    }

    @Test func `a document in several files is one collection, each reference meant from its own file`() throws {
        let document = """
            openapi: 3.0.3
            info: { title: Shop, description: { $ref: intro.md } }
            servers: [{ url: "http://h" }]
            paths:
              /orders: { post: { $ref: ops/create.yml } }
            components:
              responses:
                Created: { content: { application/json: { example: { id: 7 } } } }
            """
        #expect(
            try Self.yaml(document) == """
                turnstone: 1
                name: Shop
                description: |-
                  # Orders

                  All of them.
                variables:
                  host: http://h
                requests:
                  orders:
                    requests:
                      create-order:
                        name: createOrder
                        post: "{{host}}/orders"
                        query:
                          limit: { value: 5, enabled: false }  # How many.
                        body: { json: { sku: A7 } }
                        mock: { status: 201, body: { id: 7 } }

                """)
        #expect(try Self.read(document).notes.isEmpty)
    }

    @Test func `references are followed wherever they stand`() throws {
        let document = """
            openapi: 3.1.0
            info: { title: T }
            paths: { $ref: "#/x-paths" }
            x-paths: { /a: { $ref: "#/x-path" } }
            x-path: { parameters: { $ref: "#/x-list" }, get: { $ref: "#/x-operation" } }
            x-list: [{ $ref: "#/x-parameter", required: true }]
            x-parameter: { name: q, in: query, schema: { $ref: "#/x-schema" } }
            x-schema: { $ref: "#/x-other", default: own }
            x-other: { type: string, default: other }
            x-operation: { tags: { $ref: "#/x-tags" }, security: { $ref: "#/x-security" } }
            x-tags: [one]
            x-security: [{ key: [] }]
            components: { securitySchemes: { $ref: "#/x-schemes" } }
            x-schemes: { key: { $ref: "#/x-scheme" } }
            x-scheme: { type: http, scheme: bearer }
            """
        let yaml = try Self.yaml(document)
        #expect(yaml.contains("  one:\n    requests:\n      get-a:\n"))
        #expect(yaml.contains("query: { q: own }\n"))
        #expect(yaml.contains("auth: { bearer: \"{{key}}\" }"))
    }

    @Test(arguments: [
        ("missing.yml#/a", "it can't be read: no such file or directory"),
        ("shared/parameters.yml#/Nothing", "there is no such part of the document"),
        ("#/components/Nothing", "there is no such part of the document"),
        ("#Anchor", "an anchor isn't looked for; name the part by its path, such as #/components/schemas/Pet"),
        ("https://example.com/a.yml", "an import asks no server; put it into a file beside the document, or bundle both into one"),
        ("broken.yml", "this is not YAML: did not find expected node content (while parsing a flow node that starts in line 2)"),
    ])
    func `a reference that leads nowhere is said with its place`(reference: String, reason: String) throws {
        let document = """
            openapi: 3.0.3
            info: { title: T }
            paths: { /a: { get: { summary: Get a, parameters: [{ $ref: "\(reference)" }] } } }
            """
        let imported = try Self.read(document)
        #expect(
            imported.notes.filter(\.isLoss) == [ImportNote("Get a", "the reference \(reference): \(reason)")])
        #expect(imported.nodes.requests.count == 1)
    }

    @Test func `references in circles end`() throws {
        let document = """
            openapi: 3.0.3
            info: { title: T }
            paths: { /a: { get: { parameters: [{ $ref: "#/a" }, { $ref: "#/b/c" }] } } }
            a: { $ref: "#/a" }
            b: { $ref: "#/b/c" }
            """
        #expect(try Self.read(document).notes.filter(\.isLoss).map(\.text).allSatisfy { $0.hasPrefix("the reference #/") })
    }
}
