import RequestCollections
import Testing

@testable import Interchange

@Suite struct HTTPFileImportTests {
    private static let shop = #"""
        @host = https://shop.example.com
        @api.version = 1.0
        @both = {{host}}/{{api.version}}

        ### Sign in
        # @name logIn
        # Gives a token.
        POST {{host}}/login HTTP/1.1
        Content-Type: application/x-www-form-urlencoded

        user=ada&
        password=hunter2&at={{$timestamp}}

        > {%
          client.global.set("token", response.body.token);
        %}

        ###
        # @no-redirect
        GET {{host}}/orders
            ?page=1
            &limit={{$randomInt 5 10}}
        Authorization: Bearer {{logIn.response.body.$.data.token}}
        // X-Off: 1
        Accept: application/json

        // Only a comment.

        ### Upload
        // @timeout 10 s
        PUT https://shop.example.com/scans
        Authorization: Basic ada pa:ss
        Content-Type: multipart/form-data; boundary=XX

        --XX
        Content-Disposition: form-data; name="note"

        {not} {{$processEnv NOTE}}
        --XX
        Content-Disposition: form-data; name="scan"; filename="a.png"
        Content-Type: image/png

        < ./files/a.png
        --XX--

        >> out.json
        ### From a file

        POST {{host}}/orders
        Content-Type: application/json

        <@ ./order.json

        ###
        GRAPHQL {{host}}/graphql

        query Q($a: Int) {
          orders(first: $a) { id }
        }

        { "a": 3 }

        ### Chat
        WEBSOCKET ws://h/

        {"type": "join", "room": "{{room}}"}
        === wait-for-server
        hello
        ===
        < ./more.bin

        ### Stream
        GRPC h/a.B/c
        """#

    @Test func `names of parts and files are quoted strings`() throws {
        let imported = try ImportedText(
            #"""
            POST http://h/
            Content-Type: multipart/form-data; boundary=XX

            --XX
            content-disposition: form-data; filename="a;b \"c\".txt"; name="one;two"

            text
            --XX--
            """#, path: "shop.http")
        let parts = try #require(imported.yaml.firstRange(of: "multipart:").map { String(imported.yaml[$0.upperBound...]) })
        #expect(parts.contains("one;two") && parts.contains(#"a;b "c".txt"#), "\(parts)")
    }

    @Test func `a file becomes YAML that could be written by hand`() throws {
        let imported = try ImportedText(Self.shop, path: "shop.http")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: shop
                variables:
                  host: https://shop.example.com
                  api.version: "1.0"
                  both: "{{host}}/{{api.version}}"
                  password: { secret: { env: SHOP_PASSWORD } }
                  password_2: { secret: { env: SHOP_PASSWORD_2 } }
                  room: '{{prompt("room")}}'
                requests:
                  log-in:
                    name: Sign in
                    description: Gives a token.
                    post: "{{host}}/login"
                    body:
                      form: { user: ada, password: "{{password}}", at: "{{timestamp()}}" }
                    capture: { token: { from: .token, secret: true } }
                  get-orders:
                    name: GET /orders
                    get: "{{host}}/orders"
                    query: { page: 1, limit: "{{random(5..9)}}" }
                    headers:
                      X-Off: { value: 1, enabled: false }
                      Accept: application/json
                    auth: { bearer: '{{response("log-in", ".data.token")}}' }
                    redirects: { follow: never }
                  upload:
                    name: Upload
                    description: Only a comment.
                    put: https://shop.example.com/scans
                    auth: { basic: { user: ada, password: "{{password_2}}" } }
                    body:
                      multipart:
                        note: '{not} {{env("NOTE")}}'
                        scan: { file: ./files/a.png, type: image/png }
                    timeouts: { idle: 10s }
                    response: { save: out.json }
                  from-a-file:
                    name: From a file
                    post: "{{host}}/orders"
                    headers: { Content-Type: application/json }
                    body: { file: ./order.json }
                  post-graphql:
                    name: POST /graphql
                    post: "{{host}}/graphql"
                    body:
                      graphql:
                        query: |-
                          query Q($a: Int) {
                            orders(first: $a) { id }
                          }
                        variables: { a: 3 }
                  chat:
                    name: Chat
                    websocket: ws://h/
                    messages:
                      - send: { json: { type: join, room: "{{room}}" } }
                      - receive: exists
                      - send: hello
                      - send: { file: ./more.bin }
                      - wait: 10s

                """#)
        #expect(
            imported.notes == [
                "- From a file: `<@ ./order.json`: variables in that file aren't filled in here, and its bytes are sent as they are",
                "- Stream: it is a request of GRPC, and Turnstone speaks HTTP",
                "Chat: `wait 10s` follows its messages: without it the session would be closed at once",
            ])
        #expect(imported.secrets == ["SHOP_PASSWORD: password of Sign in", "SHOP_PASSWORD_2: the password of Upload"])
    }

    @Test func `a request is sent as those programs send it`() throws {
        let imported = try ImportedText(
            """
            @user = ada
            POST http://h/a?x=1
            content-type: application/json

            {"user": "{{user}}", "n": {{n}}, "literal": "{{#each}}"}
            """, path: "a.http")
        #expect(
            try imported.command("post-a", variables: ["n": "7"]) == """
                curl 'http://h/a?x=1' \\
                  --header 'Content-Type: application/json' \\
                  --data-raw '{"user": "ada", "n": 7, "literal": "{{#each}}"}'
                """)
    }

    @Test func `environments lie beside it, those of the private file are secrets`() throws {
        let imported = try ImportedText([
            ("shop.http", "GET {{host}}/"),
            ("http-client.env.json", #"{"$shared":{"id":1},"dev":{"host":"http://d"},"live":{"host":"https://l"}}"#),
            ("http-client.private.env.json", #"{"dev":{"key":"abc"}}"#),
        ])
        #expect(
            imported.yaml == """
                turnstone: 1
                name: shop
                variables:
                  id: "1"
                environments:
                  dev: { host: http://d, key: { secret: { env: SHOP_DEV_KEY } } }
                  live: { host: https://l }
                requests:
                  get-host:
                    name: GET {{host}}/
                    get: "{{host}}/"

                """)
    }

    @Test(
        arguments: [
            ("{{$guid}}", "{{uuid()}}"), ("{{$random.uuid}}", "{{uuid()}}"), ("{{$timestamp -3 h}}", "{{timestamp(offset: -3h)}}"),
            ("{{$timestamp 1 w}}", "{{timestamp(offset: 7d)}}"), ("{{$isoTimestamp}}", "{{now(\"iso8601-ms\")}}"),
            ("{{$datetime rfc1123 1 d}}", "{{now(\"http\", offset: 1d)}}"), ("{{$dotenv KEY}}", "{{env(\"KEY\")}}"),
            ("{{$env.HOME}}", "{{env(\"HOME\")}}"), ("{{$random.integer(1, 7)}}", "{{random(1..6)}}"),
            ("{{$random.alphabetic(8)}}", "{{random(length: 8)}}"), ("{{%name}}", "{{name}}"),
            ("{{$aadToken new}}", "{{aadToken_new}}"),
            ("{{a.response.body.b}}", "{{response(\"\u{F8FD}a\u{F8FE}\", \".b\")}}"),
            ("{{a.response.headers.X}}", "{{a_x}}"), ("{{b.response.body.x}}", "{{b.response.body.x}}"),
        ]) func `variables of the system have equivalents`(foreign: String, ours: String)
    {
        let text = TemplateText(ForeignTemplate(foreign)) { inside, _ in
            switch HTTPFileTemplates.translate(inside, requests: ["a"]) {
            case .expression(let expression): expression
            case .unknown(let variable), .field(_, of: _, let variable): variable
            case .text: nil
            }
        }
        #expect(text.text == ours)
    }
}
