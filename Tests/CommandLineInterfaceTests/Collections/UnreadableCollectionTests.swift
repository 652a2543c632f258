import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct UnreadableCollectionTests {
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("Collections"), withIntermediateDirectories: true)
        try folder.write("Collections/good.yaml", "turnstone: 1\nrequests: { a: { get: 'https://shop.test', mock: {} } }\n")
        try FileManager.default.createSymbolicLink(atPath: folder.file("Collections/gone.yaml"), withDestinationPath: "nowhere")
        return folder
    }

    /// As a file does that isn't YAML.
    @Test(arguments: [["list"], ["check"], ["run", "--mocks"]])
    func `one that can't be read hides no others, and fails the command`(words: [String]) async throws {
        let folder = try folder()
        let run = await CommandLineRun.run([words[0], folder.file("Collections")] + words.dropFirst())
        #expect(run.status == .usage, "\(run.errors)")
        let output = run.output + run.errors
        #expect(output.contains("gone.yaml:1:1: ") && output.contains("can't be read: no such file or directory"), "\(output)")
        #expect(output.contains(words[0] == "check" ? "1 request" : words[0] == "list" ? "a  GET" : "1 passed"), "\(output)")
    }

    @Test func `one that was named ends the command`() async throws {
        let folder = try folder()
        #expect(mkfifo(folder.file("Collections/pipe.yaml"), 0o600) == 0)
        let run = await CommandLineRun.run(["list", folder.file("Collections/good.yaml"), folder.file("Collections/pipe.yaml")])
        #expect(run.status == .file)
        #expect(run.errors == "turnstone: \(folder.file("Collections/pipe.yaml")) is not a file\n")
    }
}
