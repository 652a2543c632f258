import NetworkLayer
import Synchronization
import Testing

@testable import CommandLineInterface

@Suite struct ExploreTests {
    private func launches(_ arguments: String...) async -> [ExplorerLaunch] {
        let launches = Launches()
        _ = await CommandLineRun.run(arguments, launches: launches)
        return launches.all.withLock { $0 }
    }

    @Test func `no argument opens the explorer`() async {
        #expect(await launches() == [ExplorerLaunch()])
    }

    @Test func `a path opens the explorer on it`() async {
        #expect(await launches(#filePath) == [ExplorerLaunch(collections: [#filePath])])
    }

    @Test func `demo opens the explorer on the demo, in an environment of one's choice`() async {
        #expect(await launches("demo", "--env", "local") == [ExplorerLaunch(isDemo: true, environment: "local")])
    }

    @Test func `mocks and the history are chosen as for run`() async {
        #expect(await launches("demo", "--still") == [ExplorerLaunch(isDemo: true, holdsStill: true)])
        #expect(
            await launches("demo", "--mocks", "--no-history") == [
                ExplorerLaunch(isDemo: true, keepsHistory: false, usesMocks: true)
            ])
    }

    @Test func `a path that isn't there is named, with the way out`() async {
        let run = await CommandLineRun.run(["./nowhere.yaml"])
        #expect(run.status == .usage)
        #expect(
            run.errors
                == "turnstone: There is no collection at ./nowhere.yaml. It takes a YAML file or a directory; `turnstone demo` shows one.\n"
        )
    }

    @Test func `a slip in a command's name is met with the command`() async {
        let run = await CommandLineRun.run(["snd"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: There is no collection and no command named snd. Did you mean: turnstone send?\n")
    }

    @Test func `an unknown option is a usage error`() async {
        let run = await CommandLineRun.run(["send", "--frobnicate", "http://127.0.0.1/"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: send has no option --frobnicate. `turnstone send --help` lists all of them.\n")
        #expect(run.output == "")
    }

    @Test func `help explains a command`() async {
        let help = await CommandLineRun.run(["help", "send"])
        #expect(help.status == .success)
        #expect(help.output.hasPrefix("OVERVIEW: Send one request, and print the body of its response."))
        #expect(help.errors == "")
    }

    @Test func `no line of the first help is broken`() async {
        let help = await CommandLineRun.run(["--help"])
        #expect(help.output.contains("  turnstone send --timing URL  the same, and draw where its time went\n"))
        #expect(help.output.contains("  turnstone shop.yaml          explore a collection: a file or a directory\n"))
    }

    @Test func `--help and --version go to standard output`() async {
        let help = await CommandLineRun.run(["--help"])
        #expect(help.status == .success)
        #expect(help.output.contains("turnstone send"))
        #expect(help.errors == "")
        let version = await CommandLineRun.run(["--version"])
        #expect(version.output == "turnstone \(Version.text)\n")
        #expect(NetworkClient.version == Version.text)
    }
}
