import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// What is sent more than once, or not at all: `--data`, `for-each`, `when` and `--fail`.
@Suite struct RunItemsTests {
    private static let shop = """
        turnstone: 1
        variables: { plan: free }
        requests:
          login: { post: "http://shop/login/{{user}}", capture: { token: .token } }
          create: { post: "http://shop/orders?sku={{sku}}", headers: { x: "{{token}}" }, for-each: { sku: [A7, B9] } }
          upgrade: { post: http://shop/upgrade, when: { plan: pro }, capture: { receipt: .token } }
          receipt: { get: "http://shop/receipts/{{receipt}}" }
          note: { post: http://shop/note, needs: upgrade }
          broken: { get: http://shop/503 }
        """

    /// Each request's path with its `x`, in the order in which they were sent, and what the run said.
    private func run(
        _ words: String..., data: String? = nil, name: String = "users.csv", of shop: String = Self.shop
    ) async throws -> (sent: [String], CommandLineRun) {
        try await run(words, data: data, name: name, of: shop)
    }

    private func run(
        _ words: [String], data: String? = nil, name: String = "users.csv", of shop: String = Self.shop
    ) async throws -> (sent: [String], CommandLineRun) {
        let (directory, path) = try ShopFile.make(shop)
        defer { withExtendedLifetime(directory) {} }
        var words = words
        if let data { words += ["--data", try directory.write(name, data)] }
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let url = request.request.url.absoluteString.dropFirst("http://shop".count)
            let x = request.request.headers[HTTPField.Name("x")!]
            sent.withLock { $0.append(url + (x.map { " \($0)" } ?? "")) }
            let status: HTTPResponse.Status = url == "/503" ? .serviceUnavailable : .ok
            return .respond(
                status: status, headers: [.contentType: "application/json"],
                body: Data("{\"token\":\"of-\(url.split(separator: "/").last ?? "")\"}".utf8))
        }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: transport, environment: ["HOME": directory.path])
        func cleaned(_ text: String) -> String { text.replacing(directory.path + "/", with: "").replacing(path, with: "shop.yaml") }
        return (
            sent.withLock { $0 }, CommandLineRun(status: shown.status, output: cleaned(shown.output), errors: cleaned(shown.errors))
        )
    }

    @Test func `everything is sent once for each row, with that row's answers`() async throws {
        let (sent, shown) = try await run("create", data: "user,password\nada,x\nbob,y\n")
        #expect(
            sent == [
                "/login/ada", "/orders?sku=A7 of-ada", "/orders?sku=B9 of-ada", "/login/bob", "/orders?sku=A7 of-bob",
                "/orders?sku=B9 of-bob",
            ])
        #expect(shown.status == .success)
        #expect(shown.output.contains("✓ login[user=ada]  200 OK"))
        #expect(shown.output.contains("✓ create[user=bob, sku=B9]  200 OK"))
        #expect(!shown.output.contains("password"))
    }

    @Test func `a folder is gone through item by item, and so is one in it`() async throws {
        let shop = """
            turnstone: 1
            requests:
              a: { get: http://shop/a }
              f:
                for-each: { n: [1, 2] }
                requests:
                  b: { get: "http://shop/b{{n}}", for-each: { k: [x, y] } }
                  g: { for-each: { m: [8, 9] }, requests: { c: { get: "http://shop/c{{n}}{{m}}" }, d: { get: "http://shop/d{{n}}{{m}}" } } }
                  e: { get: "http://shop/e{{n}}" }
              z: { get: http://shop/z }
            """
        let one = { (n: Int) in ["/b\(n)", "/b\(n)", "/c\(n)8", "/d\(n)8", "/c\(n)9", "/d\(n)9", "/e\(n)"] }
        #expect(try await run(of: shop).sent == ["/a"] + one(1) + one(2) + ["/z"])
        #expect(try await run("f/e", "a", "f/b", of: shop).sent == ["/a", "/b1", "/b1", "/e1", "/b2", "/b2", "/e2"])
    }

    @Test func `what the collection calls a secret doesn't name a row`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { pin: { secret: { env: SHOP_PIN } } }
            requests: { a: { get: http://shop/, headers: { x: "{{pin}}" }, expect: { status: 201 } } }
            """)
        let file = try directory.write("pins.csv", "pin,user\n48151623,ada\n")
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history", "-v", "--data", file, "--report", "json=\(directory.file("r.json"))"],
            transport: ScriptedTransport { _ in .respond() }, environment: ["HOME": directory.path])
        #expect(run.output.contains("✗ a[user=ada]"))
        #expect(!(run.output + run.errors).contains("48151623"))
        #expect(!(try String(contentsOfFile: directory.file("r.json"), encoding: .utf8)).contains("48151623"))
    }

    @Test func `a credential by its name is shown nowhere, whoever gives it`() async throws {
        let shop = """
            turnstone: 1
            variables: { pw: file-pw-literal }
            requests:
              given:
                get: "http://shop/{{user}}"
                headers: { authorization: "Bearer {{password}}", x: "{{password}}" }
                expect: { status: 201 }
              when: { get: http://shop/, when: { password: { length: 3 } } }
              body: { get: http://shop/, expect: { body: { .token: "{{password}}" } } }
              file: { get: http://shop/, when: { pw: other } }
              loop: { get: http://shop/, for-each: { secret: [loop-secret-1, loop-secret-2] }, when: { secret: other } }
              login: { get: http://shop/login, capture: { token: .token } }
              taken: { get: http://shop/taken, headers: { x: "{{token}}" }, when: { token: other } }
            """
        let formats = ["junit", "tap", "json", "html", "github"]
        let reports = try TemporaryDirectory()
        let (sent, shown) = try await run(
            ["-v"] + formats.flatMap { ["--report", "\($0)=\(reports.file($0))"] }, data: "password,user\nhunter7hunter7,ada\n",
            of: shop)
        #expect(sent == ["/ada hunter7hunter7", "/", "/login"])
        let texts =
            try [shown.output, shown.errors] + formats.map { try String(contentsOfFile: reports.file($0), encoding: .utf8) }
        for secret in ["hunter7hunter7", "file-pw-literal", "loop-secret", "of-login"] {
            for (number, text) in texts.enumerated() { #expect(!text.contains(secret), "\(secret) in \(number)") }
        }
        #expect(shown.output.contains("--var-text 'password=••••••' --var-text user=ada"))
    }

    @Test func `the command that sends it again has the variables that were given, and an item has none`() async throws {
        let shop = """
            turnstone: 1
            requests:
              a: { get: "http://shop/{{plan}}", expect: { status: 201 } }
              l: { get: "http://shop/{{i}}", for-each: { i: 1..2 }, expect: { status: 201 } }
            """
        let (_, shown) = try await run("-v", "--var", "plan=paid", "--var", "n=5", of: shop)
        #expect(shown.output.contains("turnstone run shop.yaml a --var n=5 --var-text plan=paid\n"))
        #expect(!shown.output.contains("turnstone run shop.yaml l"))
    }

    @Test func `check takes the columns, too`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: 'http://shop/{{user.name}}' } }\n")
        let rows = try directory.write("users.json", #"[{"user": {"name": "ada"}}]"#)
        #expect(await CommandLineRun.run(["check", path]).status == .usage)
        #expect(await CommandLineRun.run(["check", path, "--data", rows]).status == .success)
        let missing = await CommandLineRun.run(["check", path, "--data", directory.file("nope.csv")])
        #expect(missing.status == .file)
        #expect(missing.errors.contains("nope.csv") && missing.errors.contains("No such file"))
    }

    @Test func `a shard takes whole rows`() async throws {
        let (sent, _) = try await run("create", "--shard", "2/2", data: "user\nada\nbob\neve\n")
        #expect(sent == ["/login/bob", "/orders?sku=A7 of-bob", "/orders?sku=B9 of-bob"])
    }

    @Test(
        arguments: [
            ("user\nada,bob\n", "users.csv:2: this row has 2 cells, and the first one names 1 column."),
            ("user\n", "users.csv has no row, so there is nothing to send."),
        ])
    func `what is no table is refused before anything is sent`(data: String, message: String) async throws {
        let (sent, shown) = try await run(data: data)
        #expect(sent == [])
        #expect(shown.errors.contains(message))
        #expect(shown.status == .usage)
    }

    @Test func `a file whose columns nothing uses is pointed out`() async throws {
        let (_, shown) = try await run("broken", data: "usr\nada\n")
        #expect(shown.errors.contains("Nothing uses the variable usr. Did you mean user?"))
        let (_, used) = try await run("broken", data: "user,remark\nada,x\n")
        #expect(!used.errors.contains("Nothing uses"))
    }

    @Test func `what is skipped is no failure, and takes with it what needs its answer`() async throws {
        let (sent, shown) = try await run("upgrade", "receipt", "note")
        #expect(sent == ["/note"])
        #expect(shown.status == .success)
        #expect(shown.output.contains("- upgrade\n    shop.yaml:6:49: `when` wants `plan` to be \"pro\", and it is \"free\""))
        #expect(shown.output.contains("- receipt\n    shop.yaml:7:19: it takes `receipt` from `upgrade`, which was skipped"))
        #expect(shown.output.contains("1 passed, 2 skipped in"))
        let (all, _) = try await run("upgrade", "receipt", "note", "--var", "plan=pro")
        #expect(all == ["/upgrade", "/receipts/of-upgrade", "/note"])
    }

    @Test func `with --fail a status that nobody expected is a failure`() async throws {
        #expect(try await run("broken").1.status == .success)
        let (_, shown) = try await run("broken", "--fail")
        #expect(shown.status == .expectationFailed)
        #expect(shown.output.contains("✗ broken  503 Service Unavailable"))
        #expect(shown.output.contains("its status was 503; an expected `status` says that it may be"))
    }

    @Test func `what of the files can't be read is in every report`() async throws {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests: { a: { get: http://shop/ }, x/y: { get: http://shop/ } }\n")
        let formats = ["junit", "tap", "json", "html", "github"]
        let words = formats.flatMap { ["--report", "\($0)=\(directory.file($0))"] }
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: ScriptedTransport { _ in .respond() },
            environment: ["HOME": directory.path])
        #expect(run.status == .usage)
        let texts = try formats.map { try String(contentsOfFile: directory.file($0), encoding: .utf8) }
        for text in texts { #expect(text.contains("can't name a request or folder")) }
        #expect(texts[0].contains("<testsuites name=\"turnstone\" tests=\"2\" failures=\"0\" errors=\"1\""))
        #expect(texts[1].contains("1..2\nok 1 - a\nnot ok 2 - "))
        #expect(texts[2].contains("\"problems\" : ["))
        #expect(texts[4].hasPrefix("::error file="))
    }

    // MARK: Items by name, shards of items, folders with conditions

    private static let looped = """
        turnstone: 1
        variables: { plan: free }
        requests:
          one: { get: "http://shop/one/{{n}}", for-each: { n: 1..5 }, expect: { status: 201 } }
          paid:
            when: { plan: pro }
            requests:
              up: { get: http://shop/up }
              each: { get: "http://shop/each/{{n}}", for-each: { n: [1, 2] }, when: { n: 1 } }
        """

    @Test(arguments: [
        (["one[n=3]"], ["/one/3"]), (["one[n=3]", "one[n=5]"], ["/one/3", "/one/5"]), (["on[e]"], (1...5).map { "/one/\($0)" }),
        (["one", "one[n=2]"], (1...5).map { "/one/\($0)" }), (["one", "--shard", "1/2"], ["/one/1", "/one/3", "/one/5"]),
        (["one", "--shard", "2/2"], ["/one/2", "/one/4"]), (["one[n=3]", "one[n=4]", "--shard", "2/2"], ["/one/4"]),
    ])
    func `items have names, and shards of their own`(words: [String], sent: [String]) async throws {
        #expect(try await run(words, of: Self.looped).sent == sent)
    }

    @Test func `the command that is printed for an item sends that one`() async throws {
        let (_, shown) = try await run("one[n=3]", "-v", of: Self.looped)
        #expect(shown.output.contains(" 'one[n=3]'\n"), "\(shown.output)")
    }

    @Test func `an item that isn't there is named, and nothing is sent`() async throws {
        let (sent, shown) = try await run("one[n=9]", of: Self.looped)
        #expect(sent.isEmpty)
        #expect(shown.status == .usage)
        #expect(shown.errors.contains("There is no item one[n=9]. `turnstone run --plan` shows all of them."))
    }

    @Test func `a folder's condition is that of all in it, beside their own`() async throws {
        let (sent, shown) = try await run("paid", of: Self.looped)
        #expect(sent.isEmpty)
        #expect(shown.status == .success)
        #expect(shown.output.contains("`when` wants `plan` to be \"pro\", and it is \"free\""))
        #expect(shown.errors.contains("Everything was skipped: no `when` holds, so nothing was sent or checked."))
        #expect(try await run("paid", "--no-skips", of: Self.looped).1.status == .expectationFailed)
        let paid = try await run("paid", "--var", "plan=pro", "--no-skips", of: Self.looped)
        #expect(paid.sent == ["/up", "/each/1"])
        #expect(paid.1.status == .expectationFailed)
        #expect(!paid.1.errors.contains("Everything was skipped"))
        #expect(try await run("paid", "--plan", of: Self.looped).1.output.contains("GET  paid/each[n=1]  when plan is pro, n is 1"))
    }

    @Test func `a dry run shows each request with names for what only answers give, and sends nothing`() async throws {
        let (sent, shown) = try await run("create", "--dry-run", data: "user\nada\n")
        #expect(sent.isEmpty)
        #expect(shown.status == .success)
        #expect(
            shown.output == """
                1  POST  login[user=ada]  needed
                   POST http://shop/login/ada

                2  POST  create[user=ada, sku=A7]  after login[user=ada] (token)
                   POST http://shop/orders?sku=A7
                   x: ‹token of login›

                3  POST  create[user=ada, sku=B9]  after login[user=ada] (token)
                   POST http://shop/orders?sku=B9
                   x: ‹token of login›

                """)
        let body = "turnstone: 1\nrequests: { a: { post: http://shop/, body: { json: { a: 1 } } } }\n"
        #expect(try await run("--dry-run", of: body).1.output.hasSuffix("\n\n   {\n     \"a\": 1\n   }\n"))
        let unknown = try await run("login", "--dry-run")
        #expect(unknown.1.status == .template)
        #expect(unknown.1.output.contains("can't be sent: "))
        #expect(try await run("login", "--dry-run", "--plan").1.status == .usage)
    }
}

/// `for-each: { user: { file: users.csv } }`, from the command line.
@Suite struct RunItemFilesTests {
    private static let shop = """
        turnstone: 1
        requests:
          users:
            for-each: { user: { file: users.csv } }
            requests:
              create: { put: "http://shop/{{user.name}}", capture: { id: .id }, tear-down: delete }
              delete: { delete: "http://shop/{{id}}" }
          ids: { get: "http://shop/ids/{{n}}", for-each: { n: { file: ids.txt } } }
          plain: { get: http://shop/plain }
        """

    private func run(_ words: [String], users: String = "name\nada\nbob\n") async throws -> (sent: [String], CommandLineRun) {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = try directory.write("shop.yaml", Self.shop)
        _ = try directory.write("users.csv", users)
        _ = try directory.write("ids.txt", "7\n8\n9\n")
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let url = String(request.request.url.absoluteString.dropFirst("http://shop/".count))
            sent.withLock { $0.append("\(request.request.method) \(url)") }
            return .respond(headers: [.contentType: "application/json"], body: Data("{\"id\":\"id-of-\(url)\"}".utf8))
        }
        let run = await CommandLineRun.run(
            [words[0], path] + words.dropFirst(), transport: transport, environment: ["HOME": directory.path])
        return (
            sent.withLock { $0 },
            CommandLineRun(
                status: run.status, output: run.output.replacing(directory.path + "/", with: ""),
                errors: run.errors.replacing(directory.path + "/", with: ""))
        )
    }

    @Test(arguments: [
        (["ids"], ["GET ids/7", "GET ids/8", "GET ids/9"]), (["ids[n=8]"], ["GET ids/8"]),
        (["ids", "--shard", "2/2"], ["GET ids/8"]),
        (["users/create"], ["PUT ada", "PUT bob", "DELETE id-of-bob", "DELETE id-of-ada"]),
    ])
    func `each item is sent, and is one as any other`(words: [String], sent: [String]) async throws {
        let (seen, run) = try await run(["run", "--trust", "--no-history"] + words)
        #expect(seen == sent, "\(run.output)")
        #expect(run.status == .success)
    }

    @Test func `a plan and a dry run have each item`() async throws {
        let (sent, plan) = try await run(["run", "--trust", "ids", "--plan"])
        #expect(plan.output == (1...3).map { "\($0)  GET  ids[n=\($0 + 6)]\n" }.joined())
        let dry = try await run(["run", "--trust", "ids", "--dry-run"])
        #expect(dry.1.output.contains("GET http://shop/ids/9\n"))
        #expect(sent.isEmpty && dry.sent.isEmpty)
    }

    @Test func `without leave nothing is sent, not even for the first item`() async throws {
        let (sent, shown) = try await run(["run", "--no-history", "--no-input"])
        #expect(sent.isEmpty)
        #expect(shown.status == .notAllowed)
        #expect(shown.errors.contains("users.csv   for-each   shop.yaml:4"), "\(shown.errors)")
        #expect(try await run(["run", "plain", "--no-history", "--no-input"]).sent == ["GET plain"])
        let refusal = "can't be sent: shop.yaml:4:17: it wants what isn't allowed: read "
        let plan = try await run(["run", "users/create", "--plan", "--no-input"])
        #expect(plan.1.output.contains("PUT     users/create  \(refusal)"), "\(plan.1.output)")
        let dry = try await run(["run", "users/create", "--dry-run", "--no-input"])
        #expect(dry.1.output.contains(refusal) && dry.1.status == .template)
    }
}
