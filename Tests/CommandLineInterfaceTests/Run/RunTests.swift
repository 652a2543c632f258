import ArgumentParser
import CollectionRunner
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct RunTests {
    @Test func `what passes is a line, and what fails says why and where it stands`() async throws {
        let run = try await RunBench.run("login", "orders", "wrong")
        #expect(run.status == .expectationFailed)
        #expect(
            run.output == """
                ✓ login  200 OK  0 µs
                ✓ orders  200 OK  0 µs
                ✗ wrong  200 OK  0 µs
                    shop.yaml:19:7: expected status to be 201, and found 200 OK
                    shop.yaml:20:17: expected header x-a to be "b", and found nothing
                      body: text

                2 passed, 1 failed in 0 µs

                """)
        #expect(run.errors == "")
    }

    @Test func `a jar keeps cookies from one request to the next, and to the next process`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            defaults: { cookie-jar: shop }
            requests:
              login: { get: "http://shop.test/login" }
              look: { get: "http://shop.test/look" }
              alone: { get: "http://shop.test/alone", cookie-jar: "" }
            """)
        let transport = ScriptedTransport { request in
            request.request.url.path() == "/login" ? .respond(headers: [.setCookie: "sid=1; Path=/; Max-Age=600"]) : .respond()
        }
        let state = try TemporaryDirectory()
        func run(_ words: String...) async -> [String] {
            let count = transport.requests.count
            let run = await CommandLineRun.run(
                ["run", path, "--trust", "--no-history"] + words, transport: transport, environment: ["XDG_STATE_HOME": state.path])
            #expect(run.status == .success, "\(run.output)\(run.errors)")
            return transport.requests[count...].map { $0.headers[.cookie] ?? "-" }
        }
        #expect(await run("login", "look") == ["-", "sid=1"])
        #expect(await run("look", "alone") == ["sid=1", "-"])
        withExtendedLifetime(directory) {}
    }

    @Test func `cookies live as long as the run, but for who wants none`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              login: { get: "http://shop.test/login" }
              look: { get: "http://shop.test/look" }
              elsewhere: { get: "http://other.test/look" }
              own: { get: "http://shop.test/own", cookies: { sid: mine } }
              alone: { get: "http://shop.test/alone", cookie-jar: "" }
            """)
        let transport = ScriptedTransport { request in
            request.request.url.path() == "/login" ? .respond(headers: [.setCookie: "sid=1; Path=/; Max-Age=600"]) : .respond()
        }
        let state = try TemporaryDirectory()
        let (other, stranger) = try ShopFile.make(
            "turnstone: 1\nrequests:\n  steal: { get: \"http://shop.test/steal\" }\n")
        for _ in 0..<2 {
            let count = transport.requests.count
            let run = await CommandLineRun.run(
                ["run", path, stranger, "--jobs", "1", "--no-history"], transport: transport,
                environment: ["XDG_STATE_HOME": state.path])
            #expect(run.status == .success, "\(run.output)\(run.errors)")
            #expect(transport.requests[count...].map { $0.headers[.cookie] ?? "-" } == ["-", "sid=1", "-", "sid=mine", "-", "-"])
        }
        withExtendedLifetime(other) {}
        #expect(try FileManager.default.subpathsOfDirectory(atPath: state.path).filter { $0.contains("cookies") } == [])
        withExtendedLifetime(directory) {}
    }

    @Test func `names, patterns, folders and tags choose`() async throws {
        #expect(try await RunBench.run("--tag", "smoke").output.contains("2 passed"))
        #expect(try await RunBench.run("log*").output.contains("1 passed"))
        let wrong = try await RunBench.run("ordrs")
        #expect(wrong.status == .usage)
        #expect(
            wrong.errors
                == "turnstone: There is no request ordrs in shop.yaml. Did you mean orders? `turnstone list` shows all of them.\n")
    }

    @Test func `a request that is to fail passes when it fails as it should, and else says how it failed`() async throws {
        let text = """
            turnstone: 1
            requests:
              late: { get: http://shop/late, mock: { error: timeout }, expect: { error: timeout, attempts: 1 } }
              after: { get: http://shop/after, needs: late }
              lost: { get: http://shop/lost, mock: { error: dns }, expect: { error: timeout } }
              counted: { get: http://shop/counted, mock: { error: dns }, expect: { error: dns, attempts: 2 } }
              never: { get: http://shop/never, mock: { error: dns }, expect: { error: missing } }
              fine: { get: http://shop/fine, expect: { error: [timeout, dns] } }
            """
        let good = try await RunBench.run("late", "after", "--mocks", text: text)
        #expect(good.status == .success)
        #expect(good.output == "✓ late  0 µs\n✓ after  200 OK  0 µs\n\n2 passed in 0 µs\n")
        let bad = try await RunBench.run("lost", "counted", "never", "fine", "--mocks", text: text)
        #expect(bad.status == .expectationFailed)
        #expect(
            bad.output == """
                ✗ lost  0 µs
                    shop.yaml:5:66: expected error to be timeout, and found dns, dns.name_not_resolved, The mock of GET http://shop/lost fails with dns, as its file says.
                ✗ counted  0 µs
                    shop.yaml:6:84: expected attempts to be 2, and found 1
                ✗ never  0 µs
                    shop.yaml:7:68: expected error to be missing, and found dns, dns.name_not_resolved, The mock of GET http://shop/never fails with dns, as its file says.
                ✗ fine  200 OK  0 µs
                    shop.yaml:8:44: expected error to be timeout or dns, and found nothing

                4 failed in 0 µs

                """)
    }

    @Test func `a body that isn't kept has a size, and else nobody can look at it`() async throws {
        let text = """
            turnstone: 1
            defaults: { response: { keep: none } }
            requests:
              sized: { get: http://shop/text, expect: { size: 4, status: 200 } }
              looked: { get: http://shop/orders, expect: { body: { .total: 2 } } }
              read: { get: http://shop/text, expect: { body: text } }
              taken: { get: http://shop/text, capture: { it: body } }
            """
        let reason = "the body isn't kept, as `response: { keep: none }` wants it"
        let run = try await RunBench.run(text: text)
        #expect(
            run.output == """
                ✓ sized  200 OK  0 µs
                ✗ looked  200 OK  0 µs
                    shop.yaml:5:56: expected body .total to be 2, and found nothing: \(reason)
                ✗ read  200 OK  0 µs
                    shop.yaml:6:44: expected body to be "text", and found nothing: \(reason)
                ! taken  200 OK  0 µs
                    shop.yaml:7:46: nothing to capture for it: \(reason)

                1 passed, 2 failed, 1 broken in 0 µs

                """)
    }

    private static let chain = """
        turnstone: 1
        requests:
          login: { post: http://shop/login, capture: { token: .token } }
          orders: { get: http://shop/orders, needs: login, headers: { a: "{{token}}" } }
          look: { get: http://shop/look, needs: [login, orders] }
        """

    @Test func `what is needed is sent once, and is in the output and the reports`() async throws {
        let run = try await RunBench.run("look", text: Self.chain)
        #expect(run.status == .success)
        #expect(
            run.output == """
                ✓ login  200 OK  0 µs  needed
                ✓ orders  200 OK  0 µs  needed
                ✓ look  200 OK  0 µs

                3 passed in 0 µs

                """)
        let json = try await RunBench.run("look", "--report", "json=-", "--quiet", text: Self.chain).output
        #expect(json.components(separatedBy: "\"selected\" : false").count == 3)
        let har = try await RunBench.run("look", "--report", "har=-", "--quiet", text: Self.chain).output
        #expect(har.components(separatedBy: "http://shop/login").count == 2)
    }

    @Test func `one failure is one red line, and what it blocks says so`() async throws {
        let text = Self.chain.replacing("capture: { token: .token }", with: "expect: { status: 201 }, capture: { token: .token }")
        let junit = try await RunBench.run("--report", "junit=-", text: text)
        #expect(junit.status == .expectationFailed)
        #expect(junit.errors.contains("1 failed, 2 blocked in"))
        #expect(junit.output.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""))
        let run = try await RunBench.run("--report", "tap=-", text: text)
        #expect(run.output.contains("not ok 1 - login\n"))
        #expect(
            run.output.contains(
                "\nok 2 - orders # SKIP shop.yaml:4:45: orders was not sent: login, which it needs, failed: expected status"))
    }

    @Test func `an answer that nobody can use is red, and what it blocks says why`() async throws {
        let text = Self.chain.replacing("http://shop/login,", with: "http://shop/login, mock: { status: 403, body: { token: t } },")
        let run = try await RunBench.run("--mocks", "--report", "tap=-", text: text)
        #expect(run.status == .expectationFailed)
        #expect(run.errors.contains("1 failed, 2 blocked in"))
        #expect(run.errors.hasPrefix("✗ login  403 Forbidden  0 µs\n    its status was 403, and others need its answer; "))
        #expect(run.output.contains("not ok 1 - login\n"))
        #expect(
            run.output.contains(
                "\nok 2 - orders # SKIP shop.yaml:4:45: orders was not sent: login, which it needs, failed: its status was 403\n"))
        #expect(try await RunBench.run("login", "--mocks", text: text).status == .success)
    }

    @Test func `a status of 400 or more that nobody expected is no failure, and can't be missed`() async throws {
        let text = """
            turnstone: 1
            requests:
              lost: { get: http://shop/lost, mock: { status: 404 } }
              meant: { get: http://shop/meant, mock: { status: 404 }, expect: { status: 404 } }
            """
        let run = try await RunBench.run("--mocks", text: text)
        #expect(run.status == .success)
        #expect(
            run.output == """
                ⚠ lost  404 Not Found  0 µs
                ✓ meant  404 Not Found  0 µs

                2 passed (1 with a status of 400 or more) in 0 µs

                """)
        let json = try await RunBench.run("--mocks", "--report", "json=-", text: text).output
        #expect(json.components(separatedBy: "\"unexpected_status\" : true").count == 2)
        #expect(try await RunBench.run("--mocks", "--report", "html=-", text: text).output.contains("passed doubtful"))
    }

    @Test func `what fail-fast cancels in the middle may have been acted on, and is no success`() async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              charge: { post: http://shop/charge }
              bad: { get: http://shop/bad, expect: { status: 200 } }
              last: { get: http://shop/last }
            """)
        let transport = ScriptedTransport { request in
            request.request.url.path() == "/bad"
                ? .nothing : [.connectionAcquired(.loopback), .requestHeadSent(Data("POST".utf8)), .requestSent]
        }
        let tap = directory.file("report.tap")
        let junit = directory.file("report.xml")
        async let running = CommandLineRun.run(
            [
                "run", path, "--no-history", "--jobs", "2", "--fail-fast", "--report", "tap=\(tap)", "--report",
                "junit=\(junit)",
            ], transport: transport, time: ManualTimeSource())
        let both = [await transport.transfer(0), await transport.transfer(1)]
        try #require(both.first { $0.request.request.url.path() == "/bad" }).respond(.internalServerError)
        let run = await running
        #expect(run.status == .expectationFailed)
        let reason = "cancelled, since another request failed; it was sent, and may have been acted on"
        #expect(run.output.contains("! charge  0 µs\n    \(reason)\n"), "\(run.output)")
        #expect(run.output.hasSuffix("1 failed, 1 cancelled, 1 not sent in 0 µs\n"))
        let lines = try String(contentsOfFile: tap, encoding: .utf8)
        #expect(lines.contains("ok 1 - charge # SKIP \(reason)\n"))
        #expect(lines.contains("ok 3 - last # SKIP another request failed\n"))
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(xml.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""))
        #expect(xml.contains("<skipped message=\"\(reason)\"/>\n      <system-out>"), "\(xml)")
    }

    @Test func `a collection without a request is a mistake of use, and a part without one is not`() async throws {
        let empty = try await RunBench.run(text: "turnstone: 1\nname: Shop")
        #expect(empty.status == .usage)
        #expect(empty.errors == "turnstone: There is no request in shop.yaml.\n")
        let given = await CommandLineRun.run(["run", "-"], input: "turnstone: 1\n", transport: RunBench.answers)
        #expect(given.status == .usage)
        #expect(given.errors == "turnstone: There is no request in standard input.\n")
        let (directory, _) = try ShopFile.make("turnstone: 1")
        let inside = directory.file("empty")
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
        try Data("turnstone: 1\n".utf8).write(to: URL(filePath: "\(inside)/_collection.yaml"))
        #expect(await CommandLineRun.run(["run", inside], transport: RunBench.answers).status == .usage)
        let shard = try await RunBench.run("login", "--shard", "2/2")
        #expect(shard.status == .success, "\(shard.errors)")
        #expect(shard.output == "\nnothing to send in 0 µs\n")
    }

    @Test func `a variable of the command line that nothing uses is named`() async throws {
        let run = try await RunBench.run("login", "--var", "hots=http://a", "--var-text", "host=http://b", "--var", "nowhere=1")
        #expect(run.status == .success)
        #expect(run.errors == "turnstone: Nothing uses the variable hots. Did you mean host?\n")
    }

    @Test func `what stands behind "not" and is no operator is said once`() async throws {
        let text = """
            turnstone: 1
            requests:
              a:
                get: http://shop/orders
                expect:
                  body: not equals 2
              b: { get: http://shop/orders, expect: { body: not contain x } }
            """
        let run = try await RunBench.run("a", "--repeat", "2", text: text)
        #expect(run.status == .success)
        #expect(
            run.errors
                == "turnstone: shop.yaml:6:13: `equals 2` is no operator but a text, and `not` holds for everything else; in quotes it would be clear that it is meant\n"
        )
    }

    @Test func `events aren't written over a question either`() throws {
        let terminal = CaughtOutput(isTerminal: true)
        let context = CommandLineContext(
            standardInput: GivenInput(bytes: Data()), standardOutput: terminal, standardError: terminal, environment: [:],
            transport: RunBench.answers, time: ManualTimeSource(), explore: { _ in .success }, onInterrupt: { _ in Interrupts() })
        let screen = RunScreen(try Run.parse(["--events", "jsonl"]), planned: 1, context)
        let operation = RequestOperation(Request(url: try #require(URL(string: "http://a/"))))
        func event(_ number: Int) -> NetworkEvent {
            NetworkEvent(operation: operation.id, sequence: number, time: .zero, kind: .transition(from: .idle, to: .preparing))
        }
        screen.hold()
        screen.observe(event(0), of: operation)
        #expect(terminal.text == "")
        screen.release()
        screen.observe(event(1), of: operation)
        let lines = terminal.text.split(separator: "\n")
        #expect(lines.map { $0.contains("\"sequence\":0,") } == [true, false])
    }

    @Test func `what can't be planned is said before anything is sent, and is a mistake of use`() async throws {
        let text = """
            turnstone: 1
            requests:
              a: { get: "http://shop/{{y}}", capture: { x: .x } }
              b: { get: "http://shop/{{x}}", capture: { y: .y } }
              c: { get: http://shop/c }
            """
        let run = try await RunBench.run(text: text)
        #expect(run.status == .usage)
        #expect(run.output == "")
        #expect(run.errors == "turnstone: shop.yaml:4:13: the requests need each other in a circle: a → b → a\n")
        #expect(try await RunBench.run("c", text: text).status == .success)
    }

    @Test func `fail-fast sends nothing more`() async throws {
        let run = try await RunBench.run("wrong", "login", "--fail-fast")
        #expect(run.output.contains("✓ login"))
        #expect(run.output.contains("1 passed, 1 failed"))
        let first = try await RunBench.run("wrong", "keyed", "mocked", "--fail-fast", "--quiet")
        #expect(first.output.hasSuffix("1 failed, 2 not sent in 0 µs\n"))
        #expect(!first.output.contains("- keyed"))
    }

    @Test func `mocks answer without the network`() async throws {
        #expect(try await RunBench.run("mocked").status == .expectationFailed)
        let run = try await RunBench.run("mocked", "--mocks")
        #expect(run.status == .success)
        #expect(run.output.hasPrefix("✓ mocked  202 Accepted"))
    }

    @Test func `a secret that can't be read is authentication, and one that can is in no output`() async throws {
        let none = try await RunBench.run("keyed")
        #expect(none.status == .authentication)
        #expect(none.output.contains("the environment variable `SHOP_KEY` isn't set; set it, and start again"))
        for format in ["junit", "tap", "json", "html", "har"] {
            let run = try await RunBench.run(
                "keyed", "login", "orders", "--report", "\(format)=-", environment: ["SHOP_KEY": "k3y-secret"])
            #expect(run.status == .success, "\(run.errors)")
            for secret in ["k3y-secret", "tok-1"] {
                #expect(!run.output.contains(secret), "\(format)")
                #expect(!run.errors.contains(secret), "\(format)")
            }
        }
        let events = try await RunBench.run(
            "keyed", "login", "orders", "--events", "jsonl", environment: ["SHOP_KEY": "k3y-secret"])
        for secret in ["k3y-secret", "tok-1"] { #expect(!events.output.contains(secret)) }
        #expect(events.output.contains(#""event":"completed""#))
    }

    @Test func `events are on standard output, and the talk is not`() async throws {
        let run = try await RunBench.run("login", "--events", "jsonl")
        #expect(run.errors.hasPrefix("✓ login"))
        let lines = run.output.split(separator: "\n")
        #expect(lines.allSatisfy { JSONParser.parse(String($0)) != nil })
        #expect(lines.first?.contains(#""event":"plan""#) == true)
        #expect(lines.dropFirst().first?.contains(#""event":"enqueued""#) == true)
        #expect(lines.last?.contains(#""event":"completed""#) == true)
        #expect(lines.allSatisfy { $0.contains(#""request":"login""#) })
        // Of a key that is there twice a reader takes the last.
        #expect(lines.allSatisfy { $0.components(separatedBy: #""request":"#).count == 2 })
    }

    @Test func `several collections are run one after the other`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: http://shop/a } }")
        let other = directory.file("other.yaml")
        try Data("turnstone: 1\nrequests: { b: { get: http://shop/b } }".utf8).write(to: URL(filePath: other))
        func run(_ words: String...) async -> CommandLineRun {
            await CommandLineRun.run(["run"] + words + ["--no-history"], transport: RunBench.answers, time: ManualTimeSource())
        }
        let both = await run(path, other)
        #expect(both.status == .success, "\(both.errors)")
        #expect(both.output == "✓ a  200 OK  0 µs\n✓ b  200 OK  0 µs\n\n2 passed in 0 µs\n")
        #expect(await run(path, other, "b").output.contains("1 passed"))
        #expect(await run(path, directory.file("none.yaml")).errors.contains("There is no collection at "))
    }

    @Test func `a collection may come on standard input, beside others`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: http://shop/a } }")
        defer { withExtendedLifetime(directory) {} }
        func run(_ words: String..., input: String) async -> CommandLineRun {
            await CommandLineRun.run(
                ["run"] + words + ["--no-history"], input: input, transport: RunBench.answers, time: ManualTimeSource())
        }
        let given = "turnstone: 1\nrequests: { b: { get: http://shop/b } }"
        #expect(await run("-", input: given).output == "✓ b  200 OK  0 µs\n\n1 passed in 0 µs\n")
        #expect(await run("-", path, "a", input: given).output == "✓ a  200 OK  0 µs\n\n1 passed in 0 µs\n")
        #expect(await run(path, "-", input: given).output == "✓ a  200 OK  0 µs\n✓ b  200 OK  0 µs\n\n2 passed in 0 µs\n")
        #expect(await run("-", input: "a: [").errors.contains("this is not YAML"))
    }

    @Test func `a plan says what would be sent in which order, and nothing is sent`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              login: { post: http://shop/login, capture: { token: .token, id: .id } }
              stock: { get: http://shop/stock }
              create: { method: PURGE, url: "http://shop/{{id}}/{{token}}", needs: { login: { max-age: 1h }, stock: } }
              last: { get: "http://shop/{{next | default('a')}}", capture: { next: .next } }
              page: { get: "http://shop/{{next | default('b')}}" }
            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["run", path, "create", "last", "page", "--plan", "--repeat", "3"], transport: transport)
        #expect(run.status == .success, "\(run.errors)")
        #expect(
            run.output == """
                1  POST   login  needed  unless it was answered less than 60m ago
                2  GET    stock  after login  needed
                3  PURGE  create  after login (id, token), stock
                4  GET    last
                5  GET    page  after last
                all of it 3 times

                """)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a variable of the command line has the type that it looks like, unless it is to be a text`() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              a: { post: http://shop/, body: { json: ["{{n}}", "{{l}}", "{{t}}", "{{z}}", "{{s}}"] } }
            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            [
                "run", path, "--no-history", "--var", "n=7", "--var", "l=[1, a]", "--var-text", "t=7", "--var", "z=007", "--var",
                "s=a: #b",
            ], transport: transport)
        #expect(run.status == .success, "\(run.errors)")
        guard case .data(let body)? = transport.requests.first?.body else { return #expect(Bool(false)) }
        #expect(JSONParser.parse(String(decoding: body, as: UTF8.self)) == JSONParser.parse(#"[7, [1, "a"], "7", "007", "a: #b"]"#))
        #expect(
            await CommandLineRun.run(["run", path, "--var-text", "x"]).errors
                == "turnstone: --var-text x has no =. It takes NAME=VALUE.\n")
    }

    @Test func `while a question is open nothing is drawn over it`() async throws {
        let output = CaughtOutput(isTerminal: true)
        let context = CommandLineContext(
            standardInput: GivenInput(bytes: Data()), standardOutput: output, standardError: output, environment: ["NO_COLOR": "1"],
            transport: RunBench.answers, time: ManualTimeSource(), explore: { _ in .success }, onInterrupt: { _ in Interrupts() })
        let screen = RunScreen(try Run.parse([]), planned: 1, context)
        let collection = RequestCollection(path: "shop.yaml", name: "shop")
        let location = SourceLocation(path: "shop.yaml", line: 1, column: 1)
        let definition = RequestDefinition(id: RequestID(rawValue: "a"), method: "GET", url: "http://a/", location: location)
        screen.hold()
        screen.show(RunOutcome.Entry(job: RunJob(definition, in: collection), result: nil))
        #expect(output.text == "")
        screen.release()
        #expect(output.text == "- a\n    not sent, since another request failed\n")
    }

    @Test func `the only collection in a directory needs no name`() throws {
        let directory = try TemporaryDirectory()
        func choose() throws -> [String] {
            try CollectionChoice(["a"], environment: [:], directory: directory.path).collections.map(\.name)
        }
        try Data("a: 1\n".utf8).write(to: URL(filePath: directory.file("other.yaml")))
        #expect(throws: CommandFailure.self) { try choose() }
        try Data("# shop\nturnstone: 1\nrequests: { a: { get: http://a/ } }\n".utf8).write(
            to: URL(filePath: directory.file("shop.yaml")))
        #expect(try choose() == ["shop"])
        try Data("\u{FEFF}turnstone: 1\nrequests: { a: { get: http://a/ } }\n".utf8).write(
            to: URL(filePath: directory.file("shop.yaml")))
        #expect(try choose() == ["shop"])
        try Data("turnstone: 1\n".utf8).write(to: URL(filePath: directory.file("zoo.yml")))
        #expect(
            throws: CommandFailure(status: .usage, message: "There are several collections here: shop.yaml, zoo.yml. Name one.")
        ) {
            try choose()
        }
    }

    @Test func `a report on standard output is alone there`() async throws {
        let json = try await RunBench.run("login", "wrong", "--report", "json=-")
        #expect(JSONParser.parse(json.output) != nil)
        #expect(json.errors.hasPrefix("✓ login"))
        #expect(json.errors.hasSuffix("1 passed, 1 failed in 0 µs\n"))
        let tap = try await RunBench.run("login", "--report", "tap=-")
        #expect(tap.output == "TAP version 14\n1..1\nok 1 - login\n")
        for words in [["tap=-", "--report", "json=-"], ["tap=-", "--events", "jsonl"]] {
            let both = await CommandLineRun.run(["run", "shop.yaml", "--report"] + words, transport: RunBench.answers)
            #expect(both.status == .usage)
            #expect(both.errors.contains("Only one report, or the events, can go to standard output; give the others a file."))
        }
    }

    @Test func `an expectation that isn't met is a failure in the history, too`() async throws {
        let (directory, path) = try ShopFile.make(RunBench.text)
        let state = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let environment = ["XDG_STATE_HOME": state.path]
        let run = await CommandLineRun.run(
            ["run", path, "login", "wrong"], transport: RunBench.answers, time: ManualTimeSource(), environment: environment)
        #expect(run.status == .expectationFailed)
        let history = await CommandLineRun.run(
            ["history", "--failed"], transport: RunBench.answers, environment: environment)
        #expect(history.output.contains("expected status to be 201, and found 200 OK"))
        #expect(history.output.split(separator: "\n").count == 1, "\(history.output)")
    }

    @Test func `all reports that can't be written are found out before anything is sent`() async throws {
        let run = try await RunBench.run(
            "login", "--report", "junit=/no/such/directory/report.xml", "--report", "tap=/dev/null/report.tap")
        #expect(run.status == .file)
        #expect(run.output == "")
        #expect(
            run.errors == """
                turnstone: Can't write to /no/such/directory/report.xml: No such file or directory
                turnstone: Can't write to /dev/null/report.tap: Not a directory

                """)
    }

    @Test func `two reports can't take each other's place`() async throws {
        let run = try await RunBench.run("login", "--report", "junit=report", "--report", "tap=report")
        #expect(run.status == .usage)
        #expect(run.errors.contains("Two reports can't go to the same file, report; give each its own."))
    }

    @Test func `a report takes the place of the one before only when the run is over`() async throws {
        let (directory, path) = try ShopFile.make(RunBench.text)
        let report = directory.file("report.xml")
        try "before".write(toFile: report, atomically: false, encoding: .utf8)
        // What has the old one open goes on reading that.
        let old = try #require(FileHandle(forReadingAtPath: report))
        let run = await CommandLineRun.run(
            ["run", path, "login", "--report", "junit=\(report)"], transport: RunBench.answers, time: ManualTimeSource())
        #expect(run.status == .success)
        #expect(try old.readToEnd() == Data("before".utf8))
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("login"))
    }

    @Test(arguments: [[], ["--report", "tap=-"], ["--events", "jsonl"]])
    func `who reads a part of the output and goes away takes neither the status nor the other reports along`(words: [String])
        async throws
    {
        let (directory, path) = try ShopFile.make(RunBench.text)
        let report = directory.file("report.xml")
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "login", "wrong", "--report", "junit=\(report)"] + words, outputError: EPIPE,
            transport: RunBench.answers, time: ManualTimeSource())
        #expect(run.status == .expectationFailed)
        #expect(!run.errors.contains("Can't"))
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("expected status to be 201, and found 200 OK"))
    }

    @Test(arguments: [[], ["--report", "tap=-"], ["--events", "jsonl"], ["--quiet"]])
    func `what can't be written is said, after everything was sent and every other report written`(words: [String]) async throws {
        let (directory, path) = try ShopFile.make(RunBench.text)
        let report = directory.file("report.xml")
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "login", "orders", "--report", "junit=\(report)"] + words, outputError: ENOSPC,
            transport: RunBench.answers, time: ManualTimeSource())
        #expect(run.status == .file)
        #expect(run.errors.hasSuffix("turnstone: Can't write to standard output: No space left on device\n"))
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("tests=\"2\""))
    }

    @Test func `a history that can't be made is said, and is no reason not to run`() async throws {
        let run = try await RunBench.run("login", environment: ["XDG_STATE_HOME": "/proc/nowhere"])
        #expect(run.status == .success)
        #expect(
            run.errors == """
                turnstone: the history /proc/nowhere/turnstone/history.sqlite can't be opened: No such file or directory; runs are not kept

                """)
    }

    @Test(
        arguments: [
            (["--jobs", "0"], "--jobs takes a number of 1 or more."),
            (["--repeat", "0"], "--repeat takes a number of 1 or more."),
            (["--shard", "3/2"], "The value '3/2' is invalid for '--shard <I/N>'"),
            (["--report", "pdf=a"], "The value 'pdf=a' is invalid for '--report <FORMAT=FILE>'"),
            (["--watch", "--events", "jsonl"], "--watch and --events both want the output; take one of them."),
        ])
    func `what can't be is a usage error`(words: [String], message: String) async {
        let run = await CommandLineRun.run(["run", "shop.yaml", "--trust"] + words, transport: RunBench.answers)
        #expect(run.status == .usage)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test(arguments: [
        ("turnstone: 1\nrequests: { a: { get: http://a/", "shop.yaml:3:1: this is not YAML"),
        ("turnstone: 1\nvariabels: {}\nrequests: { a: { get: http://a/ } }", "shop.yaml:2:1: unknown key `variabels`"),
    ])
    func `a file that can't be read in part is no success, though what can be read is sent`(text: String, sentence: String)
        async throws
    {
        let run = try await RunBench.run(text: text)
        #expect(run.status == .usage)
        #expect(run.errors.hasPrefix("turnstone: \(sentence)"), "\(run.errors)")
        #expect(run.output.contains("1 passed") == sentence.contains("variabels"))
    }

    @Test func `repeating prints how long each phase took`() async throws {
        let run = try await RunBench.run("login", "--repeat", "5", "--jobs", "2", "--quiet")
        #expect(run.status == .success)
        #expect(run.output.contains("login  closed, 2 at once: slow answers delay the next request\n"))
        #expect(run.output.contains("phase           p50      p90      p99      max   samples\n"))
        #expect(run.output.contains("5 passed"))
    }

    @Test func `an interrupt cancels what runs and sends nothing more`() async throws {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: http://a/ }, b: { get: http://b/ } }")
        defer { withExtendedLifetime(directory) {} }
        let transport = ScriptedTransport { _ in .nothing }
        let interrupts = Interrupts()
        async let run = CommandLineRun.run(
            ["run", path, "--trust"], transport: transport, time: ManualTimeSource(), interrupts: interrupts)
        _ = await transport.transfer(0)
        interrupts.interrupt()
        let ended = await run
        #expect(ended.status == .cancelled)
        #expect(ended.output.contains("2 not sent"))
    }

    @Test func `an interrupt in the pause of until keeps the answer that came, and is no failure of its own`() async throws {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests: { a: { get: http://a/, until: { status: 200, every: 1s } } }")
        defer { withExtendedLifetime(directory) {} }
        let interrupts = Interrupts()
        let time = ManualTimeSource()
        async let run = CommandLineRun.run(
            ["run", path, "--trust", "--report", "json=-"], transport: ScriptedTransport { _ in .respond(status: 202) }, time: time,
            interrupts: interrupts)
        let pause = time.now + .seconds(1)
        while time.nextDeadline != pause { await Task.yield() }
        interrupts.interrupt()
        let ended = await run
        #expect(ended.status == .cancelled)
        let report = try #require(JSONParser.parse(ended.output)?["runs"]?.items.first)
        #expect(report["verdict"] == "stopped")
        #expect(report["status"]?.integer == 202)
        #expect(report["polls"]?.items.count == 1)
        #expect(!ended.output.contains("before it was enqueued"))
    }

    @Test func `an interrupted run ends with 130 whatever was before it, and its reports say why the rest wasn't sent`()
        async throws
    {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests: { a: { get: http://a/, expect: { status: 500 } }, b: { get: http://b/ }, c: { get: http://c/ } }
            """)
        let transport = ScriptedTransport { $0.request.url.host() == "a" ? .respond() : .nothing }
        let interrupts = Interrupts()
        let tap = directory.file("report.tap")
        async let run = CommandLineRun.run(
            ["run", path, "--trust", "--report", "tap=\(tap)", "--report", "junit=-"], transport: transport,
            time: ManualTimeSource(),
            interrupts: interrupts)
        _ = await transport.transfer(1)
        interrupts.interrupt()
        let ended = await run
        #expect(ended.status == .cancelled)
        #expect(ended.output.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""))
        #expect(ended.output.contains(#"<skipped message="not sent, since the run was interrupted"/>"#))
        // Who reads nothing but this sees it, too.
        #expect(
            ended.output.contains(
                "    <properties>\n      <property name=\"stopped\" value=\"the run was interrupted\"/>\n    </properties>\n    <testcase"
            ))
        #expect(ended.output.contains("    </testcase>\n    <system-err>the run was interrupted</system-err>\n  </testsuite>"))
        if let xmllint = try? ChildProcess.find("xmllint", package: "libxml2-utils") {
            let schema = try directory.write("junit.xsd", JUnitSchema.text)
            let report = try directory.write("report.xml", ended.output)
            try ChildProcess.run(xmllint, ["--noout", "--nonet", "--schema", schema, report])
        }
        let lines = try String(contentsOfFile: tap, encoding: .utf8)
        #expect(lines.contains("ok 3 - c # SKIP the run was interrupted\n"))
        #expect(lines.hasSuffix("Bail out! the run was interrupted\n"))
    }
}
