import RequestCollections
import Testing

@testable import Interchange

@Suite struct PostmanDetailTests {
    @Test func `descriptions are comments, and the first success is the mock`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"item":[{"name":"a","request":{"method":" get ","url":{"raw":"http://h/:id?q=1","query":
              [{"key":"q","value":"1","description":{"content":"What to find."}}],
              "variable":[{"key":"id","value":"7","description":"Which."}]},
              "header":[{"key":"X","value":"y","description":"Why."}]},
              "response":[{"code":404,"body":"none"},
                {"code":201,"header":[{"key":"Content-Type","value":"application/json"},{"key":"Content-Length","value":"9"},
                  {"key":"Set-Cookie","value":"s=abc"}],"body":"{\"id\":7,\"token\":\"abc\",\"t\":\"{{x}}\"}"}]}]}
            """#)
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: S
                requests:
                  a:
                    get: http://h/:id
                    path:
                      id: 7  # Which.
                    query:
                      q: 1  # What to find.
                    headers:
                      X: y  # Why.
                    mock:
                      status: 201
                      headers: { Content-Type: application/json, Set-Cookie: not-copied }
                      body: { id: 7, token: not-copied, t: '{{"{{"}}x}}' }

                """#)
        #expect(imported.notes == ["- 1 more example response: a request has one `mock`, which is its first success"])
    }

    @Test func `a parameter of the path without a value is asked for`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"item":[{"name":"a","request":{"method":"DELETE","url":{"raw":"http://h/orders/:id/:n",
              "variable":[{"key":"id","value":"","description":"Which."},{"key":"n","value":"7"}]}}}]}
            """#)
        #expect(imported.yaml.contains("  id: '{{prompt(\"id\")}}'\n"), "\(imported.yaml)")
        #expect(imported.collection.requests.first?.path.map(\.value) == ["{{id}}", "7"])
    }

    @Test func `what has a type that nobody reads is said with its place`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"auth":"none","item":["text",{"name":"f","item":[7]},
              {"name":"a","event":{},"protocolProfileBehavior":{"disableCookies":true},
               "request":{"method":["GET"],"url":{"raw":"http://h/","query":"q=1"},"header":{"a":1},
                 "body":{"mode":"urlencoded","urlencoded":[{"key":"k","value":[1]},{"value":"v"}]}}},
              {"name":"b","request":{"url":"http://h/b","body":{"disabled":true,"mode":"raw","raw":"x"}}}]}
            """#)
        #expect(
            imported.notes == [
                "- auth: a text, where a map is read", "- item[0]: a text, where a map is read",
                "- item[1].item[0]: a number, where a map is read", "- item[2].event: a map, where a list is read",
                "- item[2].request.method: a list, where a text is read",
                "- item[2].request.url.query: a text, where a list is read",
                "- item[2].request.header: a map, where a text or a list is read",
                "- item[2].request.body.urlencoded[0].value: a list, where a text is read",
                "- a: the setting `disableCookies`", "- b: the body is off, and bodies here have no switch",
                "a: the body, which Postman doesn't send with GET",
            ])
    }

    @Test(arguments: [
        #"{"info":{"name":"S"},"item":"text"}"#, #"{"info":{"name":"S"},"item":[]}"#, #"{"info":{"name":"S"}}"#,
    ])
    func `a file without a request is refused`(text: String) {
        #expect(throws: CollectionProblem.self) { try ImportedText(text, as: .postman) }
    }

    @Test func `Bruno's files are no environments`() throws {
        let request = "info: { name: a, type: http }\nhttp: { method: GET, url: http://h }"
        #expect(try ImportKind.detect(ImportSource(path: "x.yml", text: request)) == .bruno)
        #expect(throws: CollectionProblem.self) {
            try ImportKind.detect(ImportSource(path: "x.yml", text: "info: { name: a, type: script }\nscript: { code: x }"))
        }
    }

    @Test func `OAuth 2 without a client id asks for it`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"item":[{"name":"a","request":{"url":"http://h/","auth":{"type":"oauth2","oauth2":[
              {"key":"grant_type","value":"client_credentials"},{"key":"accessTokenUrl","value":"http://t"}]}}}]}
            """#)
        #expect(imported.yaml.contains("  client_id: '{{prompt(\"client_id\")}}'\n"))
        #expect(imported.yaml.contains("client-id: \"{{client_id}}\""))
    }

    @Test func `a parameter without a value is sent without one`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"item":[{"name":"a","request":{"url":{"raw":"http://h/?flag&a=1","query":[{"key":"flag","value":null},
              {"key":"a","value":"1"},{"key":"off","value":"2","disabled":true}]}}}]}
            """#)
        #expect(imported.yaml.hasSuffix("    get: http://h/?flag&a=1\n    query: { off: { value: 2, enabled: false } }\n"))
    }

    @Test func `an export of Insomnia may be YAML in one line`() throws {
        let imported = try ImportedText(
            "{type: collection.insomnia.rest/5.0, name: F, collection: [{name: a, url: 'http://h/', method: ' '}]}", path: "f.yaml")
        #expect(imported.collection.requests.map(\.method) == ["GET"])
        #expect(try ImportKind.detect(ImportSource(path: "-", text: "{type: collection.insomnia.rest/5.0}")) == .insomnia)
    }

    @Test func `authentication that nothing equals doesn't become that of the folder around`() throws {
        let imported = try ImportedText(
            #"""
            {"info":{"name":"S"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{t}}"}]},"item":[
              {"name":"a","request":{"url":"http://h/","auth":{"type":"hawk","hawk":[]}}},
              {"name":"f","auth":{"type":"noauth"},"item":[{"name":"b","request":{"url":"http://h/","auth":{"type":"hawk"}}}]}]}
            """#)
        #expect(imported.collection.requests.map(\.auth) == [AuthDefinition.none, nil])
    }

    @Test func `spaces around the name of a header aren't a part of it`() throws {
        let imported = try ImportedText(
            #"{"info":{"name":"S"},"item":[{"name":"a","request":{"url":"http://h/","header":[{"key":" x-a ","value":"1"}]}}]}"#)
        #expect(imported.yaml.contains("headers: { x-a: 1 }"))
        #expect(imported.notes == [])
    }

    @Test func `a collection as files beside code comes with its folders, order, authentication and scripts`() throws {
        let files = [
            (
                "postman/collections/Shop/.resources/definition.yaml",
                "$kind: collection\nname: Shop\nvariables: { base: http://h }\nauth: { type: bearer, credentials: [{ key: token, value: '{{tok}}' }] }\n"
            ),
            ("postman/collections/Shop/Orders/.resources/definition.yaml", "$kind: collection\nname: All orders\norder: 1000\n"),
            (
                "postman/collections/Shop/Orders/Create.request.yaml",
                """
                $kind: http-request
                method: POST
                url: "{{base}}/orders/:id"
                order: 2000
                headers: [{ key: X-A, value: '1' }]
                queryParams: { dry: true }
                pathVariables: [{ key: id, value: '7' }]
                body: { type: json, content: '{"qty": 2}' }
                scripts: [{ type: afterResponse, language: text/javascript, code: 'pm.response.to.have.status(201);' }]
                strange: 1
                """
            ),
            (
                "postman/collections/Shop/Orders/Query.request.yaml",
                "$kind: graphql-request\nname: Query\nurl: http://h/graphql\nquery: '{ a }'\nvariables: '{}'\norder: 1000\n"
            ),
            ("postman/collections/Shop/bad.request.yaml", "a: b: c\n"),
            ("postman/environments/dev.environment.yaml", "name: dev\nvalues: [{ key: tok, value: abc, enabled: true }]\n"),
            ("postman/globals/workspace.globals.yaml", "name: Globals\nvalues: [{ key: g, value: '1' }]\n"),
        ]
        .map { ImportSource(path: $0.0, text: $0.1) }
        let found = ImportDirectory("repo", files) { _ in .none }
        #expect(found.kinds == [.postman] && found.notes == [])
        let assembled = try ImportedCollection.combined(found.collections).assembled(ImportOptions(path: "a.yaml"))
        let collection = assembled.collection
        #expect(collection.name == "Shop" && collection.defaults.auth == .bearer("{{tok}}"))
        #expect(collection.requests.map(\.id.rawValue) == ["all-orders/query", "all-orders/create"])
        let create = try #require(collection.requests.last)
        #expect(create.method == "POST" && create.url.hasSuffix("/orders/:id") && create.path.map(\.value) == ["7"])
        #expect(create.query.map { "\($0.name)=\($0.value)" } == ["dry=true"] && create.headers.map(\.name) == ["X-A"])
        #expect(create.plainExpectations == ["status 201"])
        #expect(collection.environmentNames == ["dev"] && collection.variables.contains { $0.name == "g" })
        let losses = assembled.notes.filter(\.isLoss).map(\.place)
        #expect(
            Set(losses) == ["postman/collections/Shop/Orders/Create.request.yaml", "postman/collections/Shop/bad.request.yaml"],
            "\(assembled.notes)")
    }
}
