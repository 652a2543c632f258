import Foundation
import ServerTesting
import Testing

/// The program of `make sanitize` and `make soak`, in a build without a sanitizer; its status says whether a rule was broken.
@Suite struct NetworkLayerStormTests {
    /// Beside the tests that were built with it.
    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "network-storm"
    )
    .path()

    @Test func `of 20,000 operations through one queue none is lost, and none is left in memory`() throws {
        let said = try ChildProcess.run(Self.program, ["--operations", "20000"])
        #expect(said.hasPrefix("20000 operations: "))
    }

    @Test func `cancelling, retrying, suspending and pruning at random breaks no rule of events`() throws {
        let said = try ChildProcess.run(Self.program, ["--seconds", "2"])
        #expect(said.contains(", 0 problems"))
    }
}
