import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ParallelTransfersTests {
    @Test(.timeLimit(.minutes(1))) func `with -Z several requests are under way at once`() async {
        let transport = ScriptedTransport()
        async let run = CommandLineRun.run(["send", "-Z", "-w", "%{urlnum}|", "http://h/[1-3]"], transport: transport)
        // Nobody is answered before all three have come.
        _ = await transport.transfer(2)
        for transfer in transport.transfers {
            for step in Script.respond(status: 204).steps { transfer.send(step) }
        }
        #expect(await run.output == "0|0|0|")
        #expect(await run.status == .success)
    }

    @Test(.timeLimit(.minutes(1))) func `of --parallel-max no more than so many`() async {
        let transport = ScriptedTransport()
        async let run = CommandLineRun.run(["send", "-Z", "--parallel-max", "2", "http://h/[1-3]"], transport: transport)
        for index in 0..<3 {
            // The third begins when the first is over.
            let transfer = await transport.transfer(index)
            if index == 0 { _ = await transport.transfer(1) }
            #expect(transport.transfers.count == min(3, index + 2))
            for step in Script.respond(status: 204).steps { transfer.send(step) }
            if index == 0 { _ = await transport.transfer(2) }
        }
        #expect(await run.status == .success)
    }

    @Test func `of several that fail at once, the last one of the command line decides`() async throws {
        let run = await CommandLineRun.run([
            "send", "-Zs", "http://127.0.0.1:1/", "--proto", "=http", "https://127.0.0.1:1/", "http://127.0.0.1:1/",
        ])
        #expect(run.status == .connection)
    }

    @Test(.timeLimit(.minutes(1))) func `requests of --rate begin so far apart`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport { _ in .respond(status: 204) }
        async let run = CommandLineRun.run(["send", "--rate", "2/s", "http://h/[1-2]"], transport: transport, time: time)
        // The alarm for the second one is half a second later.
        while time.nextDeadline != MonotonicTime.zero + .milliseconds(500) { await Task.yield() }
        #expect(transport.requests.count == 1)
        time.advance(by: .milliseconds(500))
        #expect(await run.status == .success)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: ["0", "x", "1/w", "-1", "1/", "/s"]) func `what is no rate is refused`(rate: String) {
        #expect(throws: CommandFailure.self) { try SendOptionParser.parse(["--rate", rate, "http://h/"]) }
    }
}
