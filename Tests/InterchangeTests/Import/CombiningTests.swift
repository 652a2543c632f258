import RequestCollections
import Testing

@testable import Interchange

@Suite struct CombiningTests {
    @Test func `of several files each is a folder, and variables of one name with other values get other names`() throws {
        let imported = try ImportedText([
            (
                "a.json",
                #"{"info":{"name":"A"},"variable":[{"key":"id","value":"1"},{"key":"same","value":"x"}],"item":[{"name":"r","request":{"url":"http://a/{{id}}/{{same}}"}}]}"#
            ),
            (
                "b.json",
                #"{"info":{"name":"B"},"variable":[{"key":"id","value":"2"},{"key":"same","value":"x"}],"auth":{"type":"basic","basic":{"username":"{{id}}"}},"item":[{"name":"r","request":{"url":"http://b/{{id}}"}}]}"#
            ),
        ])
        #expect(
            imported.yaml == """
                turnstone: 1
                name: Imported
                variables:
                  id: "1"
                  same: x
                  b_id: "2"
                requests:
                  a:
                    name: A
                    requests:
                      r:
                        get: http://a/{{id}}/{{same}}
                  b:
                    name: B
                    defaults: { auth: { basic: { user: "{{b_id}}", password: "" } } }
                    requests:
                      r:
                        get: http://b/{{b_id}}

                """)
        #expect(imported.notes == [])
    }

    private static func environment(_ name: String, _ value: String) -> String {
        #"{"name":"\#(name)","values":[{"key":"a","value":"\#(value)","enabled":true}],"_postman_variable_scope":"environment"}"#
    }

    @Test func `environments whose names come to the same are still several`() throws {
        let collection = #"{"info":{"name":"A"},"item":[{"name":"r","request":{"url":"http://h/{{a}}"}}]}"#
        let imported = try ImportedText([
            ("a.json", collection), ("e1.json", Self.environment("A/B", "1")), ("e2.json", Self.environment("a b", "2")),
        ])
        #expect(imported.yaml.contains("a-b: { a: \"1\" }") && imported.yaml.contains("a-b-2: { a: \"2\" }"), "\(imported.yaml)")
        #expect(imported.notes == [])
        let twice = try ImportedText([
            ("a.json", collection), ("e1.json", Self.environment("A/B", "1")), ("e2.json", Self.environment("A/B", "2")),
        ])
        #expect(twice.yaml.contains("a-b: { a: \"2\" }"), "\(twice.yaml)")
        #expect(twice.notes == ["environment A/B: `a` has another value in a later file, which stands"])
    }

    /// A token that one service gave never goes to another one whose file has the same name.
    @Test func `each of two files of one name means its own requests`() throws {
        func file(_ host: String) -> String {
            """
            @base = http://\(host)
            ### login
            # @name login
            POST {{base}}/login
            ### me
            # @ref login
            GET {{base}}/me
            Authorization: Bearer {{login.response.body.$.token}}
            """
        }
        let imported = try ImportedText([("users/api.http", file("users")), ("billing/api.http", file("billing"))])
        #expect(imported.yaml.contains(#"bearer: '{{response("api/login", ".token")}}'"#), "\(imported.yaml)")
        #expect(imported.yaml.contains(#"bearer: '{{response("api-2/login", ".token")}}'"#), "\(imported.yaml)")
        #expect(imported.yaml.contains("needs: api/login") && imported.yaml.contains("needs: api-2/login"), "\(imported.yaml)")
    }

    @Test func `each of two Hurl files of one name takes a variable from its own request`() throws {
        func file(_ letter: String) -> String {
            "POST http://h/\(letter)\nHTTP 201\n[Captures]\nloc: header \"Location\"\n\nGET http://h/\(letter)/{{loc}}\nHTTP 200\n"
        }
        let imported = try ImportedText([("one/test.hurl", file("a")), ("two/test.hurl", file("b"))])
        #expect(imported.yaml.contains("needs: test/post-a"), "\(imported.yaml)")
        #expect(imported.yaml.contains("needs: test-2/post-b"), "\(imported.yaml)")
    }

    @Test func `what a script keeps of an answer goes to the requests of its own file`() throws {
        func file(_ host: String) -> String {
            """
            POST http://\(host)/login

            > {% client.global.set("token", response.body.token) %}

            ###
            GET http://\(host)/me
            Authorization: Bearer {{token}}
            """
        }
        let imported = try ImportedText([("users.http", file("users")), ("billing.http", file("billing"))])
        #expect(imported.yaml.contains("needs: users/post-login"), "\(imported.yaml)")
        #expect(imported.yaml.contains("needs: billing/post-login"), "\(imported.yaml)")
    }

    @Test func `a variable with another name has it in every template, and where it is captured`() throws {
        let first = "@key = a\n@m = 1\nGET http://a/{{key}}/{{m}}\n"
        let second = """
            @key = b
            @long = {{key}}-{{ key }}
            GET http://b/{{key}}/{{$guid}}?key={{key}}

            > {% client.global.set("key", response.body.key) %}
            """
        let imported = try ImportedText([("one.http", first), ("two.http", second)])
        #expect(imported.yaml.contains(#"long: "{{two_key}}-{{two_key}}""#), "\(imported.yaml)")
        #expect(imported.yaml.contains("capture: { two_key: .key }"), "\(imported.yaml)")
        #expect(!imported.yaml.contains("b/{{key}}"), "\(imported.yaml)")
    }

    @Test func `variables that say the same of different things are different ones`() throws {
        func file(_ host: String) -> String {
            """
            @token = {{login.response.body.$.token}}
            @whole = {{base}}/v1
            @base = http://\(host)
            ### login
            # @name login
            POST {{whole}}/login
            ### me
            GET {{whole}}/me
            Authorization: Bearer {{token}}
            """
        }
        let imported = try ImportedText([("users/api.http", file("users")), ("billing/api.http", file("billing"))])
        let me = try #require(imported.collection.requests.last)
        #expect(me.url == "{{api_whole}}/me" && me.auth == .bearer("{{api_token}}"), "\(imported.yaml)")
        #expect(imported.yaml.contains(#"api_token: '{{response("api-2/login", ".token")}}'"#), "\(imported.yaml)")
        #expect(imported.yaml.contains(#"api_whole: "{{api_base}}/v1""#), "\(imported.yaml)")
    }

    @Test func `a secret of one source isn't asked for by another, nor is one environment's for the other`() throws {
        let sources = [
            ("users/a.bru", "get {\n  url: {{base}}/a\n  auth: bearer\n}\nauth:bearer {\n  token: {{token}}\n}\n"),
            ("users/bruno.json", #"{"name": "Users"}"#), ("users/environments/dev.bru", "vars {\n  base: http://users\n}\n"),
            ("billing/b.bru", "get {\n  url: {{base}}/b\n  auth: bearer\n}\nauth:bearer {\n  token: {{token}}\n}\n"),
            ("billing/bruno.json", #"{"name": "Billing"}"#),
            ("billing/environments/dev.bru", "vars {\n  base: http://billing\n}\nvars:secret [\n  token\n]\n"),
        ]
        .sorted { $0.0 < $1.0 }.map { ImportSource(path: $0.0, text: $0.1) }
        let found = ImportDirectory("repo", sources) { _ in .none }
        let collection = try ImportedCollection.combined(found.collections).assembled(ImportOptions(path: "a.yaml")).collection
        let text = try collection.text()
        #expect(collection.requests.map(\.url) == ["{{base}}/b", "{{users_base}}/a"], "\(text)")
        #expect(collection.requests.map(\.auth) == [.bearer("{{token}}"), .bearer("{{users_token}}")], "\(text)")
        #expect(text.contains("users_base: http://users"), "\(text)")
    }
}
