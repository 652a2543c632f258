import CollectionRunner
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Nothing on the screen or in the clipboard has a secret in it, in any tab, while it runs and after.
@MainActor @Suite(.serialized) struct SecretsOnScreenTests: LoopScript {
    /// All have a part in common that nothing else has.
    private nonisolated static let part = "S3cret"
    private nonisolated static let given = "g1ven S3cret/+&"
    private nonisolated static let typed = "typ3d-S3cret"
    private nonisolated static let captured = "c4ptured-S3cret"
    private nonisolated static let session = "s3ssion-S3cret"

    private static let shop = """
        turnstone: 1
        variables:
          key: { secret: { env: KEY } }
          pin: { secret: { prompt: What only you know } }
        requests:
          a-url: { get: "http://127.0.0.1:9/a/{{key}}?q={{key}}&pin={{pin}}#{{key}}", headers: { x-key: "{{pin}}", x-again: "{{base64(pin)}}" } }
          b-auth: { get: "http://127.0.0.1:9/b", auth: { basic: { user: ada, password: "{{key}}" } }, cookies: { sid: "{{pin}}" } }
          c-body: { post: "http://127.0.0.1:9/c", body: { json: { key: "{{key}}" } }, expect: { body: { .b: "{{pin}}" } } }
          d-login:
            post: "http://127.0.0.1:9/d"
            capture: { token: { from: .token, secret: true }, session: { from: header:x-session, secret: true } }
          e-token: { get: "http://127.0.0.1:9/e/{{token}}", needs: d-login, headers: { x-session: "{{session}}" } }
          f-moved: { get: "http://127.0.0.1:9/f?key={{pin}}" }
          f-plain: { get: "http://127.0.0.1:9/p?token=pl4in-S3cret", headers: { x-api-key: pl4in-S3cret }, query: { api_key: pl4in-S3cret }, auth: { bearer: pl4in-S3cret } }
          g-fails: { get: "http://127.0.0.1:9/g?key={{pin}}", hydrate: [sh, -c, "cat >&2; exit 3"] }

        """

    /// Sends back what it got; `/d` gives secrets away, and `/f` leads elsewhere.
    private nonisolated static func answer(_ request: Request) -> Script {
        let path = request.url.path(percentEncoded: false)
        let name = String(path.dropFirst().prefix(1))
        if name == "f", path == "/f" {
            return .respond(status: .found, headers: [.location: "/f/there?\(request.url.query() ?? "")"], body: Data())
        }
        var members: [(String, String)] = [("answer", "to \(name)"), ("url", request.url.absoluteString)]
        members += request.headers.map { ($0.name.rawName, $0.value) }
        if case .data(let data) = request.body { members.append(("body", String(decoding: data, as: UTF8.self))) }
        if name == "d" { members.append(("token", captured)) }
        let object = Dictionary(members) { first, _ in first }
        var headers: HTTPFields = [.contentType: "application/json"]
        if "abcfg".contains(name) { headers[.init("X-Echo")!] = typed }
        if name == "d" { headers[.init("X-Session")!] = session }
        return .respond(headers: headers, body: (try? JSONEncoder().encode(object)) ?? Data())
    }

    /// Every tab of the response, and everything that can be copied there and from the panes of the request and the operation.
    private func lookAround() -> [ScriptedTerminal.Step] {
        var steps = [type("4")]
        for _ in 0..<5 {
            steps.append(type("]"))
            for item in 0..<3 { steps += [type("y"), shows("Copy"), type(String(repeating: "j", count: item)), key(.enter)] }
        }
        for pane in ["2", "3"] {
            for item in 0..<4 {
                steps += [type("\(pane)y"), shows("Copy"), type(String(repeating: "j", count: item)), key(.enter)]
            }
        }
        return steps + [type("2]]]]]]gsG"), key(.enter), key(.enter), type("5161")]
    }

    @Test func `no screen and no copy has a secret in it`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        var steps = [shows("g-fails")]
        // What `e` needs runs once more.
        for (index, (name, runs)) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 6), ("f", 7), ("p", 8), ("g", 9)].enumerated() {
            steps += [type("1gg" + String(repeating: "j", count: index) + "s")]
            if name == "a" { steps += [shows("What only you know"), type(Self.typed), key(.enter)] }
            steps += [.until { $0.text.lowercased().contains("history \(runs)") }]
            steps += lookAround()
        }
        // Two runs against each other, the one that captures among them.
        steps += [type("6jjj"), type("cjc"), shows("Two runs"), key(.escape), type("6cjjjc"), shows("Two runs"), key(.escape)]
        steps.append(type("q"))
        let terminal = ScriptedTerminal(size: Size(columns: 200, rows: 60), steps: steps, patience: .seconds(60))
        let services = ExplorerServices(
            client: NetworkClient(transport: ScriptedTransport { Self.answer($0.request) }),
            secrets: SystemSecrets(environment: ["KEY": Self.given, "PATH": "/usr/bin:/bin"]), builtIn: .everything,
            editor: NoEditor())
        try terminal.play(in: folder, with: services)

        let copies = terminal.log.filter { $0.hasPrefix("copy ") }
        // A command has what the shell fills in, everything else a mask, and it says so.
        #expect(copies.contains { $0.contains("curl ") && $0.contains("$KEY") })
        #expect(!copies.contains { $0.contains("curl ") && $0.contains("••••••") })
        #expect(copies.contains { $0.hasPrefix("copy {") && $0.contains("••••••") })
        var forms = [Self.part, "S3cret".data(using: .utf8)!.base64EncodedString()]
        for secret in [Self.given, Self.typed, Self.captured, Self.session] {
            forms.append(Data(secret.utf8).base64EncodedString())
            forms.append(String(Data("ada:\(secret)".utf8).base64EncodedString().dropFirst(8)))
        }
        let screens = Set(terminal.frames.map(\.text))
        #expect(screens.contains { $0.contains("its secrets masked") })
        for form in forms {
            // What stands in the file as it is, a person may copy from there, and a command sends it.
            let copies = copies.filter { !$0.contains("pl4in-S3cret") }
            #expect(copies.filter { $0.contains(form) } == [])
            #expect(screens.first { $0.contains(form) } == nil)
        }
    }

    @Test func `two runs that are held against each other show no token that they captured`() throws {
        let folder = try TemporaryFolder([
            "shop.yaml": """
            turnstone: 1
            requests: { login: { post: "http://127.0.0.1:9/", capture: { token: { from: .token, secret: true } } } }

            """
        ])
        let steps = [
            shows("login"), type("1s"), .until { $0.text.lowercased().contains("history 1") },
            type("1s"), .until { $0.text.lowercased().contains("history 2") },
            type("6cjc"), shows("Two runs"), key(.escape), type("q"),
        ]
        let count = Atomic(0)
        let transport = ScriptedTransport { _ in
            let number = count.add(1, ordering: .relaxed).newValue
            return .respond(
                headers: [.contentType: "application/json"],
                body: Data(#"{ "number": \#(number), "token": "\#(Self.part)-\#(number)" }"#.utf8))
        }
        let terminal = ScriptedTerminal(size: Size(columns: 200, rows: 60), steps: steps, patience: .seconds(60))
        let services = ExplorerServices(
            client: NetworkClient(transport: transport), secrets: SystemSecrets(environment: [:]), builtIn: .everything,
            editor: NoEditor())
        try terminal.play(in: folder, with: services)
        let screens = terminal.frames.map(\.text)
        let comparison = try #require(screens.first { $0.contains("Two runs") })
        #expect(comparison.contains("≠ .number  1 → 2"))
        #expect(screens.contains { $0.contains(#""token": "••••••""#) })
        #expect(screens.first { $0.contains(Self.part) } == nil)
    }

    /// A body in a file stays as it came; what differs between two would be shown of it.
    @Test func `two runs whose bodies are in files are compared without their secrets`() throws {
        let folder = try TemporaryFolder([
            "shop.yaml": """
            turnstone: 1
            variables: { key: { secret: { env: KEY } } }
            requests: { ask: { post: "http://127.0.0.1:9/", body: { text: "{{key}}" } } }

            """
        ])
        let steps = [
            shows("ask"), type("1s"), .until { $0.text.lowercased().contains("history 1") },
            type("1s"), .until { $0.text.lowercased().contains("history 2") },
            type("6cjc"), shows("Two runs"), key(.end), .until { $0.text.contains("number 2") && $0.text.contains("Two runs") },
            key(.escape), type("q"),
        ]
        let count = Atomic(0)
        let filler = String(repeating: String(repeating: "x", count: 79) + "\n", count: 15_000)
        let transport = ScriptedTransport { _ in
            let number = count.add(1, ordering: .relaxed).newValue
            return .respond(
                headers: [.contentType: "text/plain"], body: Data("\(filler)number \(number): \(Self.typed)\n".utf8))
        }
        let terminal = ScriptedTerminal(size: Size(columns: 200, rows: 60), steps: steps, patience: .seconds(60))
        let services = ExplorerServices(
            client: NetworkClient(transport: transport), secrets: SystemSecrets(environment: ["KEY": Self.typed]),
            builtIn: .everything, editor: NoEditor())
        try terminal.play(in: folder, with: services)
        let comparisons = terminal.frames.map(\.text).filter { $0.contains("Two runs") }
        #expect(comparisons.contains { $0.contains("number 2: ••••••") })
        #expect(comparisons.first { $0.contains(Self.part) } == nil)
    }
}
