import RequestCollections
import Testing

@testable import Interchange

@Suite struct InsomniaImportTests {
    private static let version5 = #"""
        type: collection.insomnia.rest/5.0
        name: Shop
        meta: { id: wrk_1 }
        collection:
          - name: Sign in
            meta: { id: req_login, description: Gives a token. }
            url: "{{ _.base_url }}/login"
            method: POST
            body: { mimeType: application/json, text: '{"user":"{{ _.user.name }}","password":"hunter2","at":{% now ''unix'', '''' %}}' }
            headers:
              - { name: Content-Type, value: application/json }
              - { name: User-Agent, value: insomnia/10.3.1 }
            scripts: { afterResponse: "insomnia.test('x')" }
          - name: Orders
            meta: { id: fld_1 }
            authentication: { type: bearer, token: "{% response 'body', 'req_login', 'b64::JC5kYXRhLnRva2Vu::46b', 'when-expired', 60 %}" }
            environment: { page: 2 }
            children:
              - name: List
                meta: { id: req_2 }
                url: "{{ _['base_url'] }}/orders/:id"
                method: GET
                pathParameters: [{ name: id, value: "7" }]
                parameters:
                  - { name: page, value: "{{ _.page }}" }
                  - { name: sort, value: "{% faker 'name' %}", disabled: true }
                settings: { followRedirects: "off" }
              - name: Upload
                meta: { id: req_3 }
                url: "{{ _.base_url }}/scans"
                method: PUT
                authentication: { type: none }
                body:
                  mimeType: multipart/form-data
                  params: [{ name: scan, type: file, fileName: a.png }, { name: n, value: "{% uuid 'v4' %}" }]
              - name: Chat
                meta: { id: ws-req_1 }
                url: ws://h/
        environments:
          name: Base Environment
          data: { base_url: "https://shop.example.com", user: { name: ada }, api_token: abc }
          subEnvironments:
            - { name: My Local, data: { base_url: "http://localhost" } }
        """#

    @Test func `version 5 becomes YAML that could be written by hand`() throws {
        let imported = try ImportedText(Self.version5, path: "shop.yaml")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: Shop
                variables:
                  base_url: https://shop.example.com
                  user.name: ada
                  api_token: { secret: { env: SHOP_API_TOKEN } }
                  password: { secret: { env: SHOP_PASSWORD } }
                  faker_name: '{{prompt("faker_name")}}'
                environments:
                  my-local: { base_url: http://localhost }
                requests:
                  sign-in:
                    name: Sign in
                    description: Gives a token.
                    post: "{{base_url}}/login"
                    body:
                      json: '{"user":"{{user.name}}","password":"{{password}}","at":{{timestamp()}}}'
                    x-test-script: insomnia.test('x')
                  orders:
                    name: Orders
                    variables: { page: "2" }
                    defaults:
                      auth:
                        bearer: '{{response("sign-in", ".data.token", max_age: 60s)}}'
                    requests:
                      list:
                        name: List
                        get: "{{base_url}}/orders/:id"
                        path: { id: 7 }
                        query:
                          page: "{{page}}"
                          sort: { value: "{{faker_name}}", enabled: false }
                        redirects: { follow: never }
                      upload:
                        name: Upload
                        put: "{{base_url}}/scans"
                        auth: none
                        body: { multipart: { scan: { file: a.png }, n: "{{uuid()}}" } }
                      chat:
                        name: Chat
                        websocket: ws://h/

                """#)
        #expect(
            imported.notes == [
                "- Sign in: the test script: 1 statement that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run",
                "- Orders / List: {% faker 'name' %} has no equivalent; it is the variable `faker_name` now",
                "the header User-Agent with Insomnia's name",
            ])
        #expect(imported.secrets == ["SHOP_API_TOKEN: the variable api_token", "SHOP_PASSWORD: password of Sign in"])
    }

    @Test func `version 4 is a list, in the order of its sort keys`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[
              {"_id":"req_2","_type":"request","parentId":"fld_1","name":"Second","url":"http://h/2","method":"GET","metaSortKey":2,"body":{},"authentication":{}},
              {"_id":"req_1","_type":"request","parentId":"fld_1","name":"First","url":"http://h/1","method":"POST","metaSortKey":1,
               "body":{"mimeType":"application/graphql","text":"{\"query\":\"{ a }\",\"variables\":{\"x\":1}}"},
               "authentication":{"type":"basic","username":"ada","password":"{{ password }}"}},
              {"_id":"req_0","_type":"request","parentId":"wrk","name":"Last","url":"http://other/","method":"DELETE","metaSortKey":9,
               "authentication":{"type":"oauth2","grantType":"client_credentials","accessTokenUrl":"http://t","clientId":"c","clientSecret":"{{ _.secret }}"}},
              {"_id":"fld_1","_type":"request_group","parentId":"wrk","name":"Folder","metaSortKey":-5},
              {"_id":"wrk","_type":"workspace","parentId":null,"name":"Shop"},
              {"_id":"env_1","_type":"environment","parentId":"wrk","name":"Base","data":{"password":"p","secret":null}},
              {"_id":"env_2","_type":"environment","parentId":"env_1","name":"Live","data":{"list":[1,"{{ _.password }}"]}},
              {"_id":"g","_type":"grpc_request","parentId":"wrk","name":"Call"}]}
            """#)
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: Shop
                variables:
                  host: http://h
                  password: { secret: { env: SHOP_PASSWORD } }
                  secret: ""
                environments:
                  live: { list: [1, "{{password}}"] }
                requests:
                  folder:
                    name: Folder
                    requests:
                      first:
                        name: First
                        post: "{{host}}/1"
                        auth: { basic: { user: ada, password: "{{password}}" } }
                        body: { graphql: { query: "{ a }", variables: { x: 1 } } }
                      second:
                        name: Second
                        get: "{{host}}/2"
                  last:
                    name: Last
                    delete: http://other/
                    auth:
                      oauth2:
                        token-url: http://t
                        client-id: c
                        client-secret: "{{secret}}"

                """#)
        #expect(imported.notes == ["- Call: it is a request of gRPC, and Turnstone speaks HTTP"])
        #expect(
            try imported.command("folder/first") == """
                curl http://h/1 \\
                  --header 'Content-Type: application/json' \\
                  --header 'Accept: application/graphql-response+json, application/json;q=0.9' \\
                  --data-raw '{
                  "query": "{ a }",
                  "variables": {
                    "x": 1
                  }
                }' \\
                  --user 'ada:'"$SHOP_PASSWORD"
                """)
    }

    @Test(
        arguments: [
            ("{{ _.a }}", "{{a}}"), ("{{_.a.b}}", "{{a.b}}"), ("{{ _['a-b'].c[0] }}", "{{a-b.c[0]}}"),
            ("{{ _.a[0].b }}", "{{a[0].b}}"), ("{{ a | upper }}", "{{a}}"),
            ("{# no #}x", "x"), ("{% uuid %}", "{{uuid()}}"), ("{% now 'iso-8601', '' %}", "{{now(\"iso8601-ms\")}}"),
            ("{% base64 'encode', 'normal', 'a\"b' %}", "{{base64(\"a\\\"b\")}}"),
            ("{% base64 'encode', 'normal', '\u{301}a\"\u{301}' %}", "{{base64(\"\u{301}a\\\"\u{301}\")}}"),
            ("{% hash 'sha256', 'hex', _.x %}", "{{sha256(x)}}"),
            ("{% prompt 'T', 'Code', '1', '', true, true %}", "{{prompt(\"Code\", default: \"1\", secret: true)}}"),
            ("{% file '/etc/x' %}", "{{file(\"/etc/x\")}}"), ("{% os 'arch' %}", "{{os_arch}}"), ("{{ }}", "{{\"{{\"}}}}"),
        ]) func `templates and tags have equivalents`(foreign: String, ours: String) throws
    {
        var reader = InsomniaImport(collection: ImportedCollection(name: "x"))
        #expect(reader.text(foreign, at: "") == ours)
    }

    @Test(
        arguments: [
            ("$", "."), ("$.a.b[0]", ".a.b[0]"), ("$['a b'].c", ".[\"a b\"].c"), ("$[0]", ".[0]"), ("$.a[*].b", ".a[].b"),
            ("$..a", ".. | objects | select(has(\"a\")) | .[\"a\"]"), ("$.a(", nil),
            ("//a", nil),
        ] as [(String, String?)]) func `JSONPath becomes a filter where it is a path`(path: String, filter: String?)
    {
        #expect(JSONPath.filter(path) == filter)
    }

    @Test func `secrets in a list don't stay in the file`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[{"_id":"wrk_1","_type":"workspace","name":"W"},
            {"_id":"env_1","_type":"environment","parentId":"wrk_1","name":"Base","data":{"api_tokens":["tokB-998877"],"names":["secretA-12345"],"ids":["x-1"]}},
            {"_id":"req_1","_type":"request","parentId":"wrk_1","name":"a","method":"GET","url":"http://h/{{ _.ids[0] }}?t={{ _.api_tokens[0] }}",
            "headers":[{"name":"Authorization","value":"Bearer {{ _.names[0] }}"}],"body":{}}]}
            """#)
        #expect(
            !imported.yaml.contains("tokB") && !imported.yaml.contains("secretA") && imported.yaml.contains("x-1"),
            "\(imported.yaml)")
    }

    @Test func `requests that lie in nothing are found, and what has no type is named`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[
              {"name":"untyped","url":"http://h/u","method":"GET"},
              {"_id":"req_1","_type":"request","parentId":null,"name":"One","url":"http://h/:id","method":"GET",
               "pathParameters":[{"name":"id","value":""}]},
              {"_id":"req_2","_type":"request","name":"Two","url":"http://h/2","method":"POST"}]}
            """#)
        #expect(imported.collection.requests.map(\.name) == ["One", "Two"])
        #expect(imported.collection.requests.first?.path.map(\.value) == ["{{id}}"])
        #expect(imported.notes == ["- resources that don't say in `_type` what they are, 1 of them"])
    }

    @Test func `a form without fields is no body`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[{"_id":"req_1","parentId":"wrk_1","_type":"request","name":"a","url":"http://h/","method":"GET",
              "body":{"mimeType":"multipart/form-data","params":[{"name":"","value":""}]}}]}
            """#)
        #expect(imported.yaml.hasSuffix("    get: http://h/\n"))
    }
}
