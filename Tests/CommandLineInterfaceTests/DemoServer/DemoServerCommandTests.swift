import DemoServer
import Foundation
import Testing

@testable import CommandLineInterface

@Suite struct DemoServerCommandTests {
    @Test func `a port that another program has is named once, with the way out`() async throws {
        let server = try await DemoServer(port: 0)
        let port = try #require(URL(string: server.baseURL)?.port)
        let run = await CommandLineRun.run(["demo-server", "--port", "\(port)"])
        #expect(run.status == .connection)
        #expect(
            run.errors == """
                turnstone: Can't listen on port \(port): another program has it; choose another with --port, or 0 for one that is free.

                """)
        await server.stop()
    }
}
