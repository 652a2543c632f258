import CollectionRunner
import Foundation
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Synchronization
import TerminalUI
import Testing

@testable import CommandLineInterface

/// Whose cookies a request of a run sends, where it names no jar.
@Suite struct RunCookiesTests {
    private static let users = """
        turnstone: 1
        requests:
          guest: { get: "http://shop.test/guest" }
          users:
            for-each: { u: [ada, bob] }
            requests:
              login: { get: "http://shop.test/login/{{u}}", needs: [guest] }
              me: { get: "http://shop.test/me/{{u}}", needs: [login] }
          after: { get: "http://shop.test/after" }
        """

    @Test func `rows and items of a folder have their own cookies, and begin with those from outside`() async throws {
        let (directory, path) = try ShopFile.make(Self.users)
        defer { withExtendedLifetime(directory) {} }
        let transport = ScriptedTransport { request in
            let words = request.request.url.path().split(separator: "/").map(String.init)
            switch words[0] {
            case "guest": return .respond(headers: [.setCookie: "g=1; Path=/"])
            case "login": return .respond(headers: [.setCookie: "sid=\(words[1]); Path=/"])
            default: return .respond()
            }
        }
        let run = await CommandLineRun.run(["run", path, "--jobs", "4", "--no-history"], transport: transport)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        let sent = Dictionary(
            transport.requests.map { ($0.url.path(), $0.headers[.cookie] ?? "-") }, uniquingKeysWith: { first, _ in first })
        #expect(sent["/me/ada"] == "g=1; sid=ada")
        #expect(sent["/me/bob"] == "g=1; sid=bob")
        #expect(sent["/login/bob"] == "g=1", "what one item has signed in to the next one doesn't begin with")
        #expect(sent["/after"].map { !$0.contains("sid") } == true)
    }

    @Test func `rows of --data have their own cookies, and items of a request share those of it`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              login: { get: "http://shop.test/login/{{u}}" }
              add: { get: "http://shop.test/add/{{u}}/{{i}}", needs: [login], for-each: { i: [1, 2] } }
              look: { get: "http://shop.test/look/{{u}}", needs: [add] }
            """)
        let data = directory.file("users.csv")
        try "u\nada\nbob\n".write(toFile: data, atomically: true, encoding: .utf8)
        let transport = ScriptedTransport { request in
            let words = request.request.url.path().split(separator: "/").map(String.init)
            switch words[0] {
            case "login": return .respond(headers: [.setCookie: "sid=\(words[1]); Path=/"])
            case "add": return .respond(headers: [.setCookie: "item\(words[2])=1; Path=/"])
            default: return .respond()
            }
        }
        let run = await CommandLineRun.run(
            ["run", path, "--data", data, "--no-history"], transport: transport)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        let sent = Dictionary(
            transport.requests.map { ($0.url.path(), $0.headers[.cookie] ?? "-") }, uniquingKeysWith: { first, _ in first })
        #expect(sent["/login/bob"] == "-")
        #expect(sent["/add/bob/2"] == "sid=bob; item1=1")
        #expect(sent["/look/ada"] == "sid=ada; item1=1; item2=1")
        #expect(sent["/look/bob"] == "sid=bob; item1=1; item2=1")
    }
}

@Suite struct RunValueTests {
    private func collection() throws -> (TemporaryDirectory, RequestCollection) {
        let (directory, path) = try ShopFile.make(RunBench.text)
        return (directory, try RequestCollection.load(path: path))
    }

    private func ids(_ plan: RunPlan) -> [String] { plan.nodes.filter(\.isSelected).map(\.id.rawValue) }

    @Test func `a plan is in the file's order, however often it is repeated`() throws {
        let (directory, collection) = try collection()
        defer { withExtendedLifetime(directory) {} }
        let selection = RequestSelection(names: ["wrong", "login"])
        #expect(ids(RunPlan([collection], selection)) == ["login", "wrong"])
        #expect(ids(RunPlan([collection], selection, repeats: 2)) == ["login", "wrong", "login", "wrong"])
    }

    @Test(arguments: 1...7)
    func `shards are all of it, and nothing twice`(count: Int) throws {
        let (directory, collection) = try collection()
        defer { withExtendedLifetime(directory) {} }
        let all = ids(RunPlan([collection], RequestSelection()))
        let parts = (1...count).map { ids(RunPlan([collection], RequestSelection(), shard: Shard(number: $0, count: count))) }
        #expect(parts.flatMap { $0 }.sorted() == all.sorted())
        #expect(parts.map(\.count).max()! - parts.map(\.count).min()! <= 1)
    }

    @Test(arguments: ["1/1", "2/4", "4/4"])
    func `a shard is a part of a number`(text: String) {
        #expect(Shard(argument: text) != nil)
    }

    @Test(arguments: ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2", "1/2/3"])
    func `anything else is none`(text: String) {
        #expect(Shard(argument: text) == nil)
    }
}

@Suite struct RunFlowTests {
    /// `turnstone run`, with `TEXT` for requests: each answer is the next state, the last one again and again.
    private func run(_ requests: String, states: String..., words: [String] = [], environment: [String: String] = [:]) async throws
        -> CommandLineRun
    {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests:\n\(requests)\n")
        defer { withExtendedLifetime(directory) {} }
        let left = Mutex(states.isEmpty ? ["done"] : states)
        let transport = ScriptedTransport { _ in
            let state = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .respond(headers: [.contentType: "application/json"], body: Data("{\"state\":\"\(state)\"}".utf8))
        }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: transport, environment: environment)
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    private static let polling = "  job: { get: http://shop/job, until: { body: { .state: done }, every: 1ms, tries: 3 } }"

    @Test func `what is sent until it is as it should be says how often`() async throws {
        let shown = try await run(Self.polling, states: "queued", "done")
        #expect(shown.status == .success)
        #expect(shown.output.contains("✓ job  200 OK"))
        #expect(shown.output.contains("2 polls over "))
        #expect(shown.output.contains("1 passed"))
    }

    @Test func `reports have each time`() async throws {
        let json = try await run(Self.polling, states: "queued", "done", words: ["--report", "json=-"])
        #expect(json.output.contains(#""found" : "body .state \"queued\"""#))
        #expect(json.output.contains("\"found\" : \"all that is wanted\""))
        let junit = try await run(Self.polling, states: "queued", "done", words: ["--report", "junit=-"])
        #expect(junit.output.contains("<system-out>poll 1 at "))
        #expect(junit.output.contains("200, body .state &quot;queued&quot;&#10;poll 2 at "))
        let failed = try await run(Self.polling, states: "queued", words: ["--report", "junit=-"])
        #expect(failed.output.contains("failures=\"1\" errors=\"0\""))
        let html = try await run(Self.polling, states: "queued", "done", words: ["--report", "html=-"])
        #expect(html.output.contains("<ol class=\"polls\"><li>poll 1 at "))
        let har = try await run(Self.polling, states: "queued", "done", words: ["--report", "har=-"])
        #expect(har.output.components(separatedBy: "\"startedDateTime\"").count == 3)
    }

    @Test func `the plan says what is waited for`() async throws {
        let shown = try await run(Self.polling, words: ["--plan"])
        #expect(shown.output.contains("GET  job  until body .state is done, within 30s, every 1ms, at most 3 times"))
    }

    @Test func `a tag behind an exclamation mark leaves out`() async throws {
        let requests = """
              a: { get: http://shop/a, tags: [slow, smoke] }
              b: { get: http://shop/b, tags: [smoke] }
              c: { get: http://shop/c }
            """
        #expect(try await run(requests, words: ["--tag", "!slow", "--plan"]).output == "1  GET  b\n2  GET  c\n")
        #expect(try await run(requests, words: ["--tag", "smoke", "--tag", "!slow", "--plan"]).output == "1  GET  b\n")
        let unknown = try await run(requests, words: ["--tag", "!slwo"])
        #expect(unknown.status == .usage)
        #expect(unknown.errors.contains("There is no tag slwo."))
    }

    @Test func `a file gives environment variables, under those that are set`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/.env"
        try "# keys\nexport KEY='a b'\nHOST_NAME=x # shop\nQUOTED=\"1\\n2\"\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(
            try EnvironmentFile(argument: path).values() == ["KEY": "a b", "HOST_NAME": "x", "QUOTED": "1\n2"])
        let request = "  a: { get: 'http://shop/{{env(\"HOST_NAME\")}}', expect: { url: { ends-with: /x } } }"
        let shown = try await run(request, words: ["--env-file", path])
        #expect(shown.status == .success, "\(shown.output)\(shown.errors)")
        let set = try await run(request, words: ["--env-file", path], environment: ["HOST_NAME": "own"])
        #expect(set.status == .expectationFailed)
    }
}

/// `run --watch` at a terminal.
@Suite struct RunAtChangesTests {
    private typealias Tell = @Sendable (String) -> Void

    private static func text(_ path: String) -> String { "turnstone: 1\nrequests: { a: { get: \"http://shop/\(path)\" } }\n" }

    @Test func `a change while it runs counts, a broken file is waited for, and Ctrl-C ends with the last status`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("shop.yaml", Self.text("first"))
        let rows = try directory.write("users.csv", "u\nada\n")
        let watched = Mutex<[[String]]>([])
        let tell = Mutex<Tell?>(nil)
        @Sendable func change(to text: String) {
            try? Data(text.utf8).write(to: URL(filePath: file))
            tell.withLock { $0 }?(file)
        }
        let interrupts = Interrupts()
        // The run, the wait after it, the wait after the file that can't be read, the last run, the last wait.
        let listening = Mutex(0)
        interrupts.listens.withLock {
            $0 = {
                switch listening.withLock({ count in
                    count += 1
                    return count
                }) {
                case 3: change(to: Self.text("second"))
                case 5: interrupts.interrupt()
                default: break
                }
            }
        }
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let path = request.request.url.path()
            sent.withLock { $0.append(path) }
            if path == "/first" { change(to: "turnstone: 1\nrequests: [") }
            return .respond(status: path == "/first" ? .ok : .notFound)
        }
        let run = await CommandLineRun.run(
            ["run", file, "--watch", "--no-history", "--fail", "--data", rows], isTerminal: true, transport: transport,
            interrupts: interrupts, environment: ["HOME": directory.path],
            onChange: { paths, changed in
                watched.withLock { $0.append(paths) }
                tell.withLock { $0 = changed }
                return ()
            })
        #expect(sent.withLock { $0 } == ["/first", "/second"])
        #expect(run.status == .expectationFailed)
        #expect(watched.withLock { $0 } == [[file, rows], [file, rows], [file, rows]])
        #expect(run.output.components(separatedBy: "waiting for a change; Ctrl-C ends").count == 4)
        #expect(run.errors.contains("shop.yaml:3:1: this is not YAML"), "\(run.errors)")
    }

    @Test func `in a pipe it runs once`() async throws {
        let (directory, path) = try ShopFile.make(Self.text("a"))
        let run = await CommandLineRun.run(
            ["run", path, "--watch", "--no-history"], transport: ScriptedTransport { _ in .respond() },
            environment: ["HOME": directory.path],
            onChange: { _, _ in
                Issue.record("nobody waits for a change")
                return ()
            })
        #expect(run.status == .success && !run.output.contains("waiting"))
    }
}
