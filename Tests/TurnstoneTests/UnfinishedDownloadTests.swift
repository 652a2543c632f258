import Foundation
import Glibc
import ServerTesting
import TerminalTesting
import Testing

/// However the real program is ended in the middle of a download, nothing of the body stays on the disk.
@Suite(.serialized, .timeLimit(.minutes(3))) struct UnfinishedDownloadTests {
    /// A program that has begun to receive a body, with directories of its own for all that it writes.
    private final class Download {
        private static let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 400000000\r\n\r\n"
        /// In nothing else that the program writes.
        private static let mark = "a-part-of-the-body "
        /// What is sent of it: more than sockets hold, and more than the history keeps of a body.
        private static let body = Data(String(repeating: mark, count: 2_000_000).utf8)

        let server: ScriptedServer
        let directory: TemporaryDirectory
        let terminal: PseudoTerminal

        init(_ words: (_ url: String, _ collection: String) -> [String]) throws {
            server = try ScriptedServer([[.readHead, .send(Self.head), .sendBytes(Self.body), .readToEnd]])
            directory = try TemporaryDirectory()
            let url = "http://127.0.0.1:\(server.port)/big"
            let collection = try directory.write("shop.yaml", "turnstone: 1\nrequests: { big: { get: \"\(url)\" } }\n")
            let homes = [
                "HOME": "home", "TMPDIR": "tmp", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config",
            ]
            for name in homes.values {
                try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
            }
            var variables = homes.mapValues { [directory] in directory.file($0) }
            variables["SWIFT_BACKTRACE"] = "enable=no"
            // A command's body isn't for the screen.
            let script = words(url, collection).count > 1 ? "exec \"$0\" \"$@\" > /dev/null" : "exec \"$0\" \"$@\""
            terminal = try PseudoTerminal(
                ["/bin/sh", "-c", script, Program.path] + words(url, collection), environment: variables, directory: directory.path)
        }

        /// Until more of the body is on the disk than the history would keep, without a name.
        func waitUntilUnnamed() async {
            while unnamedBytes <= 16 << 20, !Task.isCancelled { await Task.yield() }
        }

        /// Until the server has got rid of what it sends: so the program has taken in all but what fits into the sockets.
        func waitUntilReceived() async -> Bool { await server.waitFor(.sent(0, Self.body)) }

        /// The files below the directory that have a part of the body in them.
        var leftovers: [String] {
            let files = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
            return files.filter { name in
                FileManager.default.contents(atPath: directory.file(name))?.firstRange(of: Data(Self.mark.utf8)) != nil
            }
        }

        /// Somewhere in the path of every file that the program may make.
        private var folderOfBodies: String { URL(filePath: directory.path).lastPathComponent }

        /// What the program has in files without a name.
        var unnamedBytes: Int {
            let folder = "/proc/\(terminal.process)/fd"
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return descriptors.reduce(0) { sum, name in
                let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) ?? ""
                var status = stat()
                guard target.contains(folderOfBodies), target.hasSuffix("(deleted)"), stat("\(folder)/\(name)", &status) == 0
                else {
                    return sum
                }
                return sum + Int(status.st_size)
            }
        }
    }

    /// What `-o` has got so far stays where the user named it, as curl leaves it, and nowhere else.
    @Test(arguments: zip([["send"], ["send", "-o", "saved.bin"], ["run"]], [SIGTERM, SIGINT, SIGKILL]))
    func `an ended command leaves nothing of the body`(words: [String], signal: Int32) async throws {
        let download = try Download { url, collection in words + [words[0] == "run" ? collection : url] }
        defer { download.terminal.stop() }
        #expect(await download.waitUntilReceived())
        if words[0] == "run" { await download.waitUntilUnnamed() }
        download.terminal.signal(signal)
        let exit = try await download.terminal.waitForExit()
        #expect(exit != .status(0))
        #expect(download.leftovers.filter { $0 != "saved.bin" } == [])
    }

    @Test(arguments: [nil, SIGKILL])
    func `a left explorer leaves nothing of the body`(signal: Int32?) async throws {
        let download = try Download { _, collection in [collection] }
        let terminal = download.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "big")
        terminal.type("s")
        #expect(await download.waitUntilReceived())
        await download.waitUntilUnnamed()
        if let signal {
            terminal.signal(signal)
        } else {
            terminal.type("q")
            try await terminal.wait(for: "would be cancelled")
            terminal.type("q")
        }
        _ = try await terminal.waitForExit()
        #expect(download.leftovers == [])
    }
}
