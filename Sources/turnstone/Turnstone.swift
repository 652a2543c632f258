import Base
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
        let words = ArgumentMemory.words
        ArgumentMemory.hideSecrets(in: CommandLine.arguments)
        fillStandardStreams()
        raiseDescriptorLimit()
        returnLargeBlocks()
        // A reader that goes away is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let transport = CurlTransport(userAgent: userAgent)
        let time = SystemTimeSource()
        let conditions = LazyNetworkMonitor()
        // Not "self", which the process that starts it would take for itself; and it is this program also after an update.
        let program = "/proc/\(getpid())/exe"
        let explorer = ExplorerProgram(
            transport: transport, time: time, conditions: conditions, environment: environment, program: program)
        var context = CommandLineContext(
            standardInput: FileInput.standardInput, standardOutput: FileOutput.standardOutput,
            standardError: FileOutput.standardError,
            environment: environment, transport: transport, time: time,
            explore: { launch in
                let status = await explorer.run(launch)
                return ExitStatus(rawValue: status)
            }, onInterrupt: { Interrupts($0) })
        (context.conditions, context.program) = (conditions, program)
        context.keys = { UserKeys(environment: environment).printed(set: $0) }
        context.keySets = UserKeys.sets
        (context.askSecret, context.askLine) = (TerminalSecret.ask, TerminalLine.ask)
        context.onChange = { CollectionChanges(of: $0, tell: $1) }
        let status = await CommandLineInterface.main(words: words, in: context)
        // What a shell says of a program that SIGHUP ended.
        end(status != .success && Interrupts.haveHungUp ? 128 + SIGHUP : status.rawValue)
    }

    /// Ends the process at once. By exit(3) libraries (OpenSSL, and those that libcurl loads) would tear down what other threads are using
    /// at that moment. Nothing is owed any more: what is written has been written, and all output goes out unbuffered.
    static func end(_ status: Int32) -> Never { _exit(status) }

    /// Fills the places of those of the three standard streams that the caller has closed (`>&-`): the next file or socket to be opened would
    /// get the place, and what is printed would go into it. What fills them can't be used the way that the stream is, so that using it is
    /// an error.
    private static func fillStandardStreams() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free one is this.
            _ = open("/dev/null", mode)
        }
    }

    /// Raises how many files and sockets may be open at once (`ulimit -n`) towards the hard limit: the usual 1024 is for programs of the time of
    /// select(2). Programs that this one starts get the limit as well, and some of them close every number up to it one by one.
    private static func raiseDescriptorLimit() {
        var limits = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limits) == 0, limits.rlim_cur < min(limits.rlim_max, 1 << 16) else { return }
        limits.rlim_cur = min(limits.rlim_max, 1 << 16)
        setrlimit(kind, &limits)
    }

    /// Returns large blocks of memory to the system as soon as they are freed. Left alone, glibc stops doing so after the first one: it raises
    /// its bound from 128 KiB to as much as 32 MiB, and the holes that the arrays of a large collection leave stay with the program.
    ///
    /// Swift's Glibc doesn't show `malloc.h`, where the option is -3, and other C libraries have no `mallopt`.
    private static func returnLargeBlocks() {
        typealias Function = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(-3, 128 << 10)
    }
}

/// The command line as other programs see it.
enum ArgumentMemory {
    /// The command line as it was given, the program's name included: Swift makes texts of it, with something else for what isn't UTF-8.
    static var words: [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
            }
        }
    }

    /// Overwrites what nobody should read there. Swift hands out a copy of the arguments, so it doesn't lose them.
    ///
    /// The kernel shows whatever stands between two addresses of this process, and tells it which they are (proc(5), `arg_start` and
    /// `arg_end`). Where it doesn't, nothing is overwritten.
    static func hideSecrets(in words: [String]) {
        let places = SecretWords.places(in: words)
        guard !places.isEmpty, let memory = region() else { return }
        // Each word ends with a zero byte.
        let starts = [0] + memory.indices.filter { memory[$0] == 0 }.map { $0 + 1 }
        for place in places where place.word < starts.count {
            let start = starts[place.word]
            let end = start + words[place.word].utf8.count
            guard end <= memory.count, memory[start..<end].elementsEqual(words[place.word].utf8) else { continue }
            for offset in place.range { memory[start + offset] = UInt8(ascii: "*") }
        }
    }

    private static func region() -> UnsafeMutableBufferPointer<UInt8>? {
        guard let stat = try? String(contentsOf: URL(filePath: "/proc/self/stat"), encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return nil }
        // The third field stands behind the name of the program, which may have anything in it.
        let fields = stat[stat.index(after: name)...].split(separator: " ")
        guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start > 0, end > start,
            let pointer = UnsafeMutablePointer<UInt8>(bitPattern: start)
        else { return nil }
        return UnsafeMutableBufferPointer(start: pointer, count: Int(end - start))
    }
}
