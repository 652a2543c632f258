import FoundationEssentials
import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

@Suite struct BrunoImportTests {
    static let order = """
        meta {
          name: Create an order
          type: http
          seq: 2
        }

        post {
          url: {{host}}/shops/:shop/orders?dry=1
          body: json
          auth: bearer
        }

        params:query {
          dry: 1
          ~page: 2
        }

        params:path {
          shop: 7
        }

        headers {
          x-trace: a:b
          ~x-off: 1
        }

        auth:bearer {
          token: {{token}}
        }

        body:json {
          {
            "qty": 2
          }
        }

        vars:post-response {
          order: res.body.order.id
        }

        assert {
          res.status: eq 201
          res.body.qty: gt 1
          res.body.kind: isJson
        }

        script:pre-request {
          doSomething();
        }

        docs {
          Makes one.
        }

        weather {
          rain: yes
        }

        """

    private func requests(_ collection: ImportedCollection) -> [RequestDefinition] {
        collection.nodes.compactMap { if case .request(let request) = $0 { request.definition } else { nil } }
    }

    @Test func `a request comes along with its parameters, body, authentication, assertions and captures`() throws {
        let source = ImportSource(path: "order.bru", text: Self.order)
        #expect(try ImportKind.detect(source) == .bruno)
        let collection = try ImportKind.bruno.read(source)
        let request = try #require(requests(collection).first)
        #expect(request.method == "POST")
        #expect(request.url == "{{host}}/shops/:shop/orders")
        #expect(request.query == [.init(name: "dry", value: "1"), .init(name: "page", value: "2", isEnabled: false)])
        #expect(request.path == [.init(name: "shop", value: "7")])
        #expect(request.headers == [.init(name: "x-trace", value: "a:b"), .init(name: "x-off", value: "1", isEnabled: false)])
        #expect(request.auth == .bearer("{{token}}"))
        #expect(request.body == ImportedBody.make("{\n  \"qty\": 2\n}", type: nil) { TemplateText($0) })
        #expect(request.description == "Makes one.")
        #expect(request.captures.map(\.source) == [.filter(".order.id")])
        #expect(request.expectations.map(\.subject) == [.status, .filter(".qty")])
        let notes = collection.notes.map { "\($0.place): \($0.text)" }
        #expect(
            notes == [
                "Create an order: the pre-request script: JavaScript isn't run; it stands below `x-pre-request-script`, and `hydrate` can do what it does",
                "order.bru, line 44: the assertion `res.body.kind: isJson`",
                "order.bru, line 55: the block `weather`",
            ])
    }

    @Test func `annotations are about the row behind them, and are none themselves`() throws {
        let collection = try BrunoImport.read(
            "x",
            [
                ImportSource(
                    path: "a.bru",
                    text: """
                        get {
                          url: http://localhost:{{?Enter: a port}}/a?q={{?Question}}
                        }
                        params:query {
                          @description('''one line''')
                          q: {{?Question}}
                        }
                        headers {
                          @description('''
                            x-evil: 1
                            two lines
                          ''')
                          x-a: 1 @contentType(x)
                          @other(1)
                          x-b: 2
                        }
                        vars:pre-request {
                          @number
                          n: 7
                        }
                        """)
            ])
        guard case .request(let request)? = collection.nodes.first else {
            Issue.record("there is no request")
            return
        }
        #expect(request.definition.url == "http://localhost:{{_Enter__a_port}}/a")
        #expect(request.definition.query.map(\.value) == ["{{_Question}}"])
        #expect(request.variables == [ImportedVariable("n", .text("7"))])
        #expect(request.definition.headers.map { "\($0.name): \($0.value)" } == ["x-a: 1 @contentType(x)", "x-b: 2"])
        #expect(request.comments == ["query.q": "one line", "headers.x-a": "x-evil: 1\ntwo lines"])
        #expect(
            collection.variables == [
                ImportedVariable("_Question", .text(#"{{prompt("Question")}}"#)),
                ImportedVariable("_Enter__a_port", .text(#"{{prompt("Enter: a port")}}"#)),
            ])
        #expect(collection.notes == [ImportNote("a.bru, line 14", "the annotation `@other`")])
    }

    @Test func `a question is asked wherever it stands, and only what looks like a secret is one`() throws {
        let text = """
            post {
              url: http://{{?Host}}:{{?Which port (8080?)}}/{{?a/b}}
              body: json
              auth: basic
            }
            headers {
              x-token: {{?Token of "x"}}
              x-b: {{?Back\\slash}}
            }
            auth:basic {
              username: {{?Who}}
              password: {{?What's the word}}
            }
            body:json {
              { "a": "{{?A body}}", "n": {{?A number}} }
            }
            vars:pre-request {
              _Host: {{?Host}}
            }
            """
        let imported = try ImportedText(text, path: "a.bru")
        #expect(
            imported.yaml.split(separator: "\n").filter { $0.contains("_") || $0.contains("prompt") } == [
                #"  _Host: '{{prompt("Host")}}'"#, #"  _Which_port__8080__: '{{prompt("Which port (8080?)")}}'"#,
                #"  _a_b: '{{prompt("a/b")}}'"#, #"  _Token_of__x_: { secret: { prompt: Token of "x" } }"#,
                #"  _Back_slash: '{{prompt("Back\\slash")}}'"#, #"  _Who: '{{prompt("Who")}}'"#,
                "  _What_s_the_word: { secret: { prompt: What's the word } }", #"  _A_body: '{{prompt("A body")}}'"#,
                #"  _A_number: '{{prompt("A number")}}'"#,
                #"    variables: { _Host: '{{prompt("Host")}}' }"#,
                "    post: http://{{_Host}}:{{_Which_port__8080__}}/{{_a_b}}",
                #"    headers: { x-token: "{{_Token_of__x_}}", x-b: "{{_Back_slash}}" }"#,
                #"      basic: { user: "{{_Who}}", password: "{{_What_s_the_word}}" }"#,
                #"    body: { json: '{ "a": "{{_A_body}}", "n": {{_A_number}} }' }"#,
            ])
        #expect(imported.notes == [] && imported.collection.problems == [])
        // A secret would be refused there.
        let sources = TemplateEnvironment(mode: .export(placeholder: { _ in "8" }))
        let request = try #require(imported.collection.requests.first)
        #expect(try imported.collection.resolve(request, environment: nil, with: sources).request.url.host == "8")
    }

    @Test func `a part of several lines has its type behind the quotes`() throws {
        let text = """
            post {
              url: http://h/
              body: multipartForm
            }
            body:multipart-form {
              a: '''
                {"b": 1}
                {"c": 2}
              ''' @contentType(application/json)
              d: e
            }
            """
        let collection = try BrunoImport.read("x", [ImportSource(path: "a.bru", text: text)])
        let parts = collection.nodes.requests.first?.definition.body
        guard case .multipart(let parts)? = parts else {
            Issue.record("\(String(describing: parts))")
            return
        }
        #expect(parts.map(\.name) == ["a", "d"])
        #expect(parts.first?.contentType == "application/json")
        #expect("\(parts)".contains(#"{\"b\": 1}\n{\"c\": 2}"#), "\(parts)")
        #expect(collection.notes == [])
    }

    @Test func `a directory has its order, folders, shared headers, variables and environments`() throws {
        func file(_ path: String, _ text: String) -> ImportSource { ImportSource(path: path, text: text) }
        func get(_ name: String, _ sequence: Int) -> String {
            "meta {\n  name: \(name)\n  seq: \(sequence)\n}\n\nget {\n  url: http://h/\(name)\n  auth: inherit\n}\n"
        }
        let collection = try BrunoImport.read(
            "x",
            [
                file("a.bru", get("last", 3)), file("b.bru", get("first", 1)),
                file("bruno.json", #"{"version": "1", "name": "Shop"}"#),
                file(
                    "collection.bru",
                    "headers {\n  x-all: {{process.env.HOME_ID}}\n}\nauth {\n  mode: basic\n}\nauth:basic {\n  username: u\n  password: {{p}}\n}\n"
                ),
                file(
                    "environments/prod.bru",
                    "vars {\n  host: http://p\n  ~old: 1\n}\nvars:secret [\n  @number\n  token,\n  key\n]\n"),
                file("f/c.bru", get("inner", 1)),
                file(
                    "f/folder.bru",
                    "meta {\n  name: Folder\n  seq: 2\n}\nauth {\n  mode: none\n}\nvars:pre-request {\n  p: {{q}}\n  ~off: 1\n}\n"),
            ], isDirectory: true)
        #expect(collection.name == "Shop")
        #expect(
            collection.nodes.map { node in
                switch node {
                case .request(let request): request.name
                case .folder(let folder):
                    "\(folder.name)/ \(folder.auth == AuthDefinition.none) \(folder.nodes.count) \(folder.variables.map(\.name))"
                }
            } == ["first", "Folder/ false 1 [\"p\"]", "last"])
        #expect(collection.auth == .basic(user: "u", password: "{{p}}"))
        #expect(collection.headers == [.init(name: "x-all", value: "{{process.env.HOME_ID}}")])
        #expect(collection.variables == [ImportedVariable("process.env.HOME_ID", .environment("HOME_ID"))])
        #expect(
            collection.environments == [
                ImportedEnvironment(
                    name: "prod",
                    variables: [
                        ImportedVariable("host", .text("http://p")),
                        ImportedVariable("token", .environment("SHOP_PROD_TOKEN"), isSecret: true),
                        ImportedVariable("key", .environment("SHOP_PROD_KEY"), isSecret: true),
                    ])
            ])
        #expect(collection.notes.map(\.place) == ["environments/prod.bru, line 3", "f/folder.bru, line 10"])
    }

    @Test(
        arguments: [
            (
                "body: formUrlEncoded", "body:form-urlencoded {\n  a: 1\n  ~b: 2\n}",
                BodyDefinition.form([
                    .init(name: "a", value: "1"), .init(name: "b", value: "2", isEnabled: false),
                ])
            ),
            (
                "body: multipartForm", "body:multipart-form {\n  f: @file(a.png) @contentType(image/png)\n}",
                .multipart([
                    .init(name: "f", content: .file("a.png"), contentType: "image/png")
                ])
            ),
            ("body: text", "body:text {\n  one\n    two\n}", .text("one\n  two")),
            ("body: none", "body:text {\n  one\n}", nil),
            ("body: file", "body:file {\n  file: @file(x.bin) @contentType()\n}", .file("x.bin")),
        ] as [(String, String, BodyDefinition?)]) func `the body is that which is chosen`(
            mode: String, block: String, body: BodyDefinition?
        ) throws
    {
        let collection = try ImportKind.bruno.read(
            ImportSource(path: "a.bru", text: "post {\n  url: http://h/\n  \(mode)\n}\n\n\(block)\n"))
        #expect(requests(collection).first?.body == body)
        #expect(collection.notes.isEmpty, "\(collection.notes)")
    }

    @Test(arguments: ["get {", "", "}", "get {\n  url\n}", "meta {\n  a: '''\n  x", "vars:secret [", "get {\n  tags: [\n"])
    func `a broken file is said, and never crashes`(text: String) {
        do {
            let collection = try ImportKind.bruno.read(ImportSource(path: "a.bru", text: text))
            #expect(collection.notes.contains(where: \.isLoss) || !collection.environments.isEmpty)
        } catch {
            #expect("\(error)".hasPrefix("a.bru:"), "\(error)")
        }
    }

    @Test func `collections below the directory keep what they say as a whole, and a broken file leaves the others`() throws {
        func get(_ path: String) -> String { "get {\n  url: {{base}}/\(path)\n  auth: inherit\n}\n" }
        let files = [
            ("api/bruno/a.bru", get("a")), ("api/bruno/bruno.json", #"{"name": "B"}"#),
            (
                "api/bruno/collection.bru",
                "headers {\n  x-all: 1\n}\nauth {\n  mode: bearer\n}\nauth:bearer {\n  token: {{tok}}\n}\n"
            ),
            ("api/bruno/environments/dev.bru", "vars {\n  base: http://h\n}\nvars:secret [\n  tok\n]\n"),
            ("api/oc/bad.yml", "<<<<<<< HEAD\na: b: c\n"),
            ("api/oc/environments/dev.yml", "name: dev\nvariables:\n  - { name: base, value: http://h }\n"),
            (
                "api/oc/g.yml",
                "info: { name: G, type: http }\nhttp: { method: GET, url: '{{base}}/g', body: { type: file, data: [{ filePath: f.bin, selected: true }] } }\n"
            ),
            (
                "api/oc/opencollection.yml",
                "opencollection: 1.0.0\ninfo: { name: C }\nrequest: { headers: [{ name: x-oc, value: '1' }] }\n"
            ),
            ("openapi.json", #"{"openapi":"3.0.0","info":{"title":"A"},"paths":{"/p":{"get":{}}}}"#),
        ]
        .map { ImportSource(path: $0.0, text: $0.1) }
        let found = ImportDirectory("repo", files) { _ in .none }
        #expect(found.kinds == [.bruno, .openapi] && found.notes == [])
        let assembled = try ImportedCollection.combined(found.collections).assembled(ImportOptions(path: "a.yaml"))
        let collection = assembled.collection
        #expect(collection.requests.map(\.id.rawValue) == ["b/a", "c/g", "a/get-p"])
        let folders = Dictionary(uniqueKeysWithValues: collection.folders.map { ($0.id.rawValue, $0.defaults) })
        #expect(folders["b"]?.headers.first?.name == "x-all" && folders["b"]?.auth == .bearer("{{tok}}"))
        #expect(folders["c"]?.headers.first?.name == "x-oc")
        #expect(collection.environmentNames == ["dev"])
        #expect(collection.request(RequestID(rawValue: "c/g"))?.body == .file("api/oc/f.bin"))
        #expect(assembled.notes.filter(\.isLoss).map(\.place) == ["api/oc/bad.yml, line 2"], "\(assembled.notes)")
    }
}
