import RequestCollections
import Testing

@testable import Interchange

@Suite struct SharingTests {
    private static func yaml(_ requests: [(folder: String?, ImportedRequest)]) throws -> String {
        var collection = ImportedCollection(name: "S")
        for (folder, request) in requests {
            guard let folder else {
                collection.nodes.append(.request(request))
                continue
            }
            if case .folder(var last)? = collection.nodes.last, last.name == folder {
                last.nodes.append(.request(request))
                collection.nodes[collection.nodes.count - 1] = .folder(last)
            } else {
                var new = ImportedFolder(name: folder)
                new.nodes = [.request(request)]
                collection.nodes.append(.folder(new))
            }
        }
        let text = try collection.assembled(ImportOptions(path: "s.yaml")).collection.text()
        return text.split(separator: "\n").drop { !$0.hasPrefix("defaults") && !$0.hasPrefix("requests") }.joined(separator: "\n")
    }

    private static func request(_ name: String, accept: String? = nil, auth: AuthDefinition? = nil) -> ImportedRequest {
        var request = ImportedRequest(name: name, url: "{{u}}/\(name)")
        if let accept { request.definition.headers = [.init(name: "accept", value: accept)] }
        request.definition.auth = auth
        return request
    }

    @Test func `what most requests say is said once, and the others take it back`() throws {
        let key = AuthDefinition.bearer("{{t}}")
        #expect(
            try Self.yaml([
                (nil, Self.request("a", accept: "x/y", auth: key)), (nil, Self.request("b", accept: "x/y", auth: key)),
                (nil, Self.request("c")), (nil, Self.request("d", accept: "z", auth: key)),
                (nil, Self.request("e", accept: "x/y", auth: key)),
            ]) == """
                defaults: { headers: { accept: x/y }, auth: { bearer: "{{t}}" } }
                requests:
                  a:
                    get: "{{u}}/a"
                  b:
                    get: "{{u}}/b"
                  c:
                    get: "{{u}}/c"
                    headers: { accept: null }
                    auth: none
                  d:
                    get: "{{u}}/d"
                    headers: { accept: z }
                  e:
                    get: "{{u}}/e"
                """)
    }

    @Test func `a folder says what its requests say otherwise`() throws {
        let (one, two) = (AuthDefinition.bearer("{{t}}"), AuthDefinition.bearer("{{s}}"))
        #expect(
            try Self.yaml([
                (nil, Self.request("a", auth: one)), (nil, Self.request("b", auth: one)), (nil, Self.request("c", auth: one)),
                ("f", Self.request("d", auth: two)), ("f", Self.request("e", auth: two)),
            ]) == """
                defaults: { auth: { bearer: "{{t}}" } }
                requests:
                  a:
                    get: "{{u}}/a"
                  b:
                    get: "{{u}}/b"
                  c:
                    get: "{{u}}/c"
                  f:
                    defaults: { auth: { bearer: "{{s}}" } }
                    requests:
                      d:
                        get: "{{u}}/d"
                      e:
                        get: "{{u}}/e"
                """)
    }

    @Test func `what only a few say stays with them`() throws {
        let yaml = try Self.yaml([(nil, Self.request("a", accept: "x")), (nil, Self.request("b")), (nil, Self.request("c"))])
        #expect(!yaml.contains("defaults"))
    }

    @Test func `a variable that nothing gives a value is declared`() throws {
        let imported = try ImportedText(
            """
            openapi: 3.0.0
            info: { title: T }
            servers: [{ url: "http://h" }]
            paths:
              /a/{id}/{kind}:
                parameters:
                  - { name: id, in: path, required: true, schema: { type: integer } }
                  - { name: kind, in: path, required: true, schema: { type: string, format: uuid } }
                  - { name: api_key, in: query, required: true, schema: { type: string } }
                post: { requestBody: { content: { application/octet-stream: {} } } }
            """, path: "t.yaml")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: T
                variables:
                  host: http://h
                  id: "1"  # made up; integer
                  kind: 00000000-0000-4000-8000-000000000000  # made up; string, uuid
                  api_key: { secret: { env: T_API_KEY } }
                  file: '{{prompt("file")}}'
                requests:
                  post-a-id-kind:
                    name: POST /a/{id}/{kind}
                    post: "{{host}}/a/:id/:kind"
                    path: { id: "{{id}}", kind: "{{kind}}" }
                    query: { api_key: "{{api_key}}" }
                    headers: { content-type: application/octet-stream }
                    body: { file: "{{file}}" }

                """#)
        #expect(imported.secrets == ["T_API_KEY: the variable api_key"])
    }
}
