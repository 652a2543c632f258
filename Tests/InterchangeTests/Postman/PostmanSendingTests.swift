import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// What Postman, Bruno and Insomnia do to a request before they send it.
@Suite struct PostmanSendingTests {
    private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

    private static func postman(_ items: String, _ more: String = "") throws -> ImportedText {
        try ImportedText(#"{"info":{"name":"P","schema":"\#(schema)"}\#(more),"item":[\#(items)]}"#)
    }

    private static func raw(_ text: String, _ language: String?) -> String {
        let options = language.map { #","options":{"raw":{"language":"\#($0)"}}"# } ?? ""
        return
            #"{"name":"a","request":{"method":"POST","url":"http://h/a","body":{"mode":"raw","raw":\#(JSONValue.string(text).text(pretty: false))\#(options)}}}"#
    }

    @Test func `comments in JSON aren't sent`() throws {
        let text = "{\n  // which one\n  \"id\": 1, /* only\n one */\n  \"link\": \"http://x//y\"\n}"
        #expect(try Self.postman(Self.raw(text, "json")).yaml.contains(#"body: { json: { id: 1, link: http://x//y } }"#))
        #expect(try Self.postman(Self.raw("// a\n{\"n\": {{n}}}", "json")).collection.requests[0].body == .json("{\"n\": {{n}}}"))
        #expect(try Self.postman(Self.raw("// a", "text")).collection.requests[0].body == .text("// a"))
        let bru = "post {\n  url: http://h/a\n  body: json\n}\nbody:json {\n  {\n    // a\n    \"a\": 1\n  }\n}\n"
        #expect(try ImportedText(bru, path: "a.bru").yaml.contains("body: { json: { a: 1 } }"))
    }

    @Test func `a body without a language is text, and GET has none`() throws {
        #expect(try Self.postman(Self.raw(#"{"a":1}"#, nil)).collection.requests[0].body == .text(#"{"a":1}"#))
        let get = #"{"name":"a","request":{"method":"GET","url":"http://h/a","body":{"mode":"raw","raw":"x"}}"#
        let pruned = try Self.postman(get + "}")
        #expect(pruned.collection.requests[0].body == nil)
        #expect(pruned.notes == ["a: the body, which Postman doesn't send with GET"])
        #expect(try Self.postman(get.replacing("\"x\"", with: "\"\"") + "}").notes == [])
        let kept = try Self.postman(get + #","protocolProfileBehavior":{"disableBodyPruning":true}}"#)
        #expect(kept.collection.requests[0].body == .text("x"))
    }

    @Test func `what a folder says of redirects and TLS holds for its requests`() throws {
        let imported = try Self.postman(
            #"""
            {"name":"F","protocolProfileBehavior":{"followRedirects":false},"item":[
              {"name":"a","request":"http://h/a"},
              {"name":"b","request":"http://h/b","protocolProfileBehavior":{"followRedirects":true}}]}
            """#, #","protocolProfileBehavior":{"strictSSL":false,"tlsPreferServerCiphers":true}"#)
        let settings = imported.collection.requests.map(\.settings)
        #expect(settings.map(\.followRedirects) == [.never, nil])
        #expect(settings.map(\.verifiesTLS) == [false, false])
        #expect(imported.notes == ["- the setting `tlsPreferServerCiphers`"])
    }

    @Test func `a path variable is a whole segment`() throws {
        let url = #"{"raw":"http://h/x/:id.json","variable":[{"key":"id.json","value":"7"}]}"#
        let imported = try Self.postman(#"{"name":"a","request":{"method":"GET","url":\#(url)}}"#)
        #expect(try imported.command("a") == "curl http://h/x/7")
    }

    @Test(
        arguments: [
            (
                #"{"key":"accessToken","value":"{{t}}"},{"key":"headerPrefix","value":"Token"}"#,
                "auth: { api-key: { name: Authorization, value: \"Token {{t}}\" } }", []
            ),
            (
                #"{"key":"accessToken","value":"{{t}}"},{"key":"addTokenTo","value":"queryParams"}"#,
                "auth: { api-key: { name: access_token, value: \"{{t}}\", in: query } }", []
            ),
            (
                #"{"key":"grant_type","value":"client_credentials"},{"key":"accessTokenUrl","value":"http://h/t"},{"key":"clientId","value":"c"},{"key":"clientSecret","value":"{{t}}"},{"key":"headerPrefix","value":"Token"},{"key":"resource","value":"r"},{"key":"tokenRequestParams","value":[{"key":"tenant","value":"x"}]}"#,
                "token-url: http://h/t",
                [
                    "- a: `resource` of OAuth 2", "- a: `tokenRequestParams` of OAuth 2",
                    "- a: the token of OAuth 2 has `Bearer` in front of it here, and not `Token`",
                ]
            ),
        ] as [(String, String, [String])])
    func `how a token of OAuth 2 is sent is kept or named`(members: String, yaml: String, notes: [String]) throws {
        let imported = try Self.postman(
            #"{"name":"a","request":{"method":"GET","url":"http://h/a","auth":{"type":"oauth2","oauth2":[\#(members)]}}}"#)
        #expect(imported.yaml.contains(yaml))
        #expect(imported.notes.sorted() == notes.sorted())
    }

    @Test func `a prefix of Insomnia's token is no part of the secret, and its parts have their types`() throws {
        let imported = try ImportedText(
            #"""
            {"_type":"export","__export_format":4,"resources":[{"_id":"w","_type":"workspace","name":"W"},
            {"_id":"e","_type":"environment","parentId":"w","data":{"ids":[11,12]}},
            {"_id":"r","_type":"request","parentId":"w","name":"a","method":"POST","url":"http://h/{{ _.ids[1] }}",
             "authentication":{"type":"bearer","token":"s3cr3t-token","prefix":"Token"},
             "body":{"mimeType":"multipart/form-data","params":[{"name":"m","value":"{}","multiline":"application/json"}]}}]}
            """#)
        #expect(imported.yaml.contains("Token {{authorization}}"))
        #expect(
            imported.yaml.contains("m: { value: '{}', type: application/json }") || imported.yaml.contains("type: application/json")
        )
        #expect(try imported.command("a").contains("http://h/12"))
    }

    @Test func `the types of Bruno's bodies are sent`() throws {
        func headers(_ body: String) throws -> [String] {
            try ImportedText("put {\n  url: http://h/a\n  body: \(body)\n}\n", path: "a.bru").collection.requests[0].headers.map(
                \.value)
        }
        #expect(try headers("sparql") == ["application/sparql-query"])
        let file = "put {\n  url: http://h/a\n  body: file\n}\nbody:file {\n  file: @file(a.csv) @contentType(text/x)\n}\n"
        #expect(try ImportedText(file, path: "a.bru").collection.requests[0].headers.map(\.value) == ["text/x"])
    }

    @Test func `Bruno's assertions and captures of header fields and of values of any type are said`() throws {
        let bru = """
            get {
              url: http://h/a
            }
            vars:post-response {
              tag: res.headers.etag
            }
            assert {
              res.headers['content-type']: eq application/json
              res.body.a: neq 5
              res.body.items.length: gt 0
              res.body.name: matches ^a
            }
            """
        let imported = try ImportedText(bru, path: "a.bru")
        #expect(imported.notes == [])
        let request = imported.collection.requests[0]
        #expect(request.captures.map(\.source) == [.header("etag")])
        #expect(
            request.expectations.map { "\($0.subject): \($0.matcher)" } == [
                "header content-type: application/json", "body .a: not 5", "body .items: length > 0", "body .name: /^a/",
            ])
    }
}
