import Foundation
import Testing

@testable import CollectionRunner
@testable import RequestCollections

@Suite struct SystemSecretsTests {
    private let secrets = SystemSecrets(environment: ["PATH": "/usr/bin:/bin", "TOKEN": "t-123"])

    private func sentence(_ reference: SecretReference, from directory: String = "") async -> String? {
        do {
            _ = try await secrets.read(reference, from: directory)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `an environment variable is read as it is`() async throws {
        #expect(try await secrets.read(.environment("TOKEN"), from: "") == "t-123")
        #expect(await sentence(.environment("TOKN")) == "the environment variable `TOKN` isn't set; set it, and start again")
    }

    @Test func `a file is read from beside the collection, without its last line break`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data("line 1\nline 2\n".utf8).write(to: directory.appending(path: "token"))
        try Data([0xFF, 0xFE]).write(to: directory.appending(path: "binary"))
        #expect(try await secrets.read(.file("token"), from: directory.path) == "line 1\nline 2")
        #expect(try await secrets.read(.file(directory.appending(path: "token").path), from: "") == "line 1\nline 2")
        #expect(
            await sentence(.file("no"), from: directory.path)
                == "the secret's file \(directory.path)/no can't be read: no such file or directory")
        #expect(
            await sentence(.file("binary"), from: directory.path) == "the secret's file \(directory.path)/binary isn't UTF-8 text")
    }

    @Test func `the first line that a command prints is the secret`() async throws {
        #expect(try await secrets.read(.command(["printf", "s3cret\r\nnotes\n"]), from: "") == "s3cret")
        #expect(try await secrets.read(.command(["printf", "s3cret"]), from: "") == "s3cret")
        #expect(try await secrets.read(.command(["sh", "-c", "echo $TOKEN; pwd >&2"]), from: "/") == "t-123")
    }

    @Test(
        arguments: [
            (
                ["sh", "-c", "echo wrong key >&2; exit 3"],
                "the command `sh -c echo wrong key >&2; exit 3` failed with exit status 3: wrong key"
            ),
            (["false"], "the command `false` failed with exit status 1"),
            (["true"], "the command `true` printed nothing"),
        ])
    func `a command that fails says how`(words: [String], message: String) async {
        #expect(await sentence(.command(words)) == message)
    }

    @Test func `a command that isn't there says so`() async throws {
        let message = try #require(await sentence(.command(["no-such-command"])))
        #expect(message == "the command `no-such-command` can't be found; install it, or name it with its path")
    }

    @Test func `a command that hangs is ended`() async {
        let secrets = SystemSecrets(environment: ["PATH": "/usr/bin:/bin"], commandTimeout: .milliseconds(50))
        await #expect(throws: SecretError("the command `sleep 60` took longer than 0.05 s")) {
            try await secrets.read(.command(["sleep", "60"]), from: "")
        }
    }

    @Test func `something that a command leaves running doesn't hold it up`() async throws {
        let id = try #require(Int32(try await secrets.read(.command(["sh", "-c", "sleep 60 & echo $!"]), from: "")))
        #expect(kill(id, SIGKILL) == 0)
    }

    @Test func `cancelling the task ends the command`() async {
        let secrets = secrets
        let task = Task { try await secrets.read(.command(["sleep", "60"]), from: "") }
        task.cancel()
        await #expect(throws: SecretError("the command `sleep 60` was cancelled")) { try await task.value }
    }
}

extension SystemSecrets {
    fileprivate func read(_ reference: SecretReference, from directory: String) async throws(SecretError) -> String {
        switch reference {
        case .environment(let name): return try await read(.environment(name, .own))
        case .file(let path):
            let whole = path.hasPrefix("/") || directory.isEmpty ? path : "\(directory)/\(path)"
            return try await read(.file(PermittedFile(RealPath.of(whole), named: whole, .own)))
        case .command(let words): return try await read(.command(words, directory: directory, .own))
        case .prompt(let message): return try await read(.prompt(message))
        }
    }
}
