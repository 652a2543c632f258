import RequestCollections
import Testing

@testable import Interchange

@Suite struct OpenAPIImportTests {
    private static let shop = #"""
        openapi: 3.1.0
        info: { title: Shop, description: "Orders.\n" }
        servers:
          - { url: "https://{region}.shop.example.com/v1/", description: Production, variables: { region: { default: eu } } }
          - { url: "http://localhost:8080", description: Local }
        tags:
          - { name: orders, description: All about orders. }
          - { name: empty }
        security: [{ token: [] }]
        paths:
          /orders/{id}:
            parameters:
              - { $ref: "#/components/parameters/Id" }
            get:
              operationId: getOrder
              summary: Get an order
              tags: [orders, v1]
              deprecated: true
              parameters:
                - { name: expand, in: query, schema: { type: array, items: { enum: [lines, user] } } }
                - { name: fields, in: query, required: true, explode: false, example: [id, total], schema: { type: array } }
                - { name: X-Trace, in: header, required: true, schema: { type: string } }
                - { name: session, in: cookie, schema: { default: "1" } }
              responses:
                "200": { content: { application/xml: {}, application/json: {} } }
          /orders/{id}/report.{format}:
            get:
              tags: [orders]
              parameters:
                - { name: id, in: path, required: true, example: "a/b" }
                - { name: format, in: path, schema: { enum: [pdf, csv] } }
          /orders:
            post:
              operationId: createOrder
              tags: [orders]
              security: [{ token: [], key: [] }]
              requestBody:
                content:
                  application/json:
                    schema: { $ref: "#/components/schemas/Order" }
            put:
              tags: [orders]
              security: []
              requestBody:
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      required: [scan]
                      properties:
                        scan: { type: string, format: binary }
                        note: { type: string, example: "{{literal}}" }
                        meta: { type: object, properties: { a: { type: integer, minimum: 3 } } }
          /login:
            post:
              security: []
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    example: { user: ada, password: example }
          /remote:
            get: { $ref: "other.yaml#/x", tags: [] }
            post:
              requestBody: { $ref: "other.yaml#/x" }
              callbacks: { done: {} }
        components:
          parameters:
            Id: { name: id, in: path, required: true, schema: { type: integer } }
          securitySchemes:
            token: { type: http, scheme: bearer }
            key: { type: apiKey, in: header, name: x-key }
          schemas:
            Base: { type: object, properties: { id: { type: string, readOnly: true }, at: { type: string, format: date-time } } }
            Order:
              allOf:
                - { $ref: "#/components/schemas/Base" }
                - type: object
                  properties:
                    sku: { type: string, example: 12 }
                    qty: { type: [integer, "null"] }
                    parent: { $ref: "#/components/schemas/Order" }
                    lines: { type: array, items: { $ref: "#/components/schemas/Order" } }
                    state: { enum: [open, closed] }
                    price: { oneOf: [{ type: "null" }, { type: number, maximum: 9.5 }] }
        """#

    @Test func `a document becomes YAML that could be written by hand`() throws {
        let imported = try ImportedText(Self.shop, path: "openapi.yaml")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: Shop
                description: Orders.
                variables:
                  host: https://{{region}}.shop.example.com/v1
                  region: eu
                  token: { secret: { env: SHOP_TOKEN } }
                  id: "1"  # made up; integer
                  X-Trace: string  # made up; string
                  format: pdf
                  key: { secret: { env: SHOP_KEY } }
                  scan: '{{prompt("scan")}}'
                environments:
                  production: {}
                  local: { host: http://localhost:8080 }
                defaults: { auth: { bearer: "{{token}}" } }
                requests:
                  orders:
                    description: All about orders.
                    requests:
                      get-order:
                        name: Get an order
                        tags: [v1, deprecated]
                        get: "{{host}}/orders/:id"
                        path: { id: "{{id}}" }
                        query: { expand: { value: lines, enabled: false }, fields: "id,total" }
                        headers: { X-Trace: "{{X-Trace}}", accept: application/json }
                        cookies: { session: { value: 1, enabled: false } }
                      get-id-report-format:
                        name: GET /orders/{id}/report.{format}
                        get: "{{host}}/orders/:id/report.{{format}}"
                        path: { id: a/b }
                      create-order:
                        name: createOrder
                        post: "{{host}}/orders"
                        headers: { x-key: "{{key}}" }
                        body:
                          json:
                            at: 2026-01-31T12:00:00Z
                            sku: "12"
                            qty: 0
                            lines: []
                            state: open
                            price: 9.5
                      put:
                        name: PUT /orders
                        put: "{{host}}/orders"
                        auth: none
                        body:
                          multipart:
                            scan: { file: "{{scan}}" }
                            note: { value: '{{"{{"}}literal}}', enabled: false }
                            meta: { value: '{"a":3}', type: application/json, enabled: false }
                  post-login:
                    name: POST /login
                    post: "{{host}}/login"
                    auth: none
                    body: { form: { user: ada, password: example } }
                  post-remote:
                    name: POST /remote
                    post: "{{host}}/remote"

                """#)
        #expect(
            imported.notes == [
                "- GET /remote: the reference other.yaml#/x: it is in another file; import the document by its path",
                "- POST /remote: the reference other.yaml#/x: it is in another file; import the document by its path",
                "- webhooks and callbacks, 1 of them: those requests the server sends",
            ])
        #expect(imported.secrets == ["SHOP_TOKEN: the variable token", "SHOP_KEY: the variable key"])
    }

    @Test(
        arguments: [
            (
                "orders/get-order", nil,
                """
                curl 'https://eu.shop.example.com/v1/orders/7?fields=id%2Ctotal' \\
                  --header 'X-Trace: on' \\
                  --header 'accept: application/json' \\
                  --header 'Authorization: Bearer '"$SHOP_TOKEN"
                """
            ),
            (
                "orders/get-id-report-format", "local",
                """
                curl http://localhost:8080/orders/a%2Fb/report.pdf \\
                  --header 'Authorization: Bearer '"$SHOP_TOKEN"
                """
            ),
        ] as [(String, String?, String)]) func `requests are what the document describes`(
            id: String, environment: String?, command: String
        ) throws
    {
        let imported = try ImportedText(Self.shop, path: "openapi.yaml")
        #expect(try imported.command(id, environment: environment, variables: ["id": "7", "X-Trace": "on"]) == command)
    }

    @Test func `version 2 has its own words for the same`() throws {
        let imported = try ImportedText(
            #"""
            {"swagger":"2.0","info":{"title":"Old"},"host":"h","basePath":"/api","schemes":["http"],"consumes":["application/json"],
             "securityDefinitions":{"basic_auth":{"type":"basic"},"o":{"type":"oauth2","flow":"application","tokenUrl":"http://t"}},
             "paths":{
               "/a":{"post":{"parameters":[{"in":"body","name":"b","schema":{"type":"object","properties":{"x":{"type":"integer"}}}},
                                           {"in":"query","name":"q","type":"array","collectionFormat":"pipes","required":true,"default":["1","2"]}],
                             "security":[{"basic_auth":[]}]}},
               "/b":{"put":{"parameters":[{"in":"formData","name":"f","type":"file","required":true},{"in":"formData","name":"n","type":"string"}],
                            "security":[{"o":["read"]}]}}}}
            """#)
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: Old
                variables:
                  host: http://h/api
                  username: user
                  basic_auth_password: { secret: { env: OLD_BASIC_AUTH_PASSWORD } }
                  client_secret: { secret: { env: OLD_CLIENT_SECRET } }
                  client_id: '{{prompt("client_id")}}'
                  f: '{{prompt("f")}}'
                requests:
                  post-a:
                    name: POST /a
                    post: "{{host}}/a"
                    query: { q: 1|2 }
                    auth:
                      basic: { user: "{{username}}", password: "{{basic_auth_password}}" }
                    body: { json: { x: 0 } }
                  put-b:
                    name: PUT /b
                    put: "{{host}}/b"
                    auth:
                      oauth2:
                        token-url: http://t
                        client-id: "{{client_id}}"
                        client-secret: "{{client_secret}}"
                        scope: read
                    body:
                      multipart: { f: { file: "{{f}}" }, n: { value: string, enabled: false } }

                """#)
    }

    @Test func `a schema that refers to itself, and one that grows without end, end`() throws {
        func reference(_ name: String) -> String { "{\"$ref\":\"#/components/schemas/\(name)\"}" }
        func body(_ name: String) -> String {
            #"{"requestBody":{"content":{"application/json":{"schema":\#(reference(name))}}}}"#
        }
        let schemas = (0..<40).map {
            #""S\#($0)":{"type":"object","properties":{"a":\#(reference("S\($0 + 1)")),"b":\#(reference("S\($0 + 1)"))}}"#
        }
        let others = #""S40":{"type":"string"},"Loop":\#(reference("Loop")),"Tree":{"type":"array","items":\#(reference("Tree"))}"#
        let paths = #"{"/s":{"post":\#(body("S0"))},"/l":{"post":\#(body("Loop"))},"/t":{"post":\#(body("Tree"))}}"#
        let all = (schemas + [others]).joined(separator: ",")
        let imported = try ImportedText(
            #"{"openapi":"3.0.0","info":{"title":"x"},"paths":\#(paths),"components":{"schemas":{\#(all)}}}"#)
        #expect(imported.yaml.utf8.count < 200_000)
        #expect(imported.yaml.hasSuffix("body: { json: [] }\n"))
        #expect(imported.collection.requests.count == 3)
    }

    @Test func `an unknown version is refused`() {
        do {
            _ = try ImportedText("openapi: 4.0.0", path: "a.yaml")
            Issue.record("it was imported")
        } catch {
            #expect(
                "\(error)"
                    == "a.yaml:1:1: is no OpenAPI document that can be read: its version is `4.0.0`, and there are 3.0 to 3.2 and Swagger's 2.0"
            )
        }
    }
}
