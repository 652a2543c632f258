import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// The whole explorer but for its two ends: a terminal and a transport that play scripts.
@MainActor @Suite(.serialized) struct ExplorerTests: LoopScript {
    private let size = Size(columns: 120, rows: 40)

    private func run(
        files: [String: String] = ["shop.yaml": ExplorerTests.shop],
        transport: any Transport = ScriptedTransport { _ in .respond() },
        editor: any ExternalEditor = NoEditor(), drafts: DraftStore? = nil, variables: [String: String] = [:],
        _ steps: [ScriptedTerminal.Step]
    ) throws -> (terminal: ScriptedTerminal, exit: Explorer.Exit, folder: TemporaryFolder) {
        let folder = try TemporaryFolder(files)
        let terminal = ScriptedTerminal(size: size, steps: steps)
        let services = ExplorerServices(client: NetworkClient(transport: transport), editor: editor, drafts: drafts)
        let opening = ExplorerOpening(collections: files.keys.sorted().map { folder.path($0) }, variables: variables)
        let exit = try Explorer(terminal: terminal, services: services, opening: opening).run()
        if terminal.didRunOut { Issue.record("the script waits for something that never came; the screen:\n\(terminal.text)") }
        return (terminal, exit, folder)
    }

    private static let shop = """
        turnstone: 1
        name: Shop
        variables: { host: "http://127.0.0.1:9" }
        requests:
          birds: { name: All birds, method: GET, url: "{{host}}/birds" }
          order: { name: Order one, method: POST, url: "{{host}}/orders", body: { json: { bird: turnstone } } }

        """

    @Test func `it opens a collection, and q leaves`() throws {
        let (terminal, exit, _) = try run([shows("All birds"), type("q")])
        #expect(exit == .quit)
        #expect(terminal.text.contains("Order one"))
    }

    private func explorer(
        in folder: TemporaryFolder, _ steps: [ScriptedTerminal.Step], opening: (inout ExplorerOpening) -> Void = { _ in }
    ) throws -> Explorer {
        let transport = ScriptedTransport { _ in .respond() }
        let services = ExplorerServices(
            client: NetworkClient(transport: transport), editor: NoEditor(),
            themes: ThemeLibrary(themes: [.builtin, Theme(name: "light")]), stateDirectory: folder.path("state"))
        var begin = ExplorerOpening(collections: [folder.path("shop.yaml")])
        opening(&begin)
        return try Explorer(terminal: ScriptedTerminal(size: size, steps: steps), services: services, opening: begin)
    }

    @Test func `borders that were moved are where they were after a restart`() throws {
        let folder = try TemporaryFolder(["shop.yaml": ExplorerTests.shop])
        let first = try explorer(in: folder, [shows("All birds"), type("1"), type(":>larger"), key(.enter), type("q")])
        #expect(first.run() == .quit)
        #expect(first.state.screen.adjustments != .init())
        let second = try explorer(in: folder, [shows("All birds"), type(":>designed-sizes"), key(.enter), type("q")])
        #expect(second.state.screen.adjustments == first.state.screen.adjustments)
        #expect(second.run() == .quit)
        #expect(try explorer(in: folder, []).state.screen.adjustments == .init())
    }

    @Test func `the environment that was chosen is chosen after a restart`() throws {
        let folder = try TemporaryFolder([
            "shop.yaml": ExplorerTests.shop + "environments: { local: {}, staging: {} }\n"
        ])
        let path = folder.path("shop.yaml")
        let first = try explorer(in: folder, [shows("All birds"), type(":@staging"), key(.enter), type("q")])
        #expect(first.run() == .quit)
        let second = try explorer(in: folder, [shows("All birds"), type(":@no environment"), key(.enter), type("q")])
        #expect(second.state.workspace.usualEnvironments[path] == "staging")
        #expect(second.run() == .quit)
        #expect(try explorer(in: folder, []).state.workspace.usualEnvironments == [:])
    }

    @Test func `a terminal that says that its ground is light gets the light theme, unless one was chosen`() throws {
        let folder = try TemporaryFolder(["shop.yaml": ExplorerTests.shop])
        func theme(after opening: (inout ExplorerOpening) -> Void) throws -> String {
            let steps = [shows("All birds"), .events([.ground(isLight: true)]), type("q")]
            let explorer = try explorer(in: folder, steps, opening: opening)
            _ = explorer.run()
            return explorer.state.screen.theme
        }
        #expect(try theme { $0.followsGround = true } == "light")
        #expect(try theme { _ in } == "dark")
        #expect(
            try theme {
                $0.followsGround = true
                $0.theme = "dark"
            } == "dark")
    }

    @Test func `one key sends, and the response appears`() throws {
        let transport = ScriptedTransport { _ in
            .respond(status: .created, headers: [.contentType: "application/json"], body: Data(#"{"id": 7}"#.utf8))
        }
        let (terminal, exit, _) = try run(
            transport: transport,
            [shows("All birds"), type("j"), key(.function(5)), shows("\"id\": 7"), type("q")])
        #expect(exit == .quit)
        #expect(terminal.text.contains("201 Created"))
        #expect(transport.requests.map(\.url.absoluteString) == ["http://127.0.0.1:9/orders"])
    }

    @Test func `a file that an editor replaces is read again, and an edit of it is a conflict that saving asks about`() throws {
        let folder = try TemporaryFolder(["shop.yaml": ExplorerTests.shop])
        let file = folder.url.appending(path: "shop.yaml")
        func replace(_ old: String, with new: String) -> ScriptedTerminal.Step {
            .look { _ in
                let other = folder.url.appending(path: "shop.yaml~")
                try? Data((folder.text("shop.yaml") ?? "").replacing(old, with: new).utf8).write(to: other)
                _ = rename(other.path(), file.path())
            }
        }
        let terminal = ScriptedTerminal(
            size: size,
            steps: [
                shows("All birds"), replace("All birds", with: "Every bird"), shows("Every bird"),
                // PUT here, another URL there.
                type("mj"), key(.enter), shows("1 unsaved"), replace("/birds", with: "/theirs"),
                shows("1 changed on disk"), type("w"), shows("Which of the two stays?"), type("m"),
                shows("saved birds"), type("q"),
            ])
        let services = ExplorerServices(client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: NoEditor())
        try terminal.play(in: folder, with: services)
        #expect(folder.text("shop.yaml")?.contains("name: Every bird, method: POST, url: \"{{host}}/birds\"") ?? false)
    }

    @Test func `given variables stand over those of the file`() throws {
        let transport = ScriptedTransport { _ in .respond() }
        _ = try run(
            transport: transport, variables: ["host": "http://127.0.0.1:7"],
            [shows("All birds"), type("s"), shows("200 OK"), type("q")])
        #expect(transport.requests.map(\.url.absoluteString) == ["http://127.0.0.1:7/birds"])
    }

    @Test func `events of a stream appear while it goes on, without the half of a line`() throws {
        let transport = ScriptedTransport()
        func send(_ kinds: TransportEvent.Kind...) -> ScriptedTerminal.Step {
            .look { _ in for kind in kinds { transport.transfers[0].send(kind) } }
        }
        func body(_ text: String, after count: Int) -> TransportEvent.Kind {
            .body(Data(text.utf8), received: Int64(count + text.utf8.count), expected: nil)
        }
        let head = ResponseHead(status: .ok, headers: [.contentType: "text/event-stream"])
        let (terminal, exit, _) = try run(
            transport: transport,
            [
                shows("All birds"), type("s"), .until { _ in !transport.transfers.isEmpty },
                send(.requestSent, .head(head), body("data: plover\n\ndata: tur", after: 0)), shows(" plover"),
                .look { #expect(!$0.text.contains(" tur")) },
                // The time of the script stands still: no progress is reported of this.
                send(body("nstone\n\n", after: 23)), shows(" turnstone"),
                .look { #expect(!$0.text.contains("✓ 200")) },
                send(.finished(TransferResult())), shows("✓ 200"), shows(" turnstone"), type("q"),
            ])
        #expect(exit == .quit)
        #expect(terminal.text.contains(" plover"))
    }

    @Test func `x cancels what runs, at once`() throws {
        let transport = ScriptedTransport()
        _ = try run(
            transport: transport,
            [
                shows("All birds"), type("s"), .until { _ in !transport.transfers.isEmpty }, type("x"),
                .until { _ in transport.transfers[0].isCancelled }, shows("cancelled"), type("q"),
            ])
        #expect(transport.transfers.count == 1)
    }

    @Test func `at rest it waits without a deadline, and draws nothing`() throws {
        _ = try run([
            shows("All birds"), type("s"), shows("200 OK"),
            .until { $0.waits.last == .some(nil) },
            .look { terminal in
                let frames = terminal.frames.count
                #expect(terminal.waits.last == .some(nil))
                #expect(frames > 0)
            },
            type("q"),
        ])
    }

    @Test func `a flood of events is drawn a few times, and a key in it at once`() throws {
        let transport = ScriptedTransport { _ in
            var steps: [TransportEvent.Kind] = Script.respond(headers: [.contentType: "text/plain"]).steps.dropLast()
            for number in 1...5000 { steps.append(.body(Data("x".utf8), received: Int64(number), expected: 5000)) }
            return Script(steps + [.finished(TransferResult())])
        }
        var framesBefore = 0
        let (terminal, _, _) = try run(
            transport: transport,
            [
                shows("All birds"), type("s"), shows("200 OK"), .look { framesBefore = $0.frames.count },
                type("j"), .look { #expect($0.frames.count > framesBefore) }, type("q"),
            ])
        #expect(terminal.frames.count < 100)
    }

    @Test func `another size is drawn at once, also a tiny one`() throws {
        let sizes = [
            Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 3, rows: 1), Size(columns: 200, rows: 60),
        ]
        let steps = sizes.flatMap { size in
            [ScriptedTerminal.Step.events([.resize(size)]), .look { #expect($0.frame?.size == size) }]
        }
        let (_, exit, _) = try run([shows("All birds")] + steps + [type("q")])
        #expect(exit == .quit)
    }

    @Test func `a signal ends it, with the shell's status for it`() throws {
        let (_, exit, _) = try run([shows("All birds"), .events([.terminate(signal: 15)])])
        #expect(exit == .signal(15))
        #expect(exit.status == 143)
        #expect(Explorer.Exit.quit.status == 0)
    }

    @Test func `Ctrl+Z stops the program, and coming back draws everything`() throws {
        let (terminal, _, _) = try run([
            shows("All birds"), .events([.key(.character("z", .control))]), .until { $0.log.contains("invalidate") },
            type("q"),
        ])
        #expect(terminal.log == ["suspend", "invalidate"])
    }

    @Test func `a collection that can't be read is said, and the others open`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let terminal = ScriptedTerminal(
            size: size, steps: [shows("Could not read"), key(.escape), shows("All birds"), type("q")])
        let services = ExplorerServices(
            client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: NoEditor())
        let opening = ExplorerOpening(collections: [folder.path("missing.yaml"), folder.path("shop.yaml")])
        let exit = try Explorer(terminal: terminal, services: services, opening: opening).run()
        #expect(exit == .quit, "\(terminal.text)")
    }

    @Test func `a theme that there isn't is said, and another one is taken`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let terminal = ScriptedTerminal(size: size, steps: [shows("there is no theme pink; there are: dark"), type("q")])
        let services = ExplorerServices(
            client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: NoEditor())
        let opening = ExplorerOpening(collections: [folder.path("shop.yaml")], theme: "pink")
        let exit = try Explorer(terminal: terminal, services: services, opening: opening).run()
        #expect(exit == .quit, "\(terminal.text)")
    }

    @Test func `an environment that no collection has is said`() throws {
        let folder = try TemporaryFolder([
            "a.yaml": Self.shop, "b.yaml": "turnstone: 1\nenvironments: { local: {} }\nrequests: {}\n",
        ])
        for (name, complaint) in [("moon", "there is no environment moon; there are: local"), ("local", nil)] {
            let terminal = ScriptedTerminal(
                size: size,
                steps: [
                    shows("All birds"),
                    .until { complaint.map($0.text.contains) ?? !$0.text.contains("there is no environment") }, type("q"),
                ])
            let services = ExplorerServices(
                client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: NoEditor())
            let opening = ExplorerOpening(collections: ["a.yaml", "b.yaml"].map { folder.path($0) }, environment: name)
            try terminal.play(in: folder, with: services, opening: opening)
        }
    }

    @Test func `a template without a value is not sent, and says why`() throws {
        let transport = ScriptedTransport { _ in .respond() }
        _ = try run(
            files: ["a.yaml": "turnstone: 1\nrequests:\n  a: { name: Nameless, method: GET, url: \"http://{{nobody}}/\" }\n"],
            transport: transport,
            [
                shows("Nameless"), type("s"), shows("nobody"), shows("Not sent"), key(.escape),
                type("q"),
            ])
        #expect(transport.requests.isEmpty)
    }
}
