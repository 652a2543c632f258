import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ShowTests {
    @Test func `what another request captures is a placeholder, as an answer of a person would be`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              login: { post: "http://shop/login", capture: { token: { from: .token, secret: true }, id: .id } }
              order: { get: "http://shop/orders/:id", path: { id: "{{id}}" }, needs: login, headers: { x-id: "{{id}}", x-token: "{{token}}" } }
            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["show", path, "order"])
        #expect(run.errors == "")
        #expect(
            run.output == """
                GET http://shop/orders/‹id of login›
                x-id: ‹id of login›
                x-token: ‹token of login›

                """)
    }

    @Test(arguments: [
        (#"{{host}}/x?q=1"#, "‹host›/x?q=1"), (#"https://{{tenant}}.example.com"#, "https://‹Which one?›.example.com"),
        (#"http://h/{{host}}"#, "http://h/‹host›"),
    ]) func `a host that is asked for is shown as such`(url: String, shown: String) async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { host: '{{prompt("host")}}', tenant: '{{prompt("Which one?")}}' }
            requests: { a: { get: "\(url)" } }
            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["show", path, "a"])
        #expect(run.errors == "")
        #expect(run.output == "GET \(shown)\n")
        let dry = await CommandLineRun.run(["run", path, "--dry-run"])
        #expect(dry.output.contains("GET \(shown)\n"), "\(dry.output)\(dry.errors)")
        try String(contentsOfFile: path, encoding: .utf8).replacing("get:", with: "websocket:")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let session = await CommandLineRun.run(["show", path, "a"])
        #expect(session.output.hasPrefix("WEBSOCKET "), "\(session.errors)")
        #expect(session.output.hasSuffix("\(shown.hasPrefix("http://h/") ? "ws\(shown.dropFirst("http".count))" : shown)\n"))
    }

    @Test func `--reveal reads the secrets and shows them, also in a command`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            variables: { key: { secret: { env: SHOP_KEY } } }
            requests:
              a: { get: "http://shop/?token={{key}}", auth: { basic: { user: ada, password: "{{key}}" } }, headers: { x-api-key: "{{key}}" } }
            """)
        defer { withExtendedLifetime(directory) {} }
        func show(_ words: String...) async -> CommandLineRun {
            await CommandLineRun.run(["show", path, "a", "--trust"] + words, environment: ["SHOP_KEY": "it's 1"])
        }
        #expect(
            await show("--reveal").output == """
                GET http://shop/?token=it's%201
                x-api-key: it's 1
                Authorization: Basic \(Data("ada:it's 1".utf8).base64EncodedString())

                """)
        #expect(await show("--reveal", "--curl").output.contains(#"--header 'x-api-key: it'\''s 1'"#))
        #expect(await show("--reveal", "--explain").status == .usage)
        let untrusted = await CommandLineRun.run(["show", path, "a", "--reveal"], environment: ["SHOP_KEY": "it's 1"])
        #expect(untrusted.status == .notAllowed && untrusted.output == "")
    }

    @Test func `a body with parts is shown part by part`() async throws {
        let photo = """
            post: http://shop/photos
            body: { multipart: { title: Cat, data: { value: "{}", type: application/json }, photo: { file: cat.png } } }
            """
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests:\n  photo:\n    \(photo.replacing("\n", with: "\n    "))\n")
        let file = try directory.write("cat.png", "meow")
        func parts(_ length: String, _ file: String) -> [String] {
            ["", "title: Cat", "data: {} (application/json)", "photo: (the file \(file)\(length), as cat.png, image/png)", ""]
        }
        // What lies beside a collection of one file isn't the collection's.
        let alone = await CommandLineRun.run(["show", path, "photo"])
        #expect(
            alone.output.split(separator: "\n", omittingEmptySubsequences: false).suffix(5).map(String.init) == parts("", file),
            "\(alone.output)\(alone.errors)")
        try FileManager.default.createDirectory(atPath: "\(directory.path)/shop", withIntermediateDirectories: false)
        _ = try directory.write("shop/_collection.yaml", "turnstone: 1\n")
        _ = try directory.write("shop/photo.yaml", photo)
        let own = try directory.write("shop/cat.png", "meow")
        let run = await CommandLineRun.run(["show", "\(directory.path)/shop", "photo"])
        #expect(
            run.output.split(separator: "\n", omittingEmptySubsequences: false).suffix(5).map(String.init)
                == parts(", 4 bytes", own),
            "\(run.output)\(run.errors)")
    }

    private func show(_ words: String...) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["show", path] + words)
        withExtendedLifetime(directory) {}
        return run
    }

    @Test func `the request stands there as it would be sent`() async throws {
        let run = try await show("login", "--env", "staging")
        #expect(run.errors == "")
        #expect(run.output.hasPrefix("POST https://staging.example.com/login\n"))
        #expect(run.output.lowercased().contains("\naccept: application/json\n"))
        #expect(run.output.contains("ada"))
    }

    @Test func `secrets are masked without being read`() async throws {
        // SHOP_TOKEN isn't set: reading it would fail.
        let run = try await show("orders/create")
        #expect(run.status == .success)
        #expect(run.errors.hasPrefix("turnstone: sending it wants what isn't allowed yet:\n  new  env     SHOP_TOKEN"))
        #expect(run.output.contains("••••••"))
    }

    @Test func `--explain names the file and line of every value, and what it won over`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["show", path, "create", "--explain", "--env", "staging", "--var", "host=http://h:1"])
        let lines = run.output.replacing(path, with: "shop.yaml").split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(run.errors == "")
        #expect(run.status == .success)
        #expect(
            Array(lines.prefix { $0 != "settings" }) == [
                "url", "POST http://h:1/orders this request shop.yaml:21:15", "query", "page 1 this request shop.yaml:22:18",
                "headers", "accept application/json the collection's defaults shop.yaml:10:14",
                "x-key •••••• this request shop.yaml:23:20", "auth", "bearer the defaults of orders shop.yaml:18:17",
            ])
        let idle = try #require(lines.firstIndex(of: "timeouts.idle 10s the collection's defaults shop.yaml:11:15"))
        #expect(lines[idle + 1] == "instead of 30s the library")
        #expect(
            lines.suffix(from: try #require(lines.firstIndex(of: "variables"))).prefix { $0 != "wants" } == [
                "variables", "host http://h:1 --var",
                "instead of https://staging.example.com the environment staging shop.yaml:8:14",
                "instead of http://127.0.0.1:8080 the collection's variables shop.yaml:4:3",
                "token •••••• the collection's variables shop.yaml:5:3",
            ])
        withExtendedLifetime(directory) {}
    }

    @Test func `--explain keeps to columns, and tells of what takes away`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            defaults: { headers: { accept: a/b, x-gone: 1 } }
            requests:
              a: { get: http://h/, headers: { accept: text/csv, x-gone: ~, authorization: Bearer abc } }
            """)
        let run = await CommandLineRun.run(["show", path, "a", "--explain"])
        let lines = run.output.replacing(path, with: "shop.yaml").split(separator: "\n").map(String.init)
        #expect(
            lines[2...7] == [
                "headers",
                "  accept               text/csv       this request               shop.yaml:4:35",
                "    instead of         a/b            the collection's defaults  shop.yaml:2:24",
                "  x-gone               (removed)      this request               shop.yaml:4:53",
                "    instead of         1              the collection's defaults  shop.yaml:2:37",
                "  authorization        Bearer ••••••  this request               shop.yaml:4:64",
            ])
        withExtendedLifetime(directory) {}
    }

    @Test func `--explain shows the rest of a request in which something can't be filled in`() async throws {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests:\n  a: { get: \"http://h/{{nmae}}\", headers: { accept: a/b } }")
        let run = await CommandLineRun.run(["show", path, "a", "--explain", "--json"])
        #expect(run.status == .template)
        #expect(run.errors == "turnstone: \(path):3:13: the variable `nmae` has no value\n")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(json?["id"] as? String == "a")
        #expect(json?["url"] == nil)
        let rows = try #require(json?["explanation"] as? [[String: Any]])
        #expect(rows[0]["value"] as? String == "http://h/{{nmae}}")
        #expect(rows[0]["problem"] as? String == "the variable `nmae` has no value")
        #expect(rows[1]["name"] as? String == "accept")
        #expect(rows[1]["line"] as? Int == 3)
        #expect(rows[1]["removed"] as? Bool == false)
        withExtendedLifetime(directory) {}
    }

    @Test func `--curl is a command for a shell, without secrets`() async throws {
        let run = try await show("orders/create", "--curl")
        #expect(run.output.hasPrefix("curl "))
        #expect(run.output.contains("--data-raw ''"))
        #expect(run.output.contains("--header 'Authorization: Bearer '\"$SHOP_TOKEN\""))
        #expect(
            run.errors == """
                turnstone: curl takes `x-key` along to any host that it is redirected to, and Turnstone doesn't; \
                without --location it goes to this one alone
                turnstone: curl isn't told of `timeouts.idle`

                """)
    }

    @Test func `--json can be read`() async throws {
        let run = try await show("login", "--json", "--explain")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(json?["method"] as? String == "POST")
        #expect(json?["url"] as? String == "http://127.0.0.1:8080/login")
        #expect((json?["explanation"] as? [Any])?.isEmpty == false)
    }

    @Test func `what can't be shown is named`() async throws {
        #expect(
            try await show("orders").errors.hasSuffix(
                "orders is more than one request: orders/create, orders/list. Name one of them.\n"))
        #expect(try await show().errors.hasPrefix("turnstone: show takes the name of a request"))
        let environment = try await show("login", "--env", "stagin")
        #expect(environment.status == .template)
        #expect(environment.errors.contains("stagin"))
        let variable = try await show("login", "--var", "x")
        #expect(variable.errors == "turnstone: --var x has no =. It takes NAME=VALUE.\n")
    }
}
