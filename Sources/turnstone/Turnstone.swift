import Base
import CTaskPool
import CommandLineInterface
import CurlTransport
import Explorer
import NetworkLayer
import NetworkMonitor

/// The program: the command line and the explorer over the real transport, the real terminal and the machine's files.
@main
enum Turnstone {
    static let userAgent = "turnstone/\(Version.text)"

    static func main() async {
        task_pool_install()
        let words = ArgumentMemory.words
        ArgumentMemory.hideSecrets(in: CommandLine.arguments)
        StandardStreams.fill()
        DescriptorLimit.raise()
        DescriptorLimit.demand(DescriptorLimit.program)
        AddressSpace.demand()
        AddressSpace.returnLargeBlocks()
        // A reader that goes away is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let transport = CurlTransport(userAgent: userAgent)
        let time = SystemTimeSource()
        let conditions = LazyNetworkMonitor()
        let shareDirectory = ShareDirectory.locate(environment: environment)
        // Not "self", which the process that starts it would take for itself; and it is this program also after an update.
        let program = "/proc/\(getpid())/exe"
        let explorer = ExplorerProgram(
            transport: transport, time: time, conditions: conditions, environment: environment, shareDirectory: shareDirectory,
            program: program)
        var context = CommandLineContext(
            standardInput: FileInput.standardInput, standardOutput: FileOutput.standardOutput,
            standardError: FileOutput.standardError,
            environment: environment, transport: transport, time: time,
            explore: { launch in
                let status = await explorer.run(launch)
                return ExitStatus(rawValue: status)
            }, onInterrupt: { Interrupts($0) })
        (context.conditions, context.shareDirectory, context.program) = (conditions, shareDirectory, program)
        context.keys = { UserKeys(environment: environment).printed(set: $0) }
        context.keySets = UserKeys.sets
        (context.askSecret, context.askLine) = (TerminalSecret.ask, TerminalLine.ask)
        context.onChange = { CollectionChanges(of: $0, tell: $1) }
        let status = await CommandLineInterface.main(words: words, in: context)
        // What a shell says of a program that SIGHUP ended.
        exit(status != .success && Interrupts.haveHungUp ? 128 + SIGHUP : status.rawValue)
    }
}
