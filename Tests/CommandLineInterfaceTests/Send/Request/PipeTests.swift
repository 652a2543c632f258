import Foundation
import Glibc
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CommandLineInterface

/// A shell's `<(command)` is the path of a pipe: it has no size, and what is in it can be read once.
@Suite struct `Files that are pipes` {
    @Test(arguments: ["--data", "--data-binary", "--json", "--header", "--form", "--upload-file", "--config"])
    func `are read like others`(option: String) async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread {
            let text = Data(
                (option == "--header" ? "X-Bird: turnstone" : option == "--config" ? "data = \"turnstone\"" : "turnstone").utf8)
            try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: text)
        }
        let value =
            switch option {
            case "--form": "bird=@\(pipe)"
            case "--upload-file", "--config": pipe
            default: "@\(pipe)"
            }
        let input = RepeatedInput(GivenInput(bytes: Data()))
        let groups = try SendOptionParser.groups([option, value, "http://127.0.0.1/"], reading: InputFiles(standardInput: input))
        let transfers = Array(try SendTransfers(groups))
        let arguments = try #require(transfers.first)
        let plan = try SendPlan(arguments, reading: input)
        if option == "--header" {
            #expect(plan.request.headers.contains { $0.value == "turnstone" })
        } else {
            let body = try await bytes(of: plan.request.body)
            #expect(String(decoding: body, as: UTF8.self).contains("turnstone"), "\(option)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `are the same for each URL`() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread { try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: Data("turnstone".utf8)) }
        let input = RepeatedInput(GivenInput(bytes: Data()))
        for _ in 1...2 { #expect(try InputFiles(standardInput: input).contents(pipe) == Data("turnstone".utf8)) }
    }

    @Test(.timeLimit(.minutes(1))) func `/dev/null is an empty one`() throws {
        let files = InputFiles(standardInput: GivenInput(bytes: Data()))
        #expect(try files.contents("/dev/null") == Data())
    }

    @Test func `a directory and what isn't there are none`() {
        let files = InputFiles(standardInput: GivenInput(bytes: Data()))
        #expect(throws: CommandFailure.self) { try files.contents("/") }
        #expect(throws: CommandFailure.self) { try files.contents("/no/such/file") }
    }

    private func bytes(of body: RequestBody) async throws -> Data {
        if case .data(let data) = body { return data }
        guard case .stream(let stream) = body else { return Data() }
        let reader = try stream.open()
        var data = Data()
        while true {
            let (woken, wake) = AsyncStream<Void>.makeStream()
            switch try reader.read(atMost: 1 << 16, wake: { wake.yield() }) {
            case .bytes(let piece): data += piece
            case .end: return data
            case .later: for await _ in woken { break }
            }
        }
    }
}
