import RequestCollections
import Testing

@testable import Interchange

@Suite struct OpenAPIDetailTests {
    /// The requests of a document, without what is around them.
    private static func requests(_ paths: String, more: String = "") throws -> (yaml: String, notes: [String]) {
        let imported = try ImportedText(
            "openapi: 3.0.0\ninfo: { title: T }\nservers: [{ url: 'http://h' }]\n\(more)\npaths:\n\(paths)", path: "t.yaml")
        let yaml = imported.yaml
        return (yaml.firstRange(of: "requests:\n").map { String(yaml[$0.upperBound...]) } ?? "", imported.notes)
    }

    @Test func `what parameters and fields are about stands beside them as comments`() throws {
        let long = "The text of this description goes on for so long that no line of a file would have room for all of it."
        let (yaml, notes) = try Self.requests(
            """
              /a/{id}:
                post:
                  parameters:
                    - { name: id, in: path, required: true, description: Which., example: 7 }
                    - { name: q, in: query, description: "\(long)" }
                    - { name: X-T, in: header, schema: { description: "One.\\nTwo." } }
                  requestBody:
                    content:
                      application/x-www-form-urlencoded:
                        schema: { properties: { n: { type: string, description: "A name # of it" } } }
            """)
        #expect(
            yaml == """
                  post-a-id:
                    name: POST /a/{id}
                    post: "{{host}}/a/:id"
                    path:
                      id: 7  # Which.
                    query:
                      # The text of this description goes on for so long that no line of a file would have room for
                      # all of it.
                      q: null
                    headers:
                      # One.
                      # Two.
                      X-T: null
                    body:
                      form:
                        n: string  # A name # of it

                """)
        #expect(notes == [])
    }

    @Test(arguments: [
        ("style: label, schema: { example: x }", ".{{a}}"), ("style: matrix, schema: { type: string }", ";a={{a}}"),
        ("style: label, example: [x, 'y/']", ".x,y%2F"), ("style: label, explode: true, example: [x, y]", ".x.y"),
        ("style: matrix, example: [x, y]", ";a=x,y"), ("style: matrix, explode: true, example: [x, y]", ";a=x;a=y"),
        ("style: label, example: { r: 1, g: 2 }", ".r,1,g,2"), ("style: label, explode: true, example: { r: 1, g: 2 }", ".r=1.g=2"),
        ("style: matrix, example: { r: 1 }", ";a=r,1"), ("style: matrix, explode: true, example: { r: 1, g: 2 }", ";r=1;g=2"),
        ("style: simple, example: [x, y]", ":a"),
    ])
    func `a path is written in the style of its parameters`(style: String, segment: String) throws {
        let (yaml, notes) = try Self.requests(
            "  /p/{a}/q: { get: { parameters: [{ name: a, in: path, required: true, \(style) }] } }")
        #expect(yaml.contains("/p/\(segment)/q"), "\(yaml)")
        #expect(notes == [])
    }

    @Test func `a list of a form is one field or several parts as its encoding says`() throws {
        let (yaml, notes) = try Self.requests(
            """
              /f:
                post:
                  requestBody:
                    content:
                      application/x-www-form-urlencoded:
                        example: { s: [x, y], p: [x, y], f: [x, y] }
                        encoding: { s: { style: spaceDelimited }, p: { style: pipeDelimited, explode: false }, f: { style: form } }
              /m:
                post:
                  requestBody:
                    content:
                      multipart/form-data:
                        example: { n: [x, y], j: [x], o: [{ k: 1 }] }
                        encoding: { j: { contentType: application/json, headers: { X-P: { schema: { type: string } } } } }
            """)
        #expect(yaml.contains("form: { s: x y, p: x|y, f: [x, y] }"), "\(yaml)")
        #expect(yaml.contains("n: [x, y]"), "\(yaml)")
        #expect(yaml.contains(#"j: { value: '["x"]', type: application/json }"#), "\(yaml)")
        #expect(yaml.contains(#"o: { value: '{"k":1}', type: application/json }"#), "\(yaml)")
        #expect(notes.count == 1 && notes[0].contains("the headers of the part `j`: X-P"), "\(notes)")
    }

    @Test func `examples of responses are mocks, those of successes first`() throws {
        let (yaml, notes) = try Self.requests(
            """
              /a:
                get:
                  responses:
                    "404": { content: { application/json: { example: { error: none } } } }
                    "200":
                      headers: { X-Total: { example: 2 } }
                      content: { application/json: { examples: { one: { value: [{ id: 1, t: "{{x}}" }] } } } }
                put: { responses: { default: { content: { text/xml: { example: <a/> } } } } }
                delete: { responses: { "204": { description: Gone } } }
            """)
        #expect(
            yaml == """
                  get-a:
                    name: GET /a
                    get: "{{host}}/a"
                    mock:
                      status: 200
                      headers: { X-Total: 2 }
                      body: [{ id: 1, t: '{{"{{"}}x}}' }]
                  put-a:
                    name: PUT /a
                    put: "{{host}}/a"
                    mock: { headers: { content-type: text/xml }, body: <a/> }
                  delete-a:
                    name: DELETE /a
                    delete: "{{host}}/a"

                """)
        #expect(notes == ["- 1 more example response: a request has one `mock`, which is its first success"])
    }

    @Test func `maps in forms are fields of their own, and a form without fields is no body`() throws {
        let (yaml, _) = try Self.requests(
            """
              /a:
                post:
                  requestBody:
                    content:
                      application/x-www-form-urlencoded:
                        encoding:
                          card: { style: deepObject, explode: true }
                          tags: { style: deepObject, explode: true }
                          ids: { explode: false }
                        schema:
                          type: object
                          properties:
                            card: { type: object, properties: { n: { type: string, example: "4" }, a: { type: object, properties: { b: { example: c } } } } }
                            tags: { type: array, items: { type: string, example: t } }
                            ids: { example: [1, 2] }
                get:
                  requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: {} } } } }
            """)
        #expect(
            yaml == """
                  post-a:
                    name: POST /a
                    post: "{{host}}/a"
                    body:
                      form: { "card[n]": 4, "card[a][b]": c, "tags[]": t, ids: "1,2" }
                  get-a:
                    name: GET /a
                    get: "{{host}}/a"

                """)
    }

    @Test func `a body of any type that has a structure is JSON`() throws {
        let imported = try ImportedText(
            """
            swagger: "2.0"
            info: { title: T }
            host: h
            consumes: ["*/*"]
            paths:
              /a:
                post: { parameters: [{ in: body, name: b, schema: { $ref: "#/definitions/Pod" } }] }
                put: { parameters: [{ in: body, name: b, schema: { type: string, format: binary } }] }
            definitions: { Pod: { type: object, properties: { kind: { type: string, example: Pod } } } }
            """, path: "k.yaml")
        #expect(imported.yaml.contains("    body: { json: { kind: Pod } }\n"))
        #expect(imported.yaml.contains("    body: { file: \"{{file}}\" }\n"))
        #expect(!imported.yaml.contains("*/*"))
    }

    @Test func `what has a type that nobody reads is said with its place`() throws {
        let (yaml, notes) = try Self.requests(
            """
              /a:
                get: { tags: one, parameters: { q: 1 }, security: {}, responses: none }
                post: text
                fetch: {}
                put:
                  parameters: [{ in: query }, { name: a, in: body2 }, 5]
                  requestBody: { schema: {} }
              /b: [1]
              c: {}
            """)
        #expect(yaml.contains("get-a:") && yaml.contains("put-a:") && !yaml.contains("post-a:"))
        #expect(
            notes == [
                "- /a: `fetch`, which no path has", "- GET /a, tags: a text, where a list is read",
                "- GET /a, parameters: a map, where a list is read", "- GET /a, security: a map, where a list is read",
                "- GET /a, responses: a text, where a map is read", "- POST /a: this operation is no map",
                "- PUT /a, parameters[2]: a number, where a map is read",
                "- PUT /a: the parameter ``: it needs a `name` and an `in`",
                "- PUT /a: the parameter `a`: nothing is `in: body2`",
                "- PUT /a: the body: `requestBody` has no `content`",
                "- /b: this path is no map", "- c: a path begins with a slash",
            ])
    }

    @Test(arguments: ["paths: text", "components: {}", "paths: {}"]) func `a document without a request is refused`(part: String) {
        #expect(throws: CollectionProblem.self) {
            try ImportedText("openapi: 3.0.0\ninfo: { title: T }\n\(part)", path: "t.yaml")
        }
    }

    @Test func `headers that a request may have stay at it, also when all of a folder may`() throws {
        let (yaml, _) = try Self.requests(
            """
              /a:
                get: { tags: [t], parameters: [{ name: X-T, in: header, schema: { type: string } }] }
                put: { tags: [t], parameters: [{ name: X-T, in: header, schema: { type: string } }] }
            """)
        #expect(!yaml.contains("defaults"))
        #expect(yaml.split(separator: "\n").count { $0.contains("headers: { X-T: null }") } == 2)
    }

    @Test func `properties stay beside alternatives`() throws {
        let (yaml, _) = try Self.requests(
            """
              /a:
                post:
                  requestBody:
                    content:
                      application/json:
                        schema:
                          properties: { a: { type: integer, minimum: 3 }, b: { type: boolean } }
                          anyOf: [{ required: [a] }, { required: [b] }]
                put:
                  requestBody:
                    content:
                      application/json:
                        schema:
                          allOf: [{ properties: { a: { type: integer, minimum: 3 } } }]
                          oneOf: [{ type: "null" }, { properties: { c: { type: boolean } } }]
            """)
        #expect(yaml.contains("post: \"{{host}}/a\"\n    body: { json: { a: 3, b: true } }"))
        #expect(yaml.contains("put: \"{{host}}/a\"\n    body: { json: { a: 3, c: true } }"))
    }

    @Test func `a body of a very large schema has all outer properties, and it is said`() throws {
        let many = (1...60).map { "p\($0): { $ref: '#/components/schemas/Inner' }" }.joined(separator: ", ")
        let inner = (1...60).map { "q\($0): { type: string }" }.joined(separator: ", ")
        let (yaml, notes) = try Self.requests(
            """
              /a:
                post:
                  requestBody: { content: { application/json: { schema: { properties: { \(many) } } } } }
            """, more: "components: { schemas: { Inner: { properties: { \(inner) } } } }")
        #expect((1...60).allSatisfy { yaml.contains("p\($0): {}") })
        #expect(notes == ["POST /a: the body has only the outer levels of its schema, which is very large"])
    }

    @Test func `a parameter whose example is an empty list is there`() throws {
        let (yaml, _) = try Self.requests(
            "  /a: { get: { parameters: [{ name: t, in: query, schema: { type: array }, examples: { none: { value: [] } } }] } }")
        #expect(yaml.contains("query: { t: null }"))
    }

    @Test func `where a person would sign in, the token is a variable`() throws {
        let (yaml, notes) = try Self.requests(
            "  /a: { get: {} }",
            more: """
                security: [{ o: [read] }]
                components:
                  securitySchemes:
                    o: { type: oauth2, flows: { authorizationCode: { authorizationUrl: "http://i/a", tokenUrl: "http://i/t" } } }
                """)
        #expect(yaml.isEmpty == false)
        #expect(notes.count == 1)
        #expect(notes.first?.contains("its token is the variable `o_token`") == true)
        #expect(notes.first?.contains("authorization-url: http://i/a, token-url: http://i/t") == true)
    }

    @Test(arguments: [
        (
            ["/v1/users", "/v1/users/{id}", "/v1/orders", "/v1/orders/{id}"],
            ["users/get", "users/get-id", "orders/get", "orders/get-id"]
        ),
        (["/users", "/users/{id}", "/login"], ["users/get", "users/get-id", "get-login"]),
        (
            ["/users", "/users/{id}", "/login", "/orders/a", "/orders/b"],
            ["users/get", "users/get-id", "get-login", "orders/get-a", "orders/get-b"]
        ),
        (["/{tenant}/a", "/{tenant}/b"], ["get-tenant-a", "get-tenant-b"]),
    ]) func `without tags the first segment that tells paths apart is the folder`(paths: [String], ids: [String]) throws {
        let imported = try ImportedText(
            "openapi: 3.0.0\ninfo: { title: T }\npaths:\n" + paths.map { "  \($0): { get: {} }\n" }.joined(), path: "t.yaml")
        #expect(imported.collection.requests.map(\.id.rawValue) == ids)
    }

    @Test func `ids don't repeat their folder`() throws {
        let imported = try ImportedText(
            """
            openapi: 3.0.0
            info: { title: T }
            paths:
              /a: { get: { tags: [core_v1], operationId: listCoreV1Namespace }, put: { tags: [core_v1], operationId: core_v1 } }
              /b: { get: { tags: [repos], operationId: repos/get }, put: { tags: [repos], summary: Replace repos, operationId: repos/put } }
            """, path: "t.yaml")
        #expect(
            imported.collection.requests.map(\.id.rawValue)
                == ["core-v1/list-namespace", "core-v1/core-v1", "repos/get", "repos/put"])
    }

    /// `key` of the path is public, and `key` of the header is a secret.
    @Test func `no parameter takes a secret by having the name of its scheme`() throws {
        let imported = try ImportedText(
            """
            openapi: 3.0.3
            info: { title: T, version: "1" }
            servers: [ { url: "http://h/{token}", variables: { token: { default: v1 } } } ]
            paths:
              /items/{key}:
                get:
                  operationId: item
                  parameters:
                    - { name: key, in: path, required: true, style: matrix, schema: { type: string }, example: public }
                    - { name: token, in: query, required: true, schema: { type: string } }
                  responses: {}
            components:
              securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, token: { type: http, scheme: bearer } }
            security: [ { key: [], token: [] } ]
            """, path: "a.yaml")
        #expect(imported.yaml.contains(#"get: "{{host}}/items/;key={{key_path}}""#), "\(imported.yaml)")
        #expect(imported.yaml.contains(#"query: { token: "{{token_query}}" }"#), "\(imported.yaml)")
        #expect(
            imported.yaml.contains("key_path: public\n") && imported.yaml.contains("host: http://h/{{token_server}}\n"),
            "\(imported.yaml)")
    }
}
