import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct ShowTests {
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
        #expect(run.errors == "")
        #expect(run.output.contains("••••••"))
    }

    @Test func `--explain names the file and line of every value`() async throws {
        let (directory, path) = try ShopFile.make()
        let run = await CommandLineRun.run(["show", path, "create", "--explain", "--var", "host=http://h:1"])
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.first == "POST http://h:1/orders?page=1")
        #expect(lines.contains("header accept application/json defaults \(path):10"))
        #expect(lines.contains("query page 1 request \(path):22"))
        #expect(lines.contains("setting timeouts.idle 10 s defaults \(path):11"))
        #expect(lines.contains { $0.hasPrefix("variable host") && $0.contains("--var") })
        withExtendedLifetime(directory) {}
    }

    @Test func `--curl is a command for a shell, without secrets`() async throws {
        let run = try await show("orders/create", "--curl")
        #expect(run.output.hasPrefix("curl "))
        #expect(run.output.contains("--request POST"))
        #expect(run.output.contains("••••••"))
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
