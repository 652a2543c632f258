import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

@Suite struct HTTPDialectTests {
    private static func read(_ text: String) throws -> ImportedText { try ImportedText(text, path: "a.http") }

    @Test func `httpYac's scripts, comments and assertions are no part of a request, and are named with their lines`() throws {
        let imported = try Self.read(
            """
            {{
              exports.token = 'x';
            }}

            /*
             * Signs in.
             */
            # @name login
            POST http://h/login
            Content-Type: application/json

            {"a": 1}

            {{@response
              console.log(response);
            }}
            ?? status == 200

            GET http://h/me
            # @ref login
            Authorization: Bearer {{login.token}}
            """)
        #expect(
            imported.yaml.hasSuffix(
                """
                  login:
                    description: Signs in.
                    post: "{{host}}/login"
                    body: { json: { a: 1 } }
                    expect: { status: 200 }
                  get-me:
                    name: GET /me
                    get: "{{host}}/me"
                    auth: { bearer: '{{response("login", ".token")}}' }
                    needs: login

                """))
        #expect(
            imported.notes == [
                "- login, line 1: the script: JavaScript isn't run, but `capture`, `expect` and `hydrate` do what scripts mostly do",
                "- login, line 14: the script: JavaScript isn't run, but `capture`, `expect` and `hydrate` do what scripts mostly do",
            ])
    }

    @Test(arguments: [
        ("GET http://h/a\nGET http://h/b", ["GET http://h/a", "GET http://h/b"]),
        (
            "GET http://h/a\n\nPOST http://h/b HTTP/1.1\n\nx\n\nDELETE {{host}}/c",
            ["GET http://h/a", "POST http://h/b", "DELETE {{host}}/c"]
        ),
        ("POST http://h/a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nGET /x\n--b--", ["POST http://h/a"]),
        ("POST http://h/a\n\nGET to know us", ["POST http://h/a"]),
        ("@host = http://x\nGET /path", ["GET {{host}}/path"]),
        ("GET /path\nHost: example.com", ["GET http://example.com/path"]),
        ("GET /path\nHost: example.com:443", ["GET https://example.com:443/path"]),
        ("GET /path\nHost: http://example.com", ["GET http://example.com/path"]),
        ("GET /path\nHost: HTTPS://example.com:8443/", ["GET HTTPS://example.com:8443/path"]),
        ("{{base}}/a", ["GET {{base}}/a"]),
        ("get example.com/a", ["GET example.com/a"]),
        ("GET http://h/a\n\n@x = 1\n\nGET http://h/{{x}}", ["GET http://h/a", "GET http://h/{{x}}"]),
        ("GET http://h/a HTTP/2 (Prior Knowledge)", ["GET http://h/a"]),
        ("GET http://h/a?b=1   HTTP/1.1\n  Accept: text/plain\n  X-A: b", ["GET http://h/a?b=1"]),
        ("GET http://h/a\n  Accept: text/plain", ["GET http://h/a"]),
        ("GET http://h\n    /a\n    ?b=1\n    &c=2\nAccept: x", ["GET http://h/a?b=1&c=2"]),
    ])
    func `requests are found as the programs find them`(text: String, requests: [String]) throws {
        let imported = try ImportKind.http.read(ImportSource(path: "a.http", text: text))
        #expect(imported.nodes.requests.map { "\($0.definition.method) \($0.definition.url)" } == requests)
    }

    @Test func `a host with a scheme is the start of the URL, and no header`() throws {
        let imported = try Self.read("GET /path\nHost: http://example.com\n\n###\nGET http://h/\nHost: http://other.example\n")
        #expect(imported.collection.requests.map(\.headers) == [[], []])
        #expect(imported.notes == ["- GET http://h/, line 6: `Host: http://other.example`, which is no host"])
    }

    @Test func `what a command among the requests loses is said, and it follows redirects as they do`() throws {
        let imported = try Self.read("GET http://h/a\n\n###\ncurl -b jar.txt http://h/$ID\n")
        #expect(!imported.yaml.contains("redirects"))
        #expect(imported.notes.contains { $0.contains("the cookies of the file jar.txt") }, "\(imported.notes)")
    }

    @Test func `a line that no dialect has there is named, with its number`() throws {
        let imported = try Self.read(
            """
            Some words about it.
            GET http://h/a HTTP/2
            ...defaultHeaders
            // X-Off: 1
            # Said about the request.
            """)
        #expect(
            imported.notes == [
                "- GET /a, line 3: `...defaultHeaders`, which is no header",
                "- GET /a, line 1: the line `Some words about it.`, which is no request",
            ])
        let request = try #require(imported.collection.requests.first)
        #expect(request.settings.httpVersion == .http2)
        #expect(request.headers.map { "\($0.name)=\($0.value) \($0.isEnabled)" } == ["X-Off=1 false"])
        #expect(request.description == "Said about the request.")
    }

    @Test func `what is JavaScript in braces is named`() throws {
        let imported = try Self.read("GET http://h/{{new Date().getTime()}}")
        #expect(imported.notes.first?.contains("{{new Date().getTime()}} has no equivalent") == true)
    }

    @Test(arguments: ["{{\nx = 1\n}}\nGET http://h/", "/* a */\nGET http://h/", "{{host}}/a"])
    func `a file is known by what httpYac begins it with`(text: String) throws {
        #expect(try ImportKind.detect(ImportSource(path: "-", text: text)) == .http)
    }

    @Test func `indented headers behind the version are headers`() throws {
        let imported = try Self.read("POST http://h/a?v=1   HTTP/1.1\n  Content-Type: application/json\n  X-A: b\n\n  {\"a\": 1}\n")
        let request = try #require(imported.collection.requests.first)
        #expect(request.headers.map(\.name) == ["X-A"])
        #expect(request.query.map(\.value) == ["1"])
        #expect(imported.yaml.hasSuffix("body: { json: { a: 1 } }\n"))
    }

    @Test(arguments: [
        ("{\n  # off\n  // \"b\": 2\n  \"a\": 1\n}\n\n# the next one", "body: { json: { a: 1 } }\n"),
        ("# Title\n\n// text", "description: |-"),
    ])
    func `comments in JSON are comments, as in Visual Studio Code`(body: String, expected: String) throws {
        let imported = try Self.read("POST http://h/a\nContent-Type: application/json\n\n\(body)\n\n###\nGET http://h/b\n")
        #expect(imported.yaml.contains(expected) || imported.collection.requests.first?.body == nil)
    }
}
