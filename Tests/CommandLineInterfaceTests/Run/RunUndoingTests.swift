import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// Items that only an answer gives: they are undone one by one; and what an interrupt finds that isn't sent yet.
@Suite struct RunUndoingTests {
    /// What was sent, in order. An order's number is that of its item and 10.
    private final class Orders: Sendable {
        final class Log: Sendable {
            let lines = Mutex<[String]>([])
        }

        private let log = Log()
        let transport: ScriptedTransport
        var sent: [String] { log.lines.withLock { $0 } }

        init(failing: Set<String> = []) {
            let log = self.log
            transport = ScriptedTransport { request in
                let path = request.request.url.path()
                log.lines.withLock { $0.append("\(request.request.method.rawValue) \(path)") }
                let answer =
                    switch path {
                    case "/ids": #"{"ids": [1, 2, 3]}"#
                    case "/none": #"{"ids": []}"#
                    case "/pages/": #"{"next": "a", "id": 11}"#
                    case "/pages/a": #"{"next": null, "id": 12}"#
                    default: #"{"id": 1\#(path.last ?? "0")}"#
                    }
                return .respond(
                    status: failing.contains(path) ? .internalServerError : .ok, headers: [.contentType: "application/json"],
                    body: Data(answer.utf8))
            }
        }
    }

    private func run(_ words: [String], _ requests: String, _ orders: Orders = Orders()) async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make("turnstone: 1\nvariables: { host: http://shop }\nrequests:\n\(requests)")
        defer { withExtendedLifetime(directory) {} }
        let shown = await CommandLineRun.run(
            words.first == "check" ? ["check", path] : ["run", path, "--trust", "--no-history"] + words,
            transport: orders.transport, time: ManualTimeSource(), environment: ["HOME": directory.path])
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    private static let loop = """
          list: { get: "{{host}}/ids", capture: { ids: .ids } }
          make: { post: "{{host}}/make/{{i}}", for-each: { i: "{{ids}}" }, capture: { order: .id }, expect: { status: 200 }, tear-down: undo }
          undo: { delete: "{{host}}/orders/{{order}}/{{i}}/{{loop.number}}" }

        """

    @Test(arguments: ["1", "8"])
    func `items that an answer gives are undone one by one, the last first, also those that failed`(jobs: String) async throws {
        let orders = Orders(failing: ["/make/2"])
        let shown = try await run(["--jobs", jobs], Self.loop, orders)
        #expect(orders.sent.suffix(3) == ["DELETE /orders/13/3/3", "DELETE /orders/12/2/2", "DELETE /orders/11/1/1"])
        #expect(shown.output.contains("✓ undo[i=3]  200 OK  0 µs  tear-down\n✓ undo[i=2]"), "\(shown.output)")
        #expect(shown.output.hasSuffix("6 passed, 1 failed in 0 µs\n"))
        #expect(shown.status == .expectationFailed)
    }

    @Test func `what was never sent is not undone, and one without its value is skipped alone`() async throws {
        let none = Orders()
        _ = try await run([], Self.loop.replacing("/ids", with: "/none"), none)
        #expect(none.sent == ["GET /none"])
        let orders = Orders()
        let shown = try await run([], Self.loop.replacing("order: .id", with: "order: 'body: /(1[13])/'"), orders)
        #expect(orders.sent.suffix(2) == ["DELETE /orders/13/3/3", "DELETE /orders/11/1/1"])
        #expect(shown.output.contains("- undo[i=2]  tear-down\n    shop.yaml:6:19: `order` was never captured from `make`\n"))
    }

    @Test func `the plan says so, and check has nothing against the item in what undoes it`() async throws {
        let plan = try await run(["--plan"], Self.loop)
        #expect(plan.output.hasSuffix("3  DELETE  undo  tear-down of each item of make\n"), "\(plan.output)")
        let checked = try await run(["check"], Self.loop)
        #expect(checked.status == .success, "\(checked.output)")
        let known = try await run(["check"], Self.loop.replacing("\"{{ids}}\"", with: "[1, 2]"))
        #expect(known.status == .success, "\(known.output)")
        let looped = Self.loop.replacing("/{{i}}/{{loop.number}}\" }", with: "\", for-each: { k: \"{{ids}}\" } }")
        let both = try await run(["check"], looped)
        #expect(both.output.contains("`make` is sent for items that only an answer gives, and so is `undo`, which undoes it"))
    }

    @Test func `what is being filled in when an interrupt comes is not sent`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              a: { get: 'http://shop/a?{{command("cat", "pipe")}}', tear-down: undo }
              undo: { delete: http://shop/a }
            """)
        let pipe = directory.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let orders = Orders()
        let interrupts = Interrupts()
        async let run = CommandLineRun.run(
            ["run", path, "--trust", "--no-history"], transport: orders.transport, time: ManualTimeSource(), interrupts: interrupts,
            environment: ["HOME": directory.path, "PATH": "/usr/bin:/bin"])
        // It can be opened once the command reads it.
        var descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
        while descriptor < 0 {
            await Task.yield()
            descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
        }
        // The interrupt may end the command before it reads: without another reader the byte would end this process by SIGPIPE.
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        interrupts.interrupt()
        _ = write(descriptor, "x", 1)
        close(descriptor)
        let ended = await run
        #expect(orders.sent.isEmpty)
        #expect(ended.status == .cancelled)
        #expect(ended.output.hasSuffix("1 not sent in 0 µs\n"), "\(ended.output)")
    }
}
