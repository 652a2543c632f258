import RequestCollections
import Testing

@testable import Interchange

@Suite struct PostmanImportTests {
    private static let shop = #"""
        {
          "info": {
            "name": "Shop",
            "description": { "content": "Orders and stock.\n", "type": "text/markdown" },
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
          },
          "auth": { "type": "bearer", "bearer": [{ "key": "token", "value": "{{access token}}", "type": "string" }] },
          "event": [{ "listen": "prerequest", "script": { "exec": [""] } }],
          "variable": [
            { "key": "base_url", "value": "https://shop.example.com" },
            { "key": "limit", "value": 5 },
            { "key": "api_key", "value": "k-1234" },
            { "key": "old", "value": "x", "disabled": true }
          ],
          "item": [
            {
              "name": "Sign in",
              "event": [{ "listen": "test", "script": { "exec": ["pm.environment.set('access token', 1)"] } }],
              "request": {
                "auth": { "type": "noauth" },
                "method": "POST",
                "header": [{ "key": "Content-Type", "value": "application/json" }],
                "body": {
                  "mode": "raw",
                  "raw": "{\n  \"user\": \"{{user}}\", \"password\": \"hunter2\", \"at\": {{$timestamp}}\n}"
                },
                "url": "{{base_url}}/login"
              },
              "response": [{ "name": "ok" }]
            },
            {
              "name": "Orders",
              "description": "All about orders.",
              "auth": { "type": "apikey", "apikey": [{ "key": "key", "value": "x-key" }, { "key": "value", "value": "{{api_key}}" }] },
              "item": [
                {
                  "name": "Create",
                  "request": {
                    "method": "POST",
                    "header": [
                      { "key": "Idempotency-Key", "value": "{{$guid}}" },
                      { "key": "X-Trace", "value": "on", "disabled": true }
                    ],
                    "body": {
                      "mode": "raw",
                      "raw": "{\"sku\":\"A7\",\"qty\":2,\"city\":\"{{$randomCity}}\",\"tags\":[\"a\",\"b\"]}",
                      "options": { "raw": { "language": "json" } }
                    },
                    "url": {
                      "raw": "{{base_url}}/orders?notify=mail&notify=sms&dry=1",
                      "host": ["{{base_url}}"],
                      "path": ["orders"],
                      "query": [
                        { "key": "notify", "value": "mail" },
                        { "key": "notify", "value": "sms" },
                        { "key": "dry", "value": "1", "disabled": true }
                      ]
                    }
                  }
                },
                {
                  "name": "Get",
                  "request": {
                    "url": {
                      "host": ["{{base_url}}"],
                      "path": ["orders", ":id", "lines", ":line"],
                      "variable": [{ "key": "id", "value": "7" }]
                    }
                  }
                },
                {
                  "name": "Upload",
                  "request": {
                    "method": "PUT",
                    "body": {
                      "mode": "formdata",
                      "formdata": [
                        { "key": "note", "value": "{not a template}", "type": "text" },
                        { "key": "scan", "type": "file", "src": ["a.png", "b.png"] },
                        { "key": "off", "value": "1", "disabled": true }
                      ]
                    },
                    "url": "{{base_url}}/scans"
                  },
                  "protocolProfileBehavior": { "followRedirects": false }
                },
                { "request": { "url": "https://shop.example.com/health" } }
              ]
            }
          ]
        }
        """#

    @Test func `a collection becomes YAML that could be written by hand`() throws {
        let imported = try ImportedText(Self.shop)
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: Shop
                description: Orders and stock.
                variables:
                  base_url: https://shop.example.com
                  limit: "5"
                  api_key: { secret: { env: SHOP_API_KEY } }
                  password: { secret: { env: SHOP_PASSWORD } }
                  access_token: { secret: { env: SHOP_ACCESS_TOKEN } }
                  user: '{{prompt("user")}}'
                  randomCity: '{{prompt("randomCity")}}'
                  line: '{{prompt("line")}}'
                defaults: { auth: { bearer: "{{access_token}}" } }
                requests:
                  sign-in:
                    name: Sign in
                    post: "{{base_url}}/login"
                    auth: none
                    body:
                      json: |-
                        {
                          "user": "{{user}}", "password": "{{password}}", "at": {{timestamp()}}
                        }
                    x-test-script: pm.environment.set('access token', 1)
                  orders:
                    name: Orders
                    description: All about orders.
                    defaults: { auth: { api-key: { name: x-key, value: "{{api_key}}" } } }
                    requests:
                      create:
                        name: Create
                        post: "{{base_url}}/orders"
                        query: { notify: [mail, sms], dry: { value: 1, enabled: false } }
                        headers:
                          Idempotency-Key: "{{uuid()}}"
                          X-Trace: { value: on, enabled: false }
                        body:
                          json: { sku: A7, qty: 2, city: "{{randomCity}}", tags: [a, b] }
                      get:
                        name: Get
                        get: "{{base_url}}/orders/:id/lines/:line"
                        path: { id: 7, line: "{{line}}" }
                      upload:
                        name: Upload
                        put: "{{base_url}}/scans"
                        body:
                          multipart:
                            note: "{not a template}"
                            scan: [{ file: a.png }, { file: b.png }]
                            off: { value: 1, enabled: false }
                        redirects: { follow: never }
                      get-https-shop-example-com-health:
                        name: GET https://shop.example.com/health
                        get: https://shop.example.com/health

                """#)
        #expect(
            imported.notes == [
                "- Sign in: the test script: 1 statement that no `expect` or `capture` can say; it stands below `x-test-script`, and isn't run",
                "- Orders / Create: {{$randomCity}} has no equivalent; it is the variable `randomCity` now",
                "the variable old is off, and variables here have no switch",
            ])
        #expect(
            imported.secrets == [
                "SHOP_API_KEY: the variable api_key", "SHOP_PASSWORD: password of Sign in",
                "SHOP_ACCESS_TOKEN: the variable access_token",
            ])
    }

    @Test(
        arguments: [
            (
                "orders/create",
                """
                curl 'https://shop.example.com/orders?notify=mail&notify=sms' \\
                  --header 'Idempotency-Key: ID' \\
                  --header 'Content-Type: application/json' \\
                  --header 'x-key: '"$SHOP_API_KEY" \\
                  --data-raw '{
                  "sku": "A7",
                  "qty": 2,
                  "city": "Bern",
                  "tags": [
                    "a",
                    "b"
                  ]
                }'
                """
            ),
            (
                "orders/get",
                """
                curl https://shop.example.com/orders/7/lines/2 \\
                  --header 'x-key: '"$SHOP_API_KEY"
                """
            ),
        ]) func `requests are sent as Postman sends them`(id: String, command: String) throws
    {
        let variables: [String: JSONValue] = ["randomCity": "Bern", "line": "2", "access_token": "t", "user": "ada"]
        let sent = try ImportedText(Self.shop).command(id, variables: variables)
        #expect(sent.replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "ID") == command)
    }

    @Test func `environments and globals come along, secrets by reference`() throws {
        let imported = try ImportedText([
            ("shop.json", #"{"item":[{"name":"a","request":{"url":"{{host}}/{{id}}"}}]}"#),
            (
                "staging.json",
                #"{"name":"My Staging","values":[{"key":"host","value":"http://h"},{"key":"pin","value":"1","type":"secret"}]}"#
            ),
            ("globals.json", #"{"name":"g","values":[{"key":"id","value":"9"}],"_postman_variable_scope":"globals"}"#),
        ])
        #expect(
            imported.yaml == """
                turnstone: 1
                name: shop
                variables:
                  id: "9"
                environments:
                  my-staging:
                    host: http://h
                    pin: { secret: { env: SHOP_MY_STAGING_PIN } }
                requests:
                  a:
                    get: "{{host}}/{{id}}"

                """)
        #expect(try imported.command("a", environment: "my-staging") == "curl http://h/9")
    }

    @Test(
        arguments: [
            (
                #"{"type":"basic","basic":[{"key":"username","value":"ada"},{"key":"password","value":"pw"}]}"#,
                #"{ basic: { user: ada, password: "{{password}}" } }"#
            ),
            (
                #"{"type":"basic","basic":{"username":"ada","password":"{{p w}}"}}"#,
                #"{ basic: { user: ada, password: "{{p_w}}" } }"#
            ),
            (#"{"type":"digest","digest":{"username":"ada"}}"#, #"{ digest: { user: ada, password: "" } }"#),
            (#"{"type":"ntlm","ntlm":{"username":"ada","domain":"D"}}"#, #"{ ntlm: { user: D\ada, password: "" } }"#),
            (
                #"{"type":"apikey","apikey":{"key":"k","value":"v","in":"query"}}"#,
                #"{ api-key: { name: k, value: "{{api_key}}", in: query } }"#
            ),
            (
                #"{"type":"awsv4","awsv4":{"accessKey":"A","secretKey":"s","region":"eu"}}"#,
                #"aws-sigv4: { access-key: A, secret-key: "{{secret_key}}", region: eu }"#
            ),
            (
                #"{"type":"awsv4","awsv4":{"accessKey":"A","secretKey":"s","addAuthDataToQuery":true}}"#,
                #"aws-sigv4: { access-key: A, secret-key: "{{secret_key}}", expires: 24h }"#
            ),
            (#"{"type":"oauth2","oauth2":{"accessToken":"t"}}"#, #"{ bearer: "{{token}}" }"#),
            (
                #"{"type":"oauth2","oauth2":{"grant_type":"client_credentials","accessTokenUrl":"http://t","clientId":"c","clientSecret":"s","scope":"a b"}}"#,
                #"""

                      oauth2:
                        token-url: http://t
                        client-id: c
                        client-secret: "{{client_secret}}"
                        scope: a b
                """#
            ),
        ]) func `authentication is mapped, in both versions' forms`(auth: String, yaml: String) throws
    {
        let imported = try ImportedText(
            #"{"info":{},"item":[{"name":"a","request":{"url":"http://h/","auth":\#(auth)}}]}"#)
        let lines = imported.yaml.split(separator: "    auth:", maxSplits: 1)
        let rest = try #require(lines.last)
        #expect(rest.trimmingSpace == yaml.trimmingSpace)
        #expect(imported.notes.filter { $0.hasPrefix("-") } == [])
    }

    @Test func `what has no equivalent is said, and the request is there without it`() throws {
        let imported = try ImportedText(
            #"{"info":{},"item":[{"name":"a","request":{"url":"http://h/","auth":{"type":"hawk"},"proxy":{"host":"p"},"body":{"mode":"x"}}},{"name":"b"}]}"#
        )
        #expect(imported.yaml.hasSuffix("requests:\n  a:\n    get: http://h/\n"))
        #expect(
            imported.notes == [
                "- a: its authentication, `hawk`: there is no equivalent", "- a: its own proxy: give it by `proxy`",
                "- b: an item with neither a request nor items of its own",
            ])
    }

    @Test func `secrets are copied when that is wanted`() throws {
        let imported = try ImportedText(
            #"{"info":{},"item":[{"name":"a","request":{"url":"http://h/","header":[{"key":"Authorization","value":"Bearer abc"}]}}]}"#,
            keepsSecrets: true)
        #expect(imported.yaml.hasSuffix("requests:\n  a:\n    get: http://h/\n    auth: { bearer: abc }\n"))
        #expect(imported.secrets == [])
    }

    @Test func `braces that are no template stay braces`() throws {
        let imported = try ImportedText(
            #"{"info":{},"item":[{"name":"a","request":{"method":"POST","url":"http://h/","body":{"mode":"raw","raw":"{{#if x}}{{{y}}}{{","options":{"raw":{"language":"text"}}}}}]}"#
        )
        #expect(
            try imported.command("a", variables: ["y": "1"]) == """
                curl http://h/ \\
                  --header 'Content-Type: text/plain; charset=utf-8' \\
                  --data-raw '{{#if x}}{1}{{'
                """)
    }

    @Test func `braces are braces whatever stands behind them`() throws {
        let imported = try ImportedText(
            #"{"info":{},"item":[{"name":"a","request":{"method":"POST","url":"http://h/","body":{"mode":"raw","raw":"{{\u0301x {{y}}{\u0301","options":{"raw":{"language":"text"}}}}}]}"#
        )
        #expect(try imported.command("a", variables: ["y": "1"]).hasSuffix("'{{\u{301}x 1{\u{301}'"), "\(imported.yaml)")
    }

    @Test func `version 1 is refused with the way out`() {
        #expect(
            throws: CollectionProblem(
                location: RequestCollections.SourceLocation(path: "shop.json", line: 1, column: 1),
                message: "is a collection of Postman's version 1; export it as version 2.1 (in Postman: Export, Collection v2.1)")
        ) {
            try ImportedText(#"{"id":"1","requests":[],"order":[]}"#)
        }
    }
}
