import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ExportTests {
    /// The folder `Collections` of the source tree.
    private static let collections = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Collections").path(percentEncoded: false)

    @Test func `curl has a command for each request, under its name and place`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["export", "curl", path, "--tag", "smoke", "--env", "staging"])
        #expect(run.errors == "")
        #expect(run.status == .success)
        #expect(
            run.output.replacing(path, with: "shop.yaml") == """
                # login  shop.yaml:13:3
                # curl isn't told of `timeouts.idle`
                curl https://staging.example.com/login \\
                  --header 'accept: application/json' \\
                  --header 'Content-Type: application/json' \\
                  --data-raw '{
                  "user": "ada"
                }' \\
                  --location \\
                  --compressed

                # orders/create  shop.yaml:20:7
                # curl takes `x-key` along to any host that it is redirected to, and Turnstone doesn't; \
                without --location it goes to this one alone
                # curl isn't told of `timeouts.idle`
                curl 'https://staging.example.com/orders?page=1' \\
                  --header 'accept: application/json' \\
                  --header 'x-key: '"$SHOP_TOKEN" \\
                  --header 'Authorization: Bearer '"$SHOP_TOKEN" \\
                  --header Content-Type: \\
                  --data-raw '' \\
                  --location \\
                  --compressed

                """)
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: ["curl", "locust", "hurl", "http", "har", "opencollection"])
    func `what captures a variable goes along with what takes it`(format: String) async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              account: { get: "http://h/account", auth: { bearer: "{{token}}" } }
              login: { post: "http://h/login", capture: { token: .token } }
              other: { get: "http://h/other" }
            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["export", format, path, "account"])
        #expect(run.status == .success)
        #expect(run.output.contains("/login") && !run.output.contains("/other"), "\(run.output)")
        if format == "locust" { #expect(run.output.contains("need(self, \"login\", self.login, max_age=86400"), "\(run.output)") }
    }

    @Test func `what can't be filled in is said, and hides nothing else`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests:\n  a: { get: \"{{b}}\" }\n  c: { get: http://h/ }")
        let run = await CommandLineRun.run(["export", "curl", path])
        #expect(run.status == .template)
        #expect(run.errors == "turnstone: \(path):3:13: the variable `b` has no value\n")
        #expect(run.output.contains("\ncurl http://h/ "))
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: ["demo", "github.yaml"]) func `each shipped collection becomes a Locust file that compiles`(name: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let file = directory.file("locustfile.py")
        let run = await CommandLineRun.run(["export", "locust", "\(Self.collections)/\(name)", "-o", file])
        #expect(run.status == .success)
        #expect(run.output == "")
        let python = try ChildProcess.find("python3", package: "python3")
        #expect(try ChildProcess.run(python, ["-m", "py_compile", file]) == "")
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test func `weights go by name, folder and tag, the last that fits`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(
            ["export", "locust", path, "--weight", "orders=5", "--weight", "#smoke=2", "--env", "staging"])
        #expect(run.errors == "")
        let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let tasks = lines.indices.filter { lines[$0].hasPrefix("@task") }
        #expect(
            tasks.map { "\(lines[$0]) \(lines[$0 + 1])" } == [
                "@task(2) def login(self):", "@task(2) def orders_create(self):", "@task(5) def orders_list(self):",
            ])
        #expect(run.output.contains("ENVIRONMENT = \"staging\""))
        withExtendedLifetime(directory) {}
    }

    @Test func `no export has a secret in it`() async throws {
        let (directory, path) = try ShopFile.make()
        for format in ["curl", "locust"] {
            let run = await CommandLineRun.run(["export", format, path], environment: ["SHOP_TOKEN": "hunter2"])
            #expect(run.status == .success)
            #expect(run.output.contains("SHOP_TOKEN"))
            #expect(!run.output.contains("hunter2"))
        }
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: [
        (["k6"], "There is no export to k6. It takes curl, locust, hurl, http, har or opencollection."),
        (["hurl", "PATH", "--weight", "login=2"], "--weight is for a Locust file; Hurl sends once."),
        (["hurl", "PATH", "--dialect", "vscode"], "--dialect is for a .http file."),
        (["http", "PATH", "PATH"], "An export to a .http file is of one collection, and these are several: PATH, PATH."),
        (["curl", "PATH", "logn"], "There is no request logn in PATH. Did you mean login? `turnstone list` shows all of them."),
        (["curl", "PATH", "--env", "stagin"], "There is no environment stagin; there are local, staging."),
        (["curl", "PATH", "--weight", "login=2"], "--weight is for a Locust file; curl sends once."),
        (["locust", "PATH", "--var", "a=b"], "--var belongs to the Locust file: locust -f FILE --var NAME=VALUE."),
        (["locust", "PATH", "--weight", "logn=2"], "--weight logn=2: there is no such request or tag."),
    ])
    func `what can't be exported is named`(words: [String], message: String) async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["export"] + words.map { $0 == "PATH" ? path : $0 })
        #expect(run.status == .usage)
        #expect(run.errors.replacing(path, with: "PATH") == "turnstone: \(message)\n")
        #expect(run.output == "")
        withExtendedLifetime(directory) {}
    }

    @Test func `a directory has the requests with the environments beside them, and is new`() async throws {
        let (directory, path) = try ShopFile.make()
        for (format, names) in [
            ("hurl", ["local.vars", "shop.hurl", "staging.vars"]), ("http", ["http-client.env.json", "shop.http"]),
            ("opencollection", ["environments", "login.yml", "opencollection.yml", "orders"]),
        ] {
            let target = directory.file("\(format)/")
            let run = await CommandLineRun.run(["export", format, path, "-o", target], environment: ["SHOP_TOKEN": "hunter2"])
            #expect(run.status == .success, "\(run.errors)")
            #expect(run.output == "")
            let files = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
            #expect(Set(names).isSubset(of: files), "\(files)")
            #expect(!(run.errors.contains("hunter2")))
            let again = await CommandLineRun.run(["export", format, path, "-o", target])
            #expect(again.status == .usage)
            #expect(again.errors.contains("is there already, with something in it"))
            if format != "hurl" {
                let imported = await CommandLineRun.run(["import", target])
                #expect(imported.status == .success, "\(imported.errors)")
                #expect(imported.errors.contains("2 environments"), "\(imported.errors)")
            }
        }
    }

    @Test func `what other programs' files can't say is said, once for all requests`() async throws {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests:\n  a: { get: http://h/a, priority: high }\n  b: { get: http://h/b, priority: high, when: { x: exists } }"
        )
        let run = await CommandLineRun.run(["export", "hurl", path])
        #expect(run.status == .success)
        #expect(run.errors.contains("turnstone: `priority`: Hurl isn't told of it (a, b)\n"), "\(run.errors)")
        #expect(
            run.errors.contains("turnstone: b: `when`: it is sent although it should be only when x is exists\n"), "\(run.errors)")
        withExtendedLifetime(directory) {}
    }

    @Test func `a Locust file without a task is none`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests:\n  a: { get: http://h/, unix-socket: /s }")
        let run = await CommandLineRun.run(["export", "locust", path])
        #expect(run.status == .template)
        #expect(run.errors == "turnstone: Locust could send none of these requests:\n  a: not sent: it is sent to a Unix socket\n")
        withExtendedLifetime(directory) {}
    }
}
