import Foundation
import Testing

@testable import CollectionRunner

@Suite struct CommandTests {
    private let environment = ["PATH": "/usr/bin:/bin", "WHO": "tea"]

    private func failure(_ command: Command) async -> CommandError? {
        do {
            _ = try await command.run()
            return nil
        } catch {
            return error
        }
    }

    @Test func `what it prints is taken, byte for byte`() async throws {
        let printed = try await Command(["sh", "-c", "printf 'a\\000b\\n'; echo $WHO; echo talk >&2"], environment: environment)
            .run()
        #expect(printed == Data("a\0b\ntea\n".utf8))
    }

    @Test(arguments: [0, 1, 200_000])
    func `it reads data and files from standard input`(count: Int) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let file = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await Command(["cat"], environment: environment, input: .data(data)).run() == data)
        #expect(try await Command(["cat"], environment: environment, input: .file(file.path)).run() == data)
        // One that doesn't read to the end is no error.
        #expect(try await Command(["true"], environment: environment, input: .data(data)).run() == Data())
    }

    @Test func `it runs where it is told, whatever CDPATH and the last directory are`() async throws {
        let elsewhere = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        try FileManager.default.createDirectory(at: elsewhere.appending(path: "usr"), withIntermediateDirectories: true)
        let old = FileManager.default.currentDirectoryPath
        let up = old.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        let environment = environment.merging(["CDPATH": "\(elsewhere.path)/..:\(elsewhere.path)", "OLDPWD": elsewhere.path]) { $1 }
        let name = elsewhere.lastPathComponent
        for directory in [name, "-"] {
            let error = await failure(Command(["pwd"], directory: directory, environment: environment))
            #expect(error?.predicate.contains("can't cd to ./\(directory)") == true, "\(directory)")
        }
        #expect(try await Command(["pwd"], directory: "\(up)/usr", environment: environment).run() == Data("/usr\n".utf8))
    }

    @Test func `an input that isn't there is named`() async {
        let error = await failure(Command(["cat"], environment: environment, input: .file("/no/such/file")))
        #expect(error?.predicate == "can't be given /no/such/file: no such file or directory")
    }

    @Test func `one that prints too much is ended`() async {
        let error = await failure(Command(["yes"], environment: environment, outputLimit: 3 << 20))
        #expect(error?.predicate == "printed more than 3 MiB")
    }

    @Test(.timeLimit(.minutes(1)))
    func `one that takes too long is ended, with what it has started`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let error = await failure(
            Command(
                ["sh", "-c", "sleep 60 & echo $! > '\(file.path)'; wait"], environment: environment, timeout: .milliseconds(300)))
        #expect(error?.predicate == "took longer than 0.3 s")
        let id = try #require(Int32(String(contentsOf: file, encoding: .utf8).dropLast()))
        // It is told to die; the system lets it when it next has a processor for it.
        while Self.lives(id) { await Task.yield() }
    }

    @Test(arguments: [(9_999, "10 s"), (60_000, "60 s"), (300, "0.3 s"), (1_500, "1.5 s"), (50, "0.05 s")])
    func `a limit is told as it was given, though a moment of it was over`(milliseconds: Int, text: String) {
        #expect(CommandError(.late(.milliseconds(milliseconds))).predicate == "took longer than \(text)")
    }

    private static func lives(_ id: Int32) -> Bool {
        let state = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.split(separator: " ").dropFirst(2).first
        return state != nil && state != "Z" && state != "X"
    }

    @Test func `cancelling the task ends it`() async {
        let command = Command(["sleep", "60"], environment: environment)
        let task = Task { try await command.run() }
        task.cancel()
        await #expect(throws: CommandError(.cancelled)) { try await task.value }
    }

    @Test func `a signal ends it with 128 and the signal's number`() async {
        let error = await failure(Command(["sh", "-c", "echo last words >&2; kill -TERM $$"], environment: environment))
        #expect(error == CommandError(.failed(status: 143, said: "last words")))
    }

    @Test func `it doesn't inherit what this program ignores`() async throws {
        signal(SIGPIPE, SIG_IGN)
        // `yes` ends by SIGPIPE when nobody reads on; ignoring it, it would complain.
        let printed = try await Command(["sh", "-c", "yes | head -n 1"], environment: environment).run()
        #expect(printed == Data("y\n".utf8))
        let error = await failure(Command(["sh", "-c", "trap - PIPE; kill -PIPE $$"], environment: environment))
        #expect(error == CommandError(.failed(status: 141, said: "")))
    }
}
