import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

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
