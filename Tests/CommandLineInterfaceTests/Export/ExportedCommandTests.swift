import CommandLineInterface
import Foundation
import NetworkLayerTesting
import ServerTesting
import Testing

/// What `export curl` writes, run by the real shell and the real curl: the server gets from it what it gets from `run`.
@Suite struct ExportedCommandTests {
    /// What a shell, a form, JSON, a URL or base64 might stumble over.
    fileprivate static let secret = #"it's "q" $HOME `x` \n é%41&=+/?#[1]{a,b} ;*~|<>"#
    private static let lines = "first \"1\"\n\tsecond \\ it's\r\n§ third"

    private static let collection = #"""
        turnstone: 1
        variables:
          host: http://replaced
          key: { secret: { env: EXPORT_KEY } }
          lines: { secret: { env: EXPORT_LINES } }
          word: { secret: { command: [cat, word.txt] } }
          printed: { secret: { command: [printf, "%s", "a 'b' \"c\" $d"] } }
          note: { secret: { file: note.txt } }
          pin: { secret: { prompt: "Your PIN?" } }
          plain: "p1ain it's +\"&"
        requests:
          header: { get: "{{host}}/", headers: { x-key: "v {{key}} v", x-word: "{{word}}", x-printed: "{{printed}}" } }
          read: { get: "{{host}}/", headers: { x-note: "{{note}}", x-pin: "{{pin}}", x-env: "{{env('EXPORT_KEY')}}" } }
          query: { get: "{{host}}/a?b=c", query: { a: "{{key}}", b: "x{{word}}y", "c d": "{{note}}" } }
          path: { get: "{{host}}/:id/end", path: { id: "{{key}}" } }
          raw-url: { get: "{{host}}/a/{{word}}?b={{printed}}&c={{pin}}" }
          host: { get: "http://{{env('EXPORT_HOST')}}/x" }
          cookie: { get: "{{host}}/", cookies: { sid: "{{printed}}", plain: "{{plain}}" } }
          form: { post: "{{host}}/", body: { form: { a: "{{key}}", b: "{{lines}}", "c&d": "{{pin}} {{pin}}" } } }
          json: { post: "{{host}}/", body: { json: { a: "{{key}}", b: ["{{lines}}", "x {{pin}}"], c: 1 } } }
          json-text: { post: "{{host}}/", body: { json: '{"a":  "{{key}}", "b": "{{lines}}"}' } }
          text: { post: "{{host}}/", body: { text: "a {{key}} b {{lines}}'" } }
          graphql: { post: "{{host}}/", body: { graphql: { query: "{ a }", variables: { a: "{{key}}", b: "{{lines}}" } } } }
          multipart:
            post: "{{host}}/"
            body: { multipart: { a: "{{key}}", b: "{{lines}}", c: { value: "{{key}}", filename: "a\"{{pin}}.txt", type: text/x } } }
          basic: { get: "{{host}}/", auth: { basic: { user: "ada", password: "{{key}}" } } }
          basic-plain: { get: "{{host}}/", auth: { basic: { user: "{{plain}}", password: "{{plain}}" } } }
          bearer: { get: "{{host}}/", auth: { bearer: "{{printed}}" } }
          digest: { get: "{{host}}/", auth: { digest: { user: ada, password: "{{key}}" } } }
          api-key-query: { get: "{{host}}/?a=b", auth: { api-key: { name: k, value: "{{key}}", in: query } } }
          api-key-header: { get: "{{host}}/", auth: { api-key: { name: x-api-key, value: "sk_live_123 {{pin}}" } } }
          literal: { get: "{{host}}/", auth: { bearer: "sk_live_123 abc" }, headers: { x-api-key: sk_live_123 456 }, cookies: { a: b } }
          literal-url: { get: "{{host}}/?token=abc&password=d" }
          derived: { get: "{{host}}/", headers: { a: "{{base64(key)}}", b: "{{sha256(lines)}}", c: "{{sha256(key, encoding: 'base64')}}" } }
          signed: { get: "{{host}}/", headers: { a: "{{hmac(key, lines)}}", b: "{{hmac(word, 'x', algorithm: 'sha512')}}", c: "{{hmac(plain, key, encoding: 'base64')}}" } }
          plainly-derived: { get: "{{host}}/", headers: { a: "{{base64(plain)}}", b: "{{hmac(plain, 'x')}}" } }
          nested: { get: "{{host}}/", query: { a: "{{base64(sha256(key))}}" }, body: { json: { a: "{{base64(key)}}" } } }
          login: { post: "{{host}}/login", body: { json: { password: "{{key}}" } }, capture: { token: { from: .token, secret: true } } }
          captured: { get: "{{host}}/{{token}}", auth: { bearer: "{{token}}" }, needs: login }

        """#

    @Test func `secrets of any bytes come through a shell as they are, wherever they stand`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("shop.yaml", Self.collection)
        try directory.write("word.txt", "w1 'x' \"y\" ä\n")
        try directory.write("note.txt", "n1 & 'x' %20\n")
        let environment = [
            "EXPORT_KEY": Self.secret, "EXPORT_LINES": Self.lines, "YOUR_PIN": "7 'p' \"i\"", "TOKEN": "t0k-'e\" n%",
        ]
        let names =
            Self.collection.matches(of: /(?m)^  ([a-z-]+):(?: \{|$)/).map { String($0.1) }.filter { $0 != "host" } + ["host"]
        let requests = names.filter { !["key", "lines", "word", "printed", "note", "pin", "plain"].contains($0) }
        #expect(requests.count == 27)
        let compared = try await ExportComparison(path, environment: environment).compare(requests)
        #expect(compared == requests.sorted())
    }
}

/// The same with every request of the demo and with made-up ones.
@Suite(.enabled(if: Conformance.isAsked, "make conformance")) struct ExportedCommandConformanceTests {
    @Test func `a value of JSON that has no quotes around it is the same in both`() async throws {
        let directory = try TemporaryDirectory()
        let values = [
            "n": "5", "neg": "-1.5e+3", "yes": "true", "none": "null", "map": #"{"a": [1, "x"]}"#, "quoted": #""q""#, "word": "abc",
            "zero": "007", "hex": "0x1f", "lines": "5\n6", "empty": "", "text": #"it's "q" \ $HOME"#, "long": "truefalse",
        ]
        var text = "turnstone: 1\nvariables: { host: http://replaced, s: { secret: { env: EXPORT_N } } }\nrequests:\n"
        for name in values.keys.sorted() {
            let value = "{{env(\"EXPORT_\(name.uppercased())\")}}"
            text +=
                "  \(name): { post: \"{{host}}/\", body: { json: '{\"a\": \(value), \"b\": \"{{s}}\", \"c\": \"x {{s}}\"}' } }\n"
        }
        text += "  secret: { post: \"{{host}}/\", body: { json: '[{{s}}, {{ s }} ]' } }\n"
        let path = try directory.write("values.yaml", text)
        let environment = Dictionary(uniqueKeysWithValues: values.map { ("EXPORT_\($0.key.uppercased())", $0.value) })
        let names = values.keys.sorted() + ["secret"]
        #expect(try await ExportComparison(path, environment: environment).compare(names) == names.sorted())
    }

    /// Random requests, by a fixed seed, or by that of the environment: `SEED=7 make conformance`.
    @Test func `hundreds of made-up requests come from their commands as from run`() async throws {
        let directory = try TemporaryDirectory()
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 10
        var random = SeededGenerator(seed: seed)
        let requests = Conformance.sample(0..<200).map { ("r\($0)", RandomSavedRequest.text(&random)) }
        let text =
            "turnstone: 1\nvariables: { host: http://replaced, plain: \"a b&'é\", key: { secret: { env: EXPORT_KEY } } }\nrequests:\n"
            + requests.map { "  \($0.0): \($0.1)\n" }.joined()
        let path = try directory.write("random.yaml", text)
        try directory.write("file.bin", "a\u{0}b\r\n")
        let environment = ["EXPORT_KEY": ExportedCommandTests.secret]
        let compared = try await ExportComparison(path, environment: environment).compare(requests.map(\.0))
        #expect(Set(requests.map(\.0)).subtracting(compared) == [], "SEED=\(seed)")
    }

    @Test func `each request of the demo comes from its command as from run`() async throws {
        let directory = try TemporaryDirectory()
        let demo = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Collections/demo").standardized
        let copy = directory.file("demo")
        try FileManager.default.copyItem(atPath: demo.path, toPath: copy)
        var names: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: copy) where name.hasSuffix(".yaml") {
            let text = try String(contentsOfFile: "\(copy)/\(name)", encoding: .utf8)
            // Each to the server of its own that listens to it.
            let moved = text.replacing(/https?:\/\/[a-z0-9.-]+(:\d+)?/, with: "http://{{peer}}")
            try moved.write(toFile: "\(copy)/\(name)", atomically: true, encoding: .utf8)
            if !name.split(separator: "/").last!.hasPrefix("_") { names.append(String(name.dropLast(5))) }
        }
        #expect(names.count > 100)
        // A socket in the file system, where nobody listens; and WebSockets, whose key is random and which curl opens from 8.11 on.
        names = Conformance.sample(names.sorted()).filter {
            !["transport/unix-socket", "graphql/subscription"].contains($0) && !$0.hasPrefix("websocket/")
        }
        let compared = try await ExportComparison(copy, environment: ["FRESH_TOKEN": "t0k-'e\" n%"]).compare(names)
        #expect(compared == names)
        let secret = try await ExportComparison(copy, environment: [:], options: ["--env", "secrets"]).compare(
            ["sign-in/bearer", "sign-in/inherited", "redirects/keep-auth"])
        #expect(secret.count == 3)
    }
}

/// What a server gets when a saved request is sent by `run`, and by its command for curl.
struct ExportComparison {
    private let collection: String
    private let environment: [String: String]
    private let options: [String]

    init(_ collection: String, environment: [String: String], options: [String] = []) {
        self.collection = collection
        self.environment = environment
        self.options = options
    }

    /// - Returns: the requests that were sent, sorted. Each difference is an issue.
    func compare(_ names: [String]) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
            var rest = names[...]
            var sent: [String] = []
            for name in rest.prefix(6) { group.addTask { try await compare(name) ? name : nil } }
            rest = rest.dropFirst(6)
            while let name = try await group.next() {
                if let name { sent.append(name) }
                if let next = rest.popFirst() { group.addTask { try await compare(next) ? next : nil } }
            }
            return sent.sorted()
        }
    }

    private func server(_ name: String) throws -> AnsweringServer {
        let body = #"{"token": "t0k-'e\" n%", "access_token": "t0k-'e\" n%", "token_type": "Bearer", "expires_in": 60}"#
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let challenge =
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n"
        return try AnsweringServer { _ in
            (name == "digest" ? [Data(challenge.utf8)] : []) + Array(repeating: Data(answer.utf8), count: 4)
        }
    }

    /// - Returns: whether something was sent.
    private func compare(_ name: String) async throws -> Bool {
        let (ours, theirs) = (try server(name), try server(name))
        func words(_ server: AnsweringServer) -> [String] {
            options + ["--var", "host=http://127.0.0.1:\(server.port)", "--var", "peer=127.0.0.1:\(server.port)"]
        }
        func environment(_ server: AnsweringServer) -> [String: String] {
            self.environment.merging(["EXPORT_HOST": "127.0.0.1:\(server.port)", "PATH": "/usr/bin:/bin"]) { $1 }
        }
        let run = await CommandLineRun.run(
            // Nobody is there to be asked.
            ["run", collection, name, "--trust", "--no-history", "--quiet"] + words(ours)
                + (self.environment["YOUR_PIN"].map { ["--var", "pin=\($0)"] } ?? []), environment: environment(ours))
        let export = await CommandLineRun.run(
            ["export", "curl", collection, name, "--allow-commands"] + words(theirs), environment: ["PATH": "/usr/bin"])
        guard export.status == .success, !export.output.contains("•") else {
            Issue.record("\(name) has no command:\n\(export.output)\(export.errors)")
            return false
        }
        let complaint = try await Self.shell(export.output, environment(theirs))
        ours.stop()
        theirs.stop()
        guard let got = theirs.requests.first ?? nil else {
            if let sent = ours.requests.first {
                Issue.record("\(name): curl sent nothing, and run \(text(sent, ours)): \(complaint)")
            }
            return false
        }
        // What it needs is sent before it by both.
        let sent = ours.requests.suffix(theirs.requests.count)
        #expect(
            sent.map { text($0, ours) } == theirs.requests.map { text($0, theirs) },
            "\(name): \(text(got, theirs))\n\(export.output)\n\(run.output)\(run.errors)\(complaint)")
        return true
    }

    /// - Returns: what curl complains about.
    private static func shell(_ script: String, _ environment: [String: String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            // On a thread of its own: it waits for the program.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let directory = try TemporaryDirectory()
                        let file = try directory.write("script.sh", "exec 2>&1 >/dev/null; cd \(directory.path)\n" + script)
                        let variables = environment.map { "\($0.key)=\($0.value)" }
                        let (output, _) = try ChildProcess.output(
                            of: "/usr/bin/env", ["-i"] + variables + ["/bin/sh", file], input: Data())
                        return String(decoding: output, as: UTF8.self)
                    })
            }
        }
    }

    /// Without what differs from one run to the next, and without the order of fields, which says nothing.
    private func text(_ request: AnsweringServer.Request, _ server: AnsweringServer) -> String {
        var text = (String(decoding: request.head, as: UTF8.self) + String(decoding: request.body, as: UTF8.self))
            .replacing("127.0.0.1:\(server.port)", with: "HOST")
        if let boundary = text.firstMatch(of: /boundary="?([^\r\n;"]+)/)?.1 { text = text.replacing(boundary, with: "BOUNDARY") }
        text = text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "UUID")
            .replacing(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/, with: "DATE")
            .replacing(/"dice":\s*\d/, with: "\"dice\": N").replacing(/(cnonce|response)="[^"]*"/) { String($0.1) }
            // It is the default (RFC 7616, section 3.3), and curl leaves it out.
            .replacing(", algorithm=MD5", with: "")
        let end = text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex
        let lines = text[..<end].components(separatedBy: "\r\n")
        let fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...]
            guard value.hasPrefix(": Digest ") else { return line[..<colon].lowercased() + value }
            return "authorization: " + value.dropFirst(9).components(separatedBy: ", ").sorted().joined(separator: ", ")
        }
        .filter { !$0.hasPrefix("user-agent:") && !(text.contains("BOUNDARY") && $0.hasPrefix("content-length:")) }
        return ([lines[0]] + fields.sorted()).joined(separator: "\n") + text[end...]
    }
}

/// A saved request in flow style, made of what shells, URLs, forms, JSON and curl's own options might stumble over.
enum RandomSavedRequest {
    private static let words = [
        "a", "", "x y", "it's", "\"q\"", "\\", "\\n", "$HOME", "`id`", "$(id)", "é", "日本", "%41", "100%", "a+b", "a&b=c", "a;b",
        "#h", "?q",
        "[1-3]", "{a,b}", "@file.bin", "<file.bin", "~", "*", "-x", "--data", "a:b", ",", "!", "=", "a=b", "{{plain}}", "{{key}}",
        "x{{key}}y",
        "{{base64(plain)}}", "\t", " lead", "trail ", "null", "true", "12",
    ]
    private static let names = ["a", "b-c", "X_Y", "d.e", "f", "g"]
    private static let paths = [
        "", "/", "/a", "/a/../b", "/a/./b", "//a", "/%2F", "/a%20b", "/é", "/a;b", "/[x]", "/{{plain}}", "/a?x=1", "/?", "/a?b&c=",
        "/a?q=[1]&{x}",
    ]

    private static func pick(_ texts: [String], _ random: inout SeededGenerator) -> String { texts.randomElement(using: &random)! }

    /// In double quotes, for YAML and JSON.
    private static func quoted(_ text: String) -> String {
        "\"" + text.map { ["\"": "\\\"", "\\": "\\\\", "\t": "\\t", "\n": "\\n"][$0] ?? String($0) }.joined() + "\""
    }

    private static func map(_ random: inout SeededGenerator, prefix: String = "", _ value: (inout SeededGenerator) -> String)
        -> String
    {
        let some = names.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        return "{ \(some.map { "\(prefix)\($0): \(value(&random))" }.joined(separator: ", ")) }"
    }

    private static func word(_ random: inout SeededGenerator) -> String { quoted(pick(words, &random)) }

    private static func body(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: "{ text: \(quoted((0..<3).map { _ in pick(words, &random) }.joined(separator: "\n"))) }"
        case 1: "{ form: \(map(&random, word)) }"
        case 2: "{ json: \(map(&random) { Bool.random(using: &$0) ? word(&$0) : "[1, \(word(&$0)), null]" }) }"
        case 3: "{ multipart: \(map(&random) { Bool.random(using: &$0) ? word(&$0) : "{ value: \(word(&$0)), type: text/x }" }) }"
        case 4: "{ file: file.bin }"
        case 5: "{ graphql: { query: \"{ a }\", variables: \(map(&random, word)) } }"
        case 6: "{ text: \"\" }"
        default: "none"
        }
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let method = pick(["get", "get", "post", "post", "put", "patch", "delete", "options"], &random)
        var entries = ["\(method): \(quoted("{{host}}" + pick(paths, &random)))"]
        if Bool.random(using: &random) { entries.append("query: \(map(&random, word))") }
        if Bool.random(using: &random) {
            entries.append(
                "headers: "
                    + map(&random, prefix: "x-") {
                        Int.random(in: 0..<4, using: &$0) == 0 ? "[\(word(&$0)), \(word(&$0))]" : word(&$0)
                    })
        }
        if Int.random(in: 0..<4, using: &random) == 0 { entries.append("cookies: { sid: \"{{plain}}\", b: 1 }") }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let user = quoted(pick(["ada", "é", "{{plain}}"], &random))
            entries.append("auth: { basic: { user: \(user), password: \(word(&random)) } }")
        case 1: entries.append("auth: { bearer: \"t{{key}}\" }")
        case 2:
            let place = pick(["query", "header", "cookie"], &random)
            // A cookie that a `;` ends isn't sent.
            let value = place == "cookie" ? "\"{{plain}}\"" : word(&random)
            entries.append("auth: { api-key: { name: k, value: \(value), in: \(place) } }")
        default: break
        }
        if Int.random(in: 0..<3, using: &random) > 0 { entries.append("body: \(body(&random))") }
        if Int.random(in: 0..<8, using: &random) == 0 { entries.append("compression: false") }
        if Int.random(in: 0..<8, using: &random) == 0 { entries.append("http: \"1.0\"") }
        return "{ \(entries.joined(separator: ", ")) }"
    }
}
