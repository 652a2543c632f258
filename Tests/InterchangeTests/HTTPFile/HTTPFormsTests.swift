import RequestCollections
import Testing

@testable import Interchange

/// Forms of `.http` files that only some programs have.
@Suite struct HTTPFormsTests {
    private static func request(_ text: String) throws -> RequestDefinition {
        try #require(ImportedText(text, path: "a.http").collection.requests.last)
    }

    @Test func `JetBrains' forms over several lines are encoded when they are sent`() throws {
        let request = try Self.request(
            """
            POST http://h/login
            Content-Type: application/x-www-form-urlencoded

            user = ada &
            note = a 1 &
            math = 1 %+ 1 %= 2 %& 3 %% 4
            """)
        guard case .form(let rows)? = request.body else {
            Issue.record("no form")
            return
        }
        #expect(rows.map { "\($0.name)=\($0.value)" } == ["user=ada", "note=a 1", "math=1 + 1 = 2 & 3 % 4"])
    }

    @Test func `a query of GraphQL and a part may be in files`() throws {
        #expect(
            try Self.request("GRAPHQL http://h/q\n\n< ./q.graphql\n\n{\"a\": 1}\n").body
                == .graphql(.init(query: .file("./q.graphql"), variables: "{\n  \"a\": 1\n}")))
        let parts =
            "POST http://h/m\nContent-Type: multipart/form-data; boundary=X\n\n--X\nContent-Disposition: form-data; name=\"f\"\n< ./d.bin\n--X--\n"
        #expect(try Self.request(parts).body == .multipart([.init(name: "f", content: .file("./d.bin"))]))
    }

    @Test func `AWS keys are keys`() throws {
        let request = try Self.request(
            "GET http://h/b\nAuthorization: AWS {{id}} {{key}} token:{{t}} region:eu-west-1 service:s3\n")
        #expect(
            request.auth
                == .awsSigV4(
                    .init(accessKey: "{{id}}", secretKey: "{{key}}", sessionToken: "{{t}}", region: "eu-west-1", service: "s3")))
    }

    @Test func `a field of another answer is captured`() throws {
        let imported = try ImportedText(
            "# @name login\nPOST http://h/login\n\n###\nGET http://h/me\nX-Auth: {{login.response.headers.X-Auth}}\n",
            path: "a.http")
        #expect(imported.notes == [])
        #expect(imported.collection.requests[0].captures.map(\.source) == [.header("X-Auth")])
        #expect(imported.collection.requests[1].headers.map(\.value) == ["{{login_x-auth}}"])
    }

    @Test func `httpYac's assertions, loops and milliseconds are said, and what it switches off is named`() throws {
        let imported = try ImportedText(
            """
            # @disabled
            # @loop for 3
            # @timeout 1000
            GET http://h/b
            ?? status == 200
            ?? header content-type includes json
            ?? body ok == true
            ?? js whatever
            """, path: "a.http")
        let request = imported.collection.requests[0]
        #expect(
            request.expectations.map { "\($0.subject): \($0.matcher)" } == [
                "status: 200", "header content-type: contains json", "body .ok: true",
            ])
        #expect(request.repeats == 3)
        #expect(request.settings.timeouts.idle == .after(.seconds(1)))
        #expect(
            imported.notes == [
                "- GET /b, line 1: it is off there (`@disabled`), and requests here have no switch",
                "- GET /b, line 8: the assertion `js whatever`: no `expect` can say it",
            ])
    }

    @Test func `an answer goes to the file that is named, and blank lines part requests`() throws {
        #expect(try Self.request("GET http://h/b\n\n>>! out/b.json\n").settings.savesResponse == "out/b.json")
        let text = "GET /a?q={{$randomInt 100 200}}\n\nGET /a?q={{$datetime \"DD.MM.YYYY\" 2 d}}\n\nGET /a\n"
        #expect(try ImportedText(text, path: "a.http").collection.requests.count == 3)
    }

    @Test func `environments have maps, lists, and what fetches tokens`() throws {
        let environment = #"""
            {"$schema":"s","dev":{"host":"localhost:9","api":{"path":"v1"},"l":[1],"key":{"provider":"UserSecrets","secretName":"K"},
            "Security":{"Auth":{"my":{"Type":"OAuth2","Grant Type":"Client Credentials","Token URL":"http://h/t","Client ID":"c",
            "Client Secret":"s3cr3t","Scope":"a b","Acquire Automatically":true}}}}}
            """#
        let imported = try ImportedText([
            ("a.http", "# @name t\nGET http://{{host}}/{{api.path}}\nAuthorization: Bearer {{$auth.token(\"my\")}}\n"),
            ("http-client.env.json", environment),
        ])
        #expect(imported.notes.filter { $0.hasPrefix("-") } == ["- dev: `Security`, my: `Acquire Automatically`"])
        guard case .oauth2(let auth)? = imported.collection.requests[0].auth else {
            Issue.record("no OAuth 2: \(imported.yaml)")
            return
        }
        #expect(auth.tokenURL == "http://h/t")
        #expect(auth.scope == "a b")
        #expect(auth.clientSecret == "{{client_secret}}")
        #expect(try imported.command("t", environment: "dev").contains("http://localhost:9/v1"))
    }
}
