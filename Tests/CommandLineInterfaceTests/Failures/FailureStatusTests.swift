import CommandLineInterface
import DemoServer
import Foundation
import ServerTesting
import Testing

/// Every kind of failure that has an exit status, made for real: real servers that refuse, stall and lie, real files that aren't there.
@Suite struct FailureStatusTests {
    @Test(arguments: FailureKind.all.filter { $0.send != nil })
    func `send ends with the status of what failed, and names it`(kind: FailureKind) async throws {
        try await withServers { fill in
            let run = await CommandLineRun.run(["send"] + kind.send!.map(fill))
            #expect(run.status.rawValue == kind.status)
            #expect(kind.says(run.errors, "turnstone: \(fill(kind.sentence))\n"), "\(run.errors)")
        }
    }

    @Test(arguments: FailureKind.all.filter { $0.request != nil })
    func `run ends with the status of what failed, and names it with its place`(kind: FailureKind) async throws {
        try await withServers { fill in
            let text = """
                turnstone: 1
                variables: { secret: { secret: { env: TURNSTONE_NOWHERE } } }
                requests: { fails: { \(fill(kind.request!)) } }
                """
            let (directory, path) = try ShopFile.make(text)
            defer { withExtendedLifetime(directory) {} }
            let run = await CommandLineRun.run(["run", path, "--trust", "--no-history"], environment: ["PATH": "/usr/bin:/bin"])
            #expect(run.status.rawValue == kind.status)
            #expect(run.errors == "")
            let lines = run.output.replacing(path, with: "shop.yaml").split(separator: "\n")
            #expect(lines[0].hasPrefix(kind.status == 1 ? "✗ fails" : "! fails"))
            let place = kind.column.map { "shop.yaml:3:\($0): " } ?? ""
            let sentence = fill(kind.sentence).replacing("{directory}", with: directory.path)
            // Where no answer came the sentence stands behind that, and of a timeout below it.
            let isMissing = lines[1].hasPrefix("    shop.yaml:3:13: expected a ")
            let isLate = isMissing && lines[1].contains(": timeouts.")
            let said =
                if isLate {
                    lines[2].dropFirst(6)
                } else if isMissing, let place = lines[1].firstRange(of: "one: ") {
                    lines[1][place.upperBound...]
                } else {
                    lines[1].dropFirst(4)
                }
            #expect(kind.says(said, "\(place)\(sentence)"), "\(lines[1])")
            // Below a wrong status stands what the body says.
            let rest = lines[(isLate ? 3 : 2)...].drop { $0.hasPrefix("      body: ") }
            #expect(rest.count == 1 && rest.first?.hasPrefix(kind.status == 1 ? "1 failed in" : "1 broken in") == true, "\(rest)")
        }
    }

    /// What the command line alone gets wrong; nothing is sent.
    @Test(arguments: [
        (
            ["send", "--nosuch", "http://h/"],
            "turnstone: send has no option --nosuch. `turnstone send --help` lists all of them.\n"
        ),
        (
            ["send"],
            "turnstone: send takes a URL: turnstone send [OPTIONS] [METHOD] URL [ITEM ...]. `turnstone send --help` shows examples.\n"
        ),
        (
            ["run", "{shop}", "--nosuch"],
            """
            Error: Unknown option '--nosuch'
            Usage: turnstone run [<options>] [<COLLECTION|NAME> ...]
              See 'turnstone run --help' for more information.

            """
        ),
        (
            ["run", "{shop}", "orders/creat"],
            "turnstone: There is no request orders/creat in {shop}. Did you mean orders/create? `turnstone list` shows all of them.\n"
        ),
        (["run", "{shop}", "--env", "prod"], "turnstone: There is no environment prod; there are local, staging.\n"),
        (["run", "{shop}", "--tag", "smok"], "turnstone: There is no tag smok. There are auth, smoke.\n"),
        (["run", "{shop}", "--var", "novalue"], "turnstone: --var novalue has no =. It takes NAME=VALUE.\n"),
        (["run", "/nowhere/shop.yaml"], "turnstone: There is no collection at /nowhere/shop.yaml.\n"),
        (["show", "{shop}", "ordrs"], "turnstone: There is no request ordrs in {shop}. `turnstone list` shows all of them.\n"),
        (["list", "nowhere.yaml"], "turnstone: There is no collection at nowhere.yaml.\n"),
        (
            ["nosuch-command"],
            """
            turnstone: There is no collection at nosuch-command. It takes a YAML file or a directory; `turnstone demo` shows one.

            """
        ),
    ])
    func `what is asked for wrongly is status 2`(arguments: [String], sentence: String) async throws {
        let (directory, path) = try ShopFile.make()
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(arguments.map { $0.replacing("{shop}", with: path) })
        #expect(run.status.rawValue == 2)
        #expect(run.output == "")
        #expect(run.errors == sentence.replacing("{shop}", with: path))
    }

    @Test(arguments: ["junit", "tap", "json", "html", "har"])
    func `a report that can't be written is status 25, unless an expectation wasn't met`(format: String) async throws {
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              good: { get: "http://a/", mock: { status: 200 }, expect: { status: 200 } }
              bad: { get: "http://b/", mock: { status: 200 }, expect: { status: 201 } }

            """)
        defer { withExtendedLifetime(directory) {} }
        for (name, status) in [("good", 25), ("bad", 1)] as [(String, Int32)] {
            let run = await CommandLineRun.run([
                "run", path, name, "--trust", "--mocks", "--no-history", "--report", "\(format)=/dev/full",
            ])
            #expect(run.status.rawValue == status)
            #expect(run.errors == "turnstone: Can't write to /dev/full: No space left on device\n")
        }
        let none = await CommandLineRun.run([
            "run", path, "--trust", "--mocks", "--no-history", "--report", "\(format)=/nowhere/at/all",
        ])
        #expect(none.status.rawValue == 25)
        #expect(none.output == "", "it is found out before anything is sent")
        #expect(none.errors == "turnstone: Can't write to /nowhere/at/all: No such file or directory\n")
    }

    /// Of several failures an unmet expectation counts first, then the first in the file's order.
    @Test func `of several failures the first counts, and an unmet expectation before all`() async throws {
        try await withServers { fill in
            func status(_ requests: String) async throws -> Int32 {
                let (directory, path) = try ShopFile.make(fill("turnstone: 1\nrequests: { \(requests) }"))
                defer { withExtendedLifetime(directory) {} }
                return await CommandLineRun.run(["run", path, "--trust", "--no-history"]).status.rawValue
            }
            let refused = "refused: { get: \"http://127.0.0.1:{closed}/\" }"
            let unfilled = "unfilled: { get: \"{demo}/{{nowhere}}\" }"
            let unmet = "unmet: { get: \"{demo}/status/404\", expect: { status: 200 } }"
            let needing = "needing: { get: \"{demo}/json\", needs: refused }"
            var found: [Int32] = []
            for requests in [
                [refused, unfilled], [unfilled, refused], [refused, unfilled, unmet], [needing, unfilled, refused],
            ] {
                found.append(try await status(requests.joined(separator: ", ")))
            }
            // Why a need failed is why who needs it did.
            #expect(found == [21, 24, 1, 21])
        }
    }

    /// For all cases: it starts eight servers.
    private static let demo = Task { try await DemoServer(port: 0) }

    /// Real servers, and a function that puts their addresses into a text.
    private func withServers(_ body: (@escaping @Sendable (String) -> String) async throws -> Void) async throws {
        let demo = try await Self.demo.value
        let nginx = try NginxServer.shared()
        let mute = try ScriptedServer([[.readToEnd]])
        let places = [
            "{demo}": demo.baseURL, "{port}": String(demo.baseURL.split(separator: ":").last!), "{mute}": String(mute.port),
            "{closed}": String(try ListeningSocket.freePort()), "{self-signed}": String(nginx.selfSigned),
            "{expired}": String(nginx.expired), "{wrong-host}": String(nginx.wrongHost),
            "{plain}": String(nginx.port), "{authority}": nginx.certificates.authority,
        ]
        try await body { text in places.reduce(text) { $0.replacing($1.key, with: $1.value) } }
        withExtendedLifetime((nginx, mute)) {}
    }
}

/// The manual's page on messages has every way to fail, in the section of the status that it ends with.
@Suite struct TroubleshootingTests {
    /// The phrases of the page, in pieces between what differs, by status.
    private static let phrases: [Int32: [[String]]] = {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/troubleshooting.md").standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        var phrases: [Int32: [[String]]] = [:]
        for section in text.components(separatedBy: "\n## ").dropFirst() {
            let lines = section.components(separatedBy: "\n")
            guard let status = lines[0].firstMatch(of: /status (\d+)/).flatMap({ Int32($0.1) }) else { continue }
            for line in lines where line.hasPrefix("| “") {
                let cell = line.dropFirst(2).prefix { $0 != "|" }
                // One that ends otherwise than its neighbours says so.
                let own = cell.firstMatch(of: /\(status (\d+)\)/).flatMap { Int32($0.1) }
                for phrase in cell.matches(of: /“([^”]+)”/) {
                    phrases[own ?? status, default: []].append(
                        phrase.1.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespaces) })
                }
            }
        }
        return phrases
    }()

    @Test(arguments: FailureKind.all.filter { $0.status != 1 })
    func `each way to fail is explained where its status is`(kind: FailureKind) {
        let isExplained = (Self.phrases[kind.status] ?? []).contains { pieces in
            var rest = kind.sentence[...]
            for piece in pieces {
                guard let range = rest.firstRange(of: piece) else { return false }
                rest = rest[range.upperBound...]
            }
            return true
        }
        #expect(isExplained, "status \(kind.status): \(kind.sentence)")
    }

    @Test(arguments: [
        (["send", "-u", "ada", "http://127.0.0.1:9/"], "has no password"),
        (["run", "shop.yaml"], "There is no collection"),
    ])
    func `what is asked for wrongly is explained with status 2`(words: [String], phrase: String) async {
        let run = await CommandLineRun.run(words)
        #expect(run.status.rawValue == 2 && run.errors.contains(phrase), "\(run.errors)")
        #expect(Self.phrases[2]?.contains { $0.joined().hasPrefix(phrase) } == true)
    }
}
