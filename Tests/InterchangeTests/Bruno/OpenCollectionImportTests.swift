import RequestCollections
import Testing

@testable import Interchange

/// What Bruno writes in YAML says the same as its own language.
@Suite struct OpenCollectionImportTests {
    private static let order = """
        info: { name: Create an order, type: http, seq: 2 }
        http:
          method: POST
          url: "{{host}}/shops/:shop/orders?dry=1"
          headers:
            - { name: x-trace, value: "a:b" }
            - { name: x-off, value: "1", disabled: true }
          params:
            - { name: dry, value: "1", type: query }
            - { name: page, value: "2", type: query, disabled: true }
            - { name: shop, value: "7", type: path }
          auth: { type: bearer, token: "{{token}}" }
          body: { type: json, data: "{\\n  \\"qty\\": 2\\n}" }
        runtime:
          assertions:
            - { expression: res.status, operator: eq, value: "201" }
            - { expression: res.body.qty, operator: gt, value: "1" }
            - { expression: res.body.kind, operator: isJson }
          actions:
            - type: set-variable
              phase: after-response
              selector: { expression: res.body.order.id, method: jsonq }
              variable: { name: order, scope: runtime }
          scripts: [{ type: before-request, code: "doSomething();" }]
        docs: Makes one.
        """

    private static let form = (
        bru: """
        meta {
          name: Form
          tags: [
            smoke
          ]
        }
        put {
          url: http://h/form
          body: multipartForm
          auth: basic
        }
        auth:basic {
          username: ada
          password: {{pw}}
        }
        body:multipart-form {
          @description('''why''')
          text: hello
          file: @file(a.png|b.png) @contentType(image/png)
        }
        vars:pre-request {
          n: 42
        }
        settings {
          timeout: 1500
          followRedirects: false
        }
        """,
        yaml: """
        info: { name: Form, type: http, tags: [smoke] }
        http:
          method: PUT
          url: http://h/form
          auth: { type: basic, username: ada, password: "{{pw}}" }
          body:
            type: multipart-form
            data:
              - { name: text, type: text, value: hello, description: why }
              - { name: file, type: file, value: [a.png, b.png], contentType: image/png }
        runtime: { variables: [{ name: n, value: { type: number, data: "42" } }] }
        settings: { timeout: 1500, followRedirects: false }
        """
    )

    @Test(arguments: [(BrunoImportTests.order, order), (form.bru, form.yaml)])
    func `a request is the same in both notations`(bru: String, yaml: String) throws {
        let language = try BrunoImport.read("x", [ImportSource(path: "a.bru", text: bru)])
        let source = ImportSource(path: "a.yml", text: yaml)
        let collection = try BrunoImport.read("x", [source])
        #expect(collection.nodes == language.nodes && collection.nodes.count == 1)
        #expect(collection.variables == language.variables)
        // The notes about YAML name no lines, and it has no block of another name.
        #expect(collection.notes.map(\.text) == language.notes.map(\.text).filter { $0 != "the block `weather`" })
        #expect(try ImportKind.detect(source) == .bruno)
    }

    private static let bundle = """
        opencollection: "1.0.0"
        info: { name: Shop }
        bundled: true
        config:
          proxy: { inherit: true }
          clientCertificates: [{ domain: example.com, type: pem }]
          environments:
            - name: prod
              variables:
                - { name: host, value: http://p }
                - { name: token, secret: true }
                - { name: old, value: x, disabled: true }
        request:
          headers: [{ name: x-all, value: "1" }]
          auth: { type: bearer, token: "{{token}}" }
          variables: [{ name: v, value: one }]
        items:
          - info: { name: A/B, type: folder }
            request: { auth: inherit }
            items:
              - info: { name: inner, type: http }
                http: { method: GET, url: http://h/inner, auth: inherit }
          - info: { name: later, type: http, seq: 9 }
            http: { url: http://h/later }
          - info: { name: query, type: graphql, seq: 1 }
            graphql: { url: http://h/graphql, body: { query: "{ a }", variables: '{"x": 1}' } }
          - info: { name: call, type: grpc }
            grpc: { url: http://h }
          - info: { name: later, type: http }
            http:
              method: PUT
              url: http://h/variants
              auth: { type: oauth2, flow: client_credentials, accessTokenUrl: http://h/t, credentials: { clientId: me, clientSecret: "{{s}}" } }
              body:
                - { title: one, body: { type: text, data: first } }
                - { title: two, selected: true, body: { type: json, data: "{\\"a\\": 1}" } }
        """

    @Test func `a bundle has its folders, order, shared fields and environments`() throws {
        let source = ImportSource(path: "shop.yml", text: Self.bundle)
        #expect(try ImportKind.detect(source) == .bruno)
        let collection = try ImportKind.bruno.read(source)
        #expect(collection.name == "Shop")
        func names(_ nodes: [ImportedNode]) -> [String] {
            nodes.flatMap { node in
                switch node {
                case .request(let request): ["\(request.definition.method) \(request.name)"]
                case .folder(let folder): ["\(folder.name)/"] + names(folder.nodes)
                }
            }
        }
        #expect(names(collection.nodes) == ["A/B/", "GET inner", "POST query", "PUT later", "GET later"])
        #expect(collection.auth == .bearer("{{token}}"))
        #expect(collection.headers == [.init(name: "x-all", value: "1")])
        #expect(collection.variables == [ImportedVariable("v", .text("one"))])
        #expect(
            collection.environments == [
                ImportedEnvironment(
                    name: "prod",
                    variables: [
                        ImportedVariable("host", .text("http://p")),
                        ImportedVariable("token", .environment("SHOP_PROD_TOKEN"), isSecret: true),
                    ])
            ])
        let requests = collection.nodes.compactMap { node in
            if case .request(let request) = node { request.definition } else { nil }
        }
        #expect(
            requests.map(\.body) == [
                .graphql(.init(query: .text("{ a }"), variables: "{\n  \"x\": 1\n}")), .json("{\n  \"a\": 1\n}"), nil,
            ])
        guard case .oauth2(let oauth2)? = requests[1].auth else {
            Issue.record("\(String(describing: requests[1].auth))")
            return
        }
        #expect(oauth2.clientID == "me" && oauth2.tokenURL == "http://h/t")
        // Bruno sends none where nothing is said.
        #expect(requests[2].auth == AuthDefinition.none)
        #expect(
            collection.notes.filter(\.isLoss).map { "\($0.place): \($0.text)" } == [
                "opencollection.yml: `clientCertificates`: give it by `tls`",
                "environments/prod.yml: the variable old is off, and variables here have no switch",
                "call.yml, line 1: the file: it has no request over HTTP",
                "later 5.yml: the body `one`, which isn't the one that is selected",
            ])
    }

    @Test func `a bundle's requests may be called as the files of a directory are`() throws {
        let names = ["folder", "opencollection", "environments", "folder", "a/b", "", "bruno.json"]
        let items = names.map { "{ info: { name: \"\($0)\", type: http }, http: { url: http://h } }" }.joined(separator: ", ")
        let folder = "{ info: { name: environments, type: folder }, items: [\(items)] }"
        let text = "opencollection: 1\nbundled: true\nitems: [\(items), \(folder)]\n"
        let collection = try ImportKind.bruno.read(ImportSource(path: "opencollection.yml", text: text))
        let requests = collection.nodes.compactMap { node in if case .request(let request) = node { request.name } else { nil } }
        #expect(requests == names.map { $0.isEmpty ? "untitled" : $0 })
        guard case .folder(let inner)? = collection.nodes.last else {
            Issue.record("there is no folder")
            return
        }
        #expect(inner.name == "environments" && inner.nodes.count == names.count)
        #expect(collection.environments == [] && collection.notes == [])
    }

    @Test(arguments: [
        "opencollection: 1", "opencollection: 1\nitems: 3", "opencollection: 1\nitems: [1, {}, {info: []}]\n",
        "info: { type: http }\nhttp: 3", "info: { type: http }\nhttp: { body: [], auth: [], params: x, headers: { a: b } }\n",
        "info: { type: http }\nhttp: { body: { type: multipart-form, data: [1, { value: {} }] } }\nruntime: []\n",
        "name: x\nvariables: [1]\n",
    ])
    func `what is no such file is refused or read without a crash`(text: String) {
        _ = try? ImportKind.bruno.read(ImportSource(path: "a.yml", text: text))
    }
}
