import CollectionRunner
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// A stranger's collection, seen from where the user sits.
@MainActor @Suite(.serialized) struct TrustTests: LoopScript {
    private static let shop = """
        turnstone: 1
        variables: { token: { secret: { env: TOKEN } } }
        requests:
          aplain: { get: "http://127.0.0.1:9/plain", headers: { x-a: "1" } }
          keyed: { get: "http://127.0.0.1:9/keyed", headers: { x-key: "{{token}}" } }

        """

    /// Time goes by only while the script waits.
    private final class Bench {
        let time = ManualTimeSource()
        let folder: TemporaryFolder
        let grants: TrustStore

        init(_ text: String) throws {
            folder = try TemporaryFolder(["shop.yaml": text])
            grants = TrustStore(directory: folder.path("trust"))
        }

        func shows(_ text: String) -> ScriptedTerminal.Step { until { $0.contains(text) } }
        func hides(_ text: String) -> ScriptedTerminal.Step { until { !$0.contains(text) } }

        private func until(_ condition: @escaping @Sendable (String) -> Bool) -> ScriptedTerminal.Step {
            .until { [time] terminal in
                if condition(terminal.text) { return true }
                time.advance(by: .milliseconds(16))
                return false
            }
        }

        /// The moment in which a question takes no key.
        var pause: ScriptedTerminal.Step { .look { [time] _ in time.advance(by: .milliseconds(300)) } }

        @discardableResult
        @MainActor func run(_ steps: [ScriptedTerminal.Step]) throws -> (ScriptedTerminal, sent: [String]) {
            let transport = ScriptedTransport(time: time) { _ in
                .respond(headers: [.contentType: "application/json"], body: Data(#"{"done":true}"#.utf8))
            }
            let terminal = ScriptedTerminal(
                size: Size(columns: 140, rows: 40), steps: [shows("aplain")] + steps, patience: .seconds(60))
            let services = ExplorerServices(
                client: NetworkClient(transport: transport, time: time),
                secrets: SystemSecrets(environment: ["TOKEN": "t0ken-s3cret", "PATH": "/usr/bin:/bin"]), grants: grants,
                editor: NoEditor())
            try terminal.play(in: folder, with: services)
            return (terminal, transport.requests.map { $0.url.path() })
        }
    }

    private static let question = "wants what you have not allowed"

    @Test func `an answer is written where somebody allows it, and the screen says where`() throws {
        let bench = try Bench(
            """
            turnstone: 1
            requests:
              aplain: { get: "http://127.0.0.1:9/plain", response: { save: out/a.json } }

            """)
        let (_, sent) = try bench.run([
            bench.shows("1 thing not allowed: T"), type("T"), bench.shows(Self.question), bench.shows("write"), bench.pause,
            key(.down), key(.down), key(.enter), bench.hides(Self.question), type("s"), bench.shows("wrote the body to "),
            type("q"),
        ])
        #expect(sent == ["/plain"])
        #expect(try String(contentsOfFile: bench.folder.path("out/a.json"), encoding: .utf8) == #"{"done":true}"#)
    }

    @Test func `T asks for what is marked, and what is allowed is marked no more`() throws {
        let bench = try Bench(Self.shop)
        let (terminal, sent) = try bench.run([
            bench.shows("2 things not allowed: T"), bench.shows("!keyed"), type("T"), bench.shows(Self.question),
            // Too early: it is still taken for what was typed before.
            key(.down), key(.down), key(.enter), bench.pause, key(.down), key(.down), key(.enter),
            bench.hides(Self.question), bench.hides("not allowed: T"), bench.hides("!keyed"),
            type("js"), bench.shows("done"), type("q"),
        ])
        #expect(sent == ["/keyed"])
        #expect(bench.grants.all().grants.map(\.allowed.count) == [2])
        #expect(!terminal.frames.contains { $0.text.contains("!aplain") })
    }

    @Test func `what is typed into it, or comes by a reload, is asked for`() throws {
        let bench = try Bench(Self.shop)
        let stranger = Self.shop.replacing("\"1\"", with: "\"{{env('LANG')}}\"")
        try bench.run([
            bench.shows("2 things not allowed: T"), type("T"), bench.shows(Self.question), bench.pause,
            key(.down), key(.down), key(.enter), bench.hides("not allowed: T"),
            // A header of the first request.
            type("2]e"), .events([.key(KeyPress(.character("u"), .control))]), type("{{env('USER')}}"), key(.enter),
            bench.shows("1 thing not allowed: T"), bench.shows("!aplain"), type("u"), bench.hides("not allowed: T"),
            .look { [folder = bench.folder] _ in try? Data(stranger.utf8).write(to: URL(filePath: folder.path("shop.yaml"))) },
            type(":>reload"), key(.enter), bench.shows("1 thing not allowed: T"), type("q"),
        ])
        #expect(bench.grants.all().grants.first?.allowed.count == 2)
    }
}
