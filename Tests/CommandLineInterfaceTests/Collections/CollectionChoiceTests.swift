import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite(.enabled(if: geteuid() == 0, "only the superuser can give a file to somebody else"))
struct CollectionChoiceTests {
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/Collections", withIntermediateDirectories: true)
        try Data("turnstone: 1\nrequests:\n  hello:\n    get: http://127.0.0.1:9/\n".utf8).write(
            to: URL(filePath: "\(folder.path)/Collections/shop.yaml"))
        #expect(chown("\(folder.path)/Collections", 1_234_567, 1_234_567) == 0)
        #expect(chown("\(folder.path)/Collections/shop.yaml", 1_234_567, 1_234_567) == 0)
        return folder
    }

    @Test func `what belongs to somebody else is only opened when it is named`() throws {
        let folder = try folder()
        #expect(
            throws: CommandFailure(
                status: .usage,
                message:
                    "There is no collection of yours here. \(folder.path)/Collections belongs to the user 1234567, so it is only "
                    + "opened when it is named: turnstone run \(folder.path)/Collections")
        ) { try CollectionChoice([], environment: [:], directory: folder.path) }
    }

    @Test func `a path that is named only warns`() async throws {
        let folder = try folder()
        let run = await CommandLineRun.run(["list", "\(folder.path)/Collections"])
        #expect(run.status == .success)
        #expect(run.output.contains("hello"))
        #expect(run.errors == "turnstone: \(folder.path)/Collections/shop.yaml belongs to the user 1234567\n")
    }
}
