import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// `set-up` and `tear-down`: what is sent, in which order, whatever fails.
@Suite struct RunStepsTests {
    private static let shop = """
        turnstone: 1
        variables: { host: http://shop }
        set-up: login
        tear-down: logout
        requests:
          login: { post: "{{host}}/login", capture: { token: .token } }
          logout: { post: "{{host}}/logout/{{token}}" }
          tenant:
            set-up: [make, fill]
            tear-down: drop
            requests:
              make: { post: "{{host}}/tenants", capture: { tenant: .token } }
              fill: { put: "{{host}}/{{tenant}}/stock" }
              drop: { delete: "{{host}}/tenants/{{tenant}}" }
              create:
                for-each: { sku: [A7, B9] }
                post: "{{host}}/orders/{{sku}}"
                capture: { order: .token }
                tear-down: delete
              read: { get: "{{host}}/orders" }
              delete: { delete: "{{host}}/orders/{{order}}" }
          other: { get: "{{host}}/other" }
        """

    /// What was sent, in order: method and path. An answer's token is `of-` and the last part of its path.
    private final class Shop: Sendable {
        final class Log: Sendable {
            let lines = Mutex<[String]>([])
        }

        private let log = Log()
        let transport: ScriptedTransport
        var sent: [String] { log.lines.withLock { $0 } }

        /// - Parameters:
        ///   - failing: the paths that are answered with 503.
        ///   - silent: the paths that are never answered.
        init(failing: Set<String> = [], silent: Set<String> = []) {
            let log = self.log
            transport = ScriptedTransport { request in
                let path = request.request.url.path()
                log.lines.withLock { $0.append("\(request.request.method.rawValue) \(path)") }
                if silent.contains(path) { return .nothing }
                return .respond(
                    status: failing.contains(path) ? .serviceUnavailable : .ok, headers: [.contentType: "application/json"],
                    body: Data("{\"token\":\"of-\(path.split(separator: "/").last ?? "")\"}".utf8))
            }
        }
    }

    private func run(
        _ words: [String], failing: Set<String> = [], of text: String = shop
    ) async throws -> (sent: [String], CommandLineRun) {
        let shop = Shop(failing: failing)
        let shown = try await run(words, shop, of: text)
        return (shop.sent, shown)
    }

    private func run(
        _ words: [String], _ shop: Shop, of text: String = shop, time: ManualTimeSource = ManualTimeSource(),
        interrupts: Interrupts = Interrupts()
    ) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make(text)
        defer { withExtendedLifetime(directory) {} }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: shop.transport, time: time,
            interrupts: interrupts, environment: ["HOME": directory.path])
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    private static let all = [
        "POST /login", "POST /tenants", "PUT /of-tenants/stock", "POST /orders/A7", "POST /orders/B9", "GET /orders", "GET /other",
        "DELETE /orders/of-B9", "DELETE /orders/of-A7", "DELETE /tenants/of-tenants", "POST /logout/of-login",
    ]

    @Test(arguments: [[], ["--jobs", "1"], ["login", "tenant", "other"]])
    func `folders are set up before they are used, and undone after, the last first`(words: [String]) async throws {
        let (sent, shown) = try await run(words)
        #expect(sent == Self.all)
        #expect(shown.status == .success)
        #expect(shown.output.contains("✓ tenant/drop  200 OK"))
        #expect(shown.output.contains("11 passed"))
    }

    @Test func `tear-downs go one after the other, also where several go at a time`() async throws {
        let (sent, _) = try await run(["--jobs", "8"])
        #expect(Set(sent) == Set(Self.all))
        #expect(Array(sent.suffix(4)) == Array(Self.all.suffix(4)))
        #expect(sent.first == "POST /login")
    }

    @Test func `the plan says what is a set-up, and what undoes what`() async throws {
        let (sent, shown) = try await run(["tenant/create", "--plan"])
        #expect(sent.isEmpty)
        #expect(
            shown.output == """
                1  POST    login  set-up
                2  POST    tenant/make  after login  set-up
                3  PUT     tenant/fill  after login, tenant/make (tenant)  set-up
                4  POST    tenant/create[sku=A7]  after login, tenant/make, tenant/fill
                5  POST    tenant/create[sku=B9]  after login, tenant/make, tenant/fill
                6  DELETE  tenant/delete[sku=B9]  tear-down of tenant/create[sku=B9]
                7  DELETE  tenant/delete[sku=A7]  tear-down of tenant/create[sku=A7]
                8  DELETE  tenant/drop  tear-down
                9  POST    logout  tear-down

                """)
    }

    @Test func `a step that somebody names is sent where it stands, and not once more`() async throws {
        #expect(
            try await run(["logout", "other"]).sent == ["POST /login", "POST /logout/of-login", "GET /other"])
        #expect(
            try await run(["tenant/create", "tenant/delete", "--var", "order=9"]).sent
                == [
                    "POST /login", "POST /tenants", "PUT /of-tenants/stock", "POST /orders/A7", "POST /orders/B9",
                    "DELETE /orders/9",
                    "DELETE /tenants/of-tenants", "POST /logout/of-login",
                ])
    }

    @Test func `when a set-up fails its folder isn't sent, and what was set up is undone`() async throws {
        let (sent, shown) = try await run(["--jobs", "4"], failing: ["/of-tenants/stock"])
        #expect(
            sent.filter { $0 != "GET /other" } == [
                "POST /login", "POST /tenants", "PUT /of-tenants/stock", "DELETE /tenants/of-tenants", "POST /logout/of-login",
            ])
        // It goes beside the steps of the folder, and what undoes waits for it.
        #expect(sent.firstIndex(of: "GET /other").map { (1...3).contains($0) } == true)
        #expect(shown.status == .expectationFailed)
        #expect(shown.output.contains("tenant/fill, which it needs, failed: its status was 503"))
        #expect(shown.output.contains("1 failed, 3 blocked"))
    }

    @Test func `a tear-down that fails fails the run, and the others are tried`() async throws {
        let (sent, shown) = try await run(["--fail", "--fail-fast"], failing: ["/orders/of-B9"])
        #expect(sent == Self.all)
        #expect(shown.status == .expectationFailed)
        #expect(shown.output.contains("✗ tenant/delete[sku=B9]  503 Service Unavailable"))
        #expect(shown.output.contains("10 passed, 1 failed"))
    }

    private static let uncertain = """
        turnstone: 1
        requests:
          make: { post: http://shop/make, capture: { id: .nothing }, tear-down: drop }
          checked: { post: http://shop/checked, expect: { status: 201 }, capture: { other: .token }, tear-down: undo }
          unsent: { post: "http://shop/{{id}}", tear-down: never }
          drop: { delete: "http://shop/{{id}}" }
          undo: { delete: "http://shop/{{other}}", needs: checked }
          never: { delete: http://shop/never }
        """

    @Test func `what failed is undone with what is known of it, and what was never sent isn't`() async throws {
        let (sent, shown) = try await run([], of: Self.uncertain)
        #expect(sent == ["POST /make", "POST /checked", "DELETE /of-checked"])
        #expect(shown.output.contains("- drop  tear-down\n    shop.yaml:6:19: `id` was never captured from `make`\n"))
        #expect(!shown.output.contains("never\n"))
        #expect(shown.output.contains("1 passed, 1 failed, 1 broken, 1 blocked, 1 skipped"))
    }

    @Test func `check takes a value that a set-up captures for one that is there`() async throws {
        let bench = Shop()
        let (directory, path) = try ShopFile.make(Self.shop)
        defer { withExtendedLifetime(directory) {} }
        let shown = await CommandLineRun.run(["check", path], transport: bench.transport)
        #expect(shown.output + shown.errors == "no errors and no warnings in 9 requests\n")
    }

    // MARK: Interrupts

    @Test func `an interrupt undoes what was begun, and says for how long`() async throws {
        let shop = Shop(silent: ["/orders/A7"])
        let interrupts = Interrupts()
        async let run = run([], shop, interrupts: interrupts)
        _ = await shop.transport.transfer(3)
        interrupts.interrupt()
        let ended = try await run
        #expect(ended.status == .cancelled)
        // The order may be there, but nobody knows by which name.
        #expect(Array(shop.sent.dropFirst(4)) == ["DELETE /tenants/of-tenants", "POST /logout/of-login"])
        #expect(ended.output.contains("Undoing what was begun, for 30 s at most; Ctrl-C again ends that.\n"))
    }

    @Test func `what an interrupt ends works again for what undoes`() async throws {
        let shop = Shop(silent: ["/slow"])
        let interrupts = Interrupts()
        let time = ManualTimeSource()
        let text = """
            turnstone: 1
            requests:
              slow: { get: http://shop/slow, tear-down: undo }
              undo: { get: http://shop/undo, delay: 1s, expect: { body: { '.token | test("undo")': true } } }
            """
        // Nothing was sent of what is never answered here, so the collection's own tear-down it is.
        async let run = run(
            ["slow"], shop,
            of: text.replacing("requests:", with: "tear-down: undo\nset-up: first\nrequests:\n  first: { get: http://shop/first }"),
            time: time, interrupts: interrupts)
        _ = await shop.transport.transfer(1)
        interrupts.interrupt()
        while time.nextDeadline != time.now + .seconds(1) { await Task.yield() }
        time.advance(by: .seconds(1))
        let ended = try await run
        #expect(shop.sent.last == "GET /undo")
        #expect(ended.output.contains("✓ undo  200 OK"), "\(ended.output)")
    }

    @Test(arguments: [true, false])
    func `a second interrupt ends that, and so does its time`(isAsked: Bool) async throws {
        let shop = Shop(silent: ["/other", "/logout/of-login"])
        let interrupts = Interrupts()
        let time = ManualTimeSource()
        // Only the time of the tear-down may pass.
        let text = Self.shop.replacing("tear-down: logout", with: "tear-down: logout\ndefaults: { timeouts: { idle: never } }")
        async let run = run(["other"], shop, of: text, time: time, interrupts: interrupts)
        _ = await shop.transport.transfer(1)
        interrupts.interrupt()
        _ = await shop.transport.transfer(2)
        if isAsked { interrupts.interrupt() } else { time.advance(by: .seconds(30)) }
        let ended = try await run
        #expect(ended.status == .cancelled)
        #expect(shop.sent == ["POST /login", "GET /other", "POST /logout/of-login"])
        #expect(ended.output.contains("1 passed, 2 not sent"))
    }

    // MARK: What can be known without sending
}
