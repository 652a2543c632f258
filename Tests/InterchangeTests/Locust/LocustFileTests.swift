import Foundation
import ServerTesting
import Testing

@testable import Interchange
@testable import RequestCollections

@Suite struct LocustFileTests {
    private static let text = #"""
        turnstone: 1
        name: The shop
        variables:
          host: http://127.0.0.1:8080
          url: "{{host}}/v1"
          limits: { most: 5, name: "{{host}}" }
          password: { secret: { env: SHOP_PASSWORD } }
        environments:
          local: {}
          staging: { host: "https://staging", token: { secret: { file: token.txt } } }
          live: { extends: staging, host: "https://live" }
        defaults:
          headers: { accept: application/json }
          timeouts: { connect: 3s, idle: never }
        requests:
          login:
            post: "{{url}}/login"
            tags: [auth, smoke]
            body: { json: { user: ada, password: "{{password}}", most: "{{limits}}" } }
            capture:
              token: { from: .access_token, secret: true }
              page: { from: header:x-page, default: 1 }
          orders:
            defaults: { auth: { bearer: "{{token}}" } }
            requests:
              create:
                post: "{{url}}/orders/:id"
                path: { id: "no. {{page}}" }
                needs: { login: { max-age: 1h } }
                query: { from: a b, to: "{{page}}" }
                headers: { x-many: [a, "{{uuid()}}"] }
                body: { form: { a: 1, b: "{{page}}" } }
                expect:
                  status: 2xx
                  header: { content-type: not /html/i }
                  body: { .id: exists, '.items[].price': "> 1", '.items | length': 1 }
                  time: { wait: "< 300ms", total: "< 800ms" }
          signed: { get: "{{host}}/signed", hydrate: [sign] }
          after: { get: "{{host}}/after", needs: signed }
        """#

    private static let collection = RequestCollection.of(text)

    private static func file(
        _ collection: RequestCollection = collection, _ names: [String]? = nil, environment: String? = nil
    ) throws -> LocustFile {
        let requests = collection.requests.filter { names?.contains($0.id.rawValue) ?? true }
        return try LocustFile(collection, requests: requests, environment: environment, files: "/shop") { request in
            request.id.rawValue == "login" ? 3 : 1
        }
    }

    /// From a line to the next that begins at the margin or is another method.
    private static func block(_ start: String, in text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(of: start) else { return [] }
        return Array(lines[first...].prefix { !$0.isEmpty })
    }

    @Test func `a header that is left out is left out by Locust, too`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            defaults: { headers: { Accept: null, X-A: null } }
            requests:
              a:
                post: http://h/
                body: { text: x }
                headers: { content-type: null, X-A: b, X-B: { value: c, enabled: false } }
            """)
        #expect(
            try Self.file(collection).text.contains(
                """
                            headers={
                                "X-A": "b",
                                "Accept": None,
                                "content-type": None,
                            },
                """))
    }

    @Test func `a request is a method that sends it, checks it and keeps what it captures`() throws {
        let text = try Self.file().text
        #expect(
            Self.block("    @tag(\"auth\", \"smoke\")", in: text) == [
                #"    @tag("auth", "smoke")"#,
                #"    @task(3)"#,
                #"    def login(self):"#,
                #"        # login (shop.yaml:16)"#,
                #"        v = self.values"#,
                #"        with send("#,
                #"            self,"#,
                #"            "login","#,
                #"            "POST","#,
                #"            f"{v['url']}/login","#,
                #"            headers={"#,
                #"                "accept": "application/json","#,
                #"                "content-type": "application/json","#,
                #"            },"#,
                #"            data=json_text({"user": "ada", "password": v.value("password"), "most": v.value("limits")}).encode(),"#,
                #"            timeout=(3, None),"#,
                #"        ) as reply:"#,
                #"            reply.capture("token", reply.find("access_token"), secret=True)"#,
                #"            reply.capture("page", reply.header("x-page"), default=1)"#,
            ])
        #expect(
            Self.block("    def orders_create(self):", in: text) == [
                #"    def orders_create(self):"#,
                #"        # orders/create (shop.yaml:26)"#,
                #"        v = self.values"#,
                #"        need(self, "login", self.login, max_age=3600)"#,
                #"        with send("#,
                #"            self,"#,
                #"            "orders/create","#,
                #"            "POST","#,
                #"            text(v.value("url"), "/orders/", quote(f"no. {v['page']}", safe=""), "?from=a%20b&to=", quote(v["page"], safe="")),"#,
                #"            headers={"#,
                #"                "accept": "application/json","#,
                #"                "x-many": ", ".join(["a", str(uuid.uuid4())]),"#,
                #"                "content-type": "application/x-www-form-urlencoded","#,
                #"                "authorization": "Bearer " + v["token"],"#,
                #"            },"#,
                #"            data=urlencode([("a", "1"), ("b", v["page"])]),"#,
                #"            timeout=(3, None),"#,
                #"        ) as reply:"#,
                #"            reply.expect("#,
                #"                "status to be 2xx (shop.yaml:34)","#,
                #"                reply.status,"#,
                #"                lambda it: compare(it, ">=", "200") and compare(it, "<=", "299"),"#,
                #"            )"#,
                #"            reply.expect("#,
                #"                "header content-type to be not /html/i (shop.yaml:35)","#,
                #"                reply.header("content-type"),"#,
                #"                lambda it: not (matches(it, "html", re.IGNORECASE)),"#,
                #"            )"#,
                #"            reply.expect("body .id to be exists (shop.yaml:36)", reply.find("id"), lambda it: exists(it))"#,
                #"            reply.expect("#,
                #"                "body .items[].price to be > 1 (shop.yaml:36)","#,
                #"                reply.find("items", EACH, "price"),"#,
                #"                lambda it: compare(it, ">", "1", typed=True),"#,
                #"            )"#,
                #"            reply.expect("#,
                #"                "body .items | length to be 1 (shop.yaml:36)","#,
                #"                reply.find(jq=".items | length"),"#,
                #"                lambda it: same(1, it, typed=True),"#,
                #"            )"#,
                #"            # not checked: time wait < 300ms (shop.yaml:37): Locust doesn't measure `wait` by itself"#,
                #"            reply.expect("#,
                #"                "time total to be < 800ms (shop.yaml:37)","#,
                #"                reply.time,"#,
                #"                lambda it: compare(it, "<", "800ms", measured=True),"#,
                #"            )"#,
            ])
    }

    @Test func `variables and environments stay what they are`() throws {
        let text = try Self.file(environment: "live").text
        #expect(
            Self.block("VARIABLES = {", in: text) == [
                #"VARIABLES = {"#, #"    "host": "http://127.0.0.1:8080","#, #"    "url": lambda v: f"{v['host']}/v1","#,
                #"    "limits": lambda v: {"most": 5, "name": v.value("host")},"#,
                #"    "password": lambda v: hidden(env("SHOP_PASSWORD")),"#, #"}"#,
            ])
        let token = #"        "token": lambda v: hidden(read_text(os.path.join(FILES, "token.txt"))),"#
        #expect(
            Self.block("ENVIRONMENTS = {", in: text) == [
                #"ENVIRONMENTS = {"#, #"    "local": {},"#, #"    "staging": {"#, #"        "host": "https://staging","#, token,
                #"    },"#, #"    "live": {"#, #"        "host": "https://live","#, token, #"    },"#, #"}"#,
                #"ENVIRONMENT = "live"  # unless --env names another"#,
            ])
        #expect(text.contains("machines that send have SHOP_PASSWORD in their environment"))
        #expect(throws: ResolutionError.self) { try Self.file(environment: "lve") }
    }

    @Test func `a request's own variables, and its folders', are nearer than the environment's`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables: { host: http://h, id: 1, who: all }
            environments: { live: { id: 2 } }
            requests:
              f:
                variables: { id: 3, who: folder }
                requests: { a: { get: "{{host}}/{{id}}/{{path}}", variables: { path: "{{who}}-{{id}}", who: own } } }
              b: { get: "{{host}}/{{id}}" }
            """)
        let file = try LocustFile(collection, requests: collection.requests, environment: "live", files: ".")
        #expect(file.notes == [])
        #expect(
            Self.block("        v = self.values.near({", in: file.text).prefix(5) == [
                "        v = self.values.near({", #"            "path": lambda v: f"{v['who']}-{v['id']}","#,
                #"            "who": "own","#, #"            "id": 3,"#, "        })",
            ])
        #expect(try Python.complaints(about: file.text) == "")
        let directory = try TemporaryDirectory()
        let printed = try Python.run(
            Python.locust + """

                import runpy
                file = runpy.run_path(sys.argv[1])
                class User: pass
                user = User()
                user.environment = User()
                user.environment.parsed_options = User()
                user.environment.parsed_options.var, user.environment.parsed_options.env = [], "live"
                values = file["Values"](user)
                near = values.near({"path": lambda v: f"{v['who']}-{v['id']}", "who": "own", "id": 3})
                print(near["path"], values["id"], values["who"])
                values.captured["id"] = 4
                print(near["path"])
                """, [try directory.write("locustfile.py", file.text)])
        #expect(printed == "own-3 2 all\nown-4\n")
    }

    @Test func `what Python can't say is named, and what needs it is left out with it`() throws {
        let file = try Self.file()
        #expect(
            file.notes.map(\.description) == [
                "orders/create: not checked: time wait < 300ms (shop.yaml:37): Locust doesn't measure `wait` by itself",
                "signed: not sent: a command hydrates it just before it is sent",
                "after: not sent: needs signed, which is left out",
            ])
        #expect(file.taskCount == 2)
        for note in file.notes { #expect(file.text.contains("    \(note)\n")) }
        #expect(!file.text.contains("def signed"))
    }

    @Test func `what a run sends only sometimes, or around others, is named`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            set-up: a
            requests:
              a: { get: http://h/ }
              b: { get: http://h/, tear-down: a }
              f: { for-each: { n: [1, 2] }, requests: { c: { get: "http://h/{{n}}" } } }
              g: { when: { b: 1 }, requests: { d: { get: http://h/ } } }
            """)
        let file = try LocustFile(collection, requests: collection.requests, files: ".")
        #expect(
            file.notes.map(\.description) == [
                "a: `a`, the set-up of the collection, isn't sent",
                "b: `a`, its tear-down, isn't sent",
                "f/c: not sent: it is sent once for each item of its `for-each`",
                "g/d: not sent: it is sent only when its variables are as `when` says",
            ])
    }

    @Test func `what is needed is sent, and no task by itself`() throws {
        let text = try Self.file(Self.collection, ["orders/create"]).text
        #expect(Self.block("    def login(self):", in: text).count > 5)
        #expect(text.components(separatedBy: "    @task").count == 2)
    }

    @Test(arguments: [
        ("orders/create", "orders_create"), ("7-up", "_7_up"), ("class", "_class"), ("client", "_client"),
        ("größe/übung", "gr_e_bung"),
        ("…", "request"), ("a--b", "a_b"),
    ])
    func `any name is a name in Python`(id: String, name: String) {
        #expect(PythonText.identifier(id) == name)
    }

    @Test func `two requests never share a method`() throws {
        let collection = RequestCollection.of("turnstone: 1\nrequests:\n  a-b: { get: http://h/1 }\n  a_b: { get: http://h/2 }")
        let text = try Self.file(collection).text
        #expect(text.contains("def a_b(self)") && text.contains("def a_b_2(self)"))
    }

    /// Also with an accent behind its quotes, with which Swift takes them for another character.
    @Test(arguments: ["", #"\u0301"#])
    func `a name can't get out of its quotes`(accent: String) throws {
        let collection = RequestCollection.of(
            #"""
            turnstone: 1
            name: "a\"\"\"\#(accent)\nimport os; nowhere()\n\"\"\"\#(accent)"
            requests:
              "x\ny\"": { name: "b\nc", get: "http://h/{x}'\"\\", headers: { a: "\"\\ {{b}} {" }, tags: ["\""] }
            variables: { b: "\"\"\"" }
            """#)
        let text = try Self.file(collection).text
        #expect(try Python.complaints(about: text) == "")
        #expect(text.contains(#"f"\"\\ {v['b']} {{""#))
    }

    @Test(arguments: [
        "auth: negotiate", "auth: { ntlm: { user: a, password: b } }", "unix-socket: /s", "resolve: ['h:1:2']",
        "auth: { aws-sigv4: { access-key: a, secret-key: b } }",
        "auth: { oauth2: { grant: device-code, device-url: http://d/, token-url: http://t/, client-id: a } }",
    ])
    func `a request that would be another one isn't sent`(line: String) throws {
        let collection = RequestCollection.of("turnstone: 1\nrequests:\n  a: { get: http://h/, \(line) }\n  b: { get: http://h/ }")
        #expect(collection.problems == [])
        let file = try Self.file(collection)
        #expect(file.notes.map { "\($0)".hasPrefix("a: not sent: ") } == [true])
        #expect(file.taskCount == 1)
    }

    @Test func `each kind of request compiles`() throws {
        let collection = RequestCollection.of(
            #"""
            turnstone: 1
            variables: { x: "1", y: { secret: { command: [printf, s] } }, z: { secret: { prompt: "Z?" } } }
            requests:
              text: { post: http://h/, body: { text: "a {{x}}" }, auth: { digest: { user: a, password: "{{y}}" } } }
              open: { post: http://h/, body: { json: '{"a": {{x}}, "b": "{{x}}", "c": "no. {{x}}"}' } }
              file: { put: http://h/, body: { file: a.bin }, auth: netrc }
              parts: { put: http://h/, body: { multipart: { a: "{{x}}", b: { file: a.bin, type: text/x } } } }
              graphql: { post: http://h/, body: { graphql: { query: "{ a }", variables: { x: "{{x}}" }, operation: a } } }
              functions:
                get: http://h/
                headers:
                  a: '{{uuid()}} {{now()}} {{now("%F", offset: -1d)}} {{timestamp("ms")}} {{random()}} {{random(1..6)}}'
                  b: '{{random(length: 3)}} {{base64(x)}} {{sha256(x)}} {{hmac(x, y, encoding: "base64")}} {{env("E")}}'
                  c: '{{file("a.txt")}} {{command("date")}} {{prompt("P", default: "q")}} {{select("S", ["a"])}} {{w | default("x")}}'
                  d: '{{response("text", ".a[0]", max_age: 1h)}} {{x | base64}}'
              oauth2: { get: http://h/, auth: { oauth2: { grant: password, user: a, password: b, token-url: http://t/, client-id: c } } }
              tls: { get: http://h/, tls: { verify: false, certificate: c.pem, key: k.pem }, proxy: http://p:1, redirects: { max: 3 } }
              keys: { get: http://h/, auth: { api-key: { name: k, value: "{{y}}", in: query } }, cookies: { a: "{{x}}", b: c } }
              fails: { get: http://h/, expect: { error: [timeout, dns] } }
            """#)
        #expect(collection.problems == [])
        let file = try Self.file(collection)
        #expect(file.notes == [])
        #expect(file.taskCount == 10)
        #expect(try Python.complaints(about: file.text) == "")
    }
}
