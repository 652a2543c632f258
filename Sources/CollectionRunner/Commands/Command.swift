package import Base
import NetworkLayer
package import RequestCollections

/// A program to be run beside this one: what it reads, and how long and how much it may print.
package struct Command: Sendable {
    /// The program, looked up in the environment's `PATH`, and its arguments; they are taken as they are.
    package var words: [String]
    /// Where it runs; `""` for the current directory.
    package var directory: String
    package var environment: [String: String]
    package var input: Input
    package var timeout: Duration
    /// Bytes of standard output; one that prints more is ended.
    package var outputLimit: Int
    /// Bytes that it may reserve, and whatever it starts, each for itself; `nil`: as many as there are.
    package var memoryLimit: Int?
    /// Whether what it has started itself is ended with it. A program that may ask at the terminal must not be in a group of its own.
    package var ownsGroup: Bool

    package enum Input: Sendable, Hashable {
        case nothing
        case data(Data)
        /// A file's path.
        case file(String)
        /// What it is told while it runs, and answers: ``ChildProcess/exchange(_:until:outputLimit:)``.
        case conversation
    }

    package init(
        _ words: [String], directory: String = "", environment: [String: String], input: Input = .nothing,
        timeout: Duration = .seconds(60), outputLimit: Int = 64 << 20, memoryLimit: Int? = nil, ownsGroup: Bool = true
    ) {
        self.words = words
        self.directory = directory
        self.environment = environment
        self.input = input
        self.timeout = timeout
        self.outputLimit = outputLimit
        self.memoryLimit = memoryLimit
        self.ownsGroup = ownsGroup
    }

    /// What it printed on standard output. Cancelling the task ends it.
    ///
    /// It is over when the program itself has ended, even while something that it left running keeps its output open.
    ///
    /// - Parameter permit: permission to run it.
    package func run(_ permit: Permission) async throws(CommandError) -> Data {
        if case .run(let want)? = permit.want {
            // What was allowed is what it was then, and not what another program has put there since.
            guard CommandFiles.areUnchanged(want.files, of: permit.place) else { throw CommandError(.changed) }
        }
        var command = self
        if let path = environment["PATH"] {
            command.environment["PATH"] = ProgramSearch.path(path, outside: permit.place?.path)
        }
        let child = try ChildProcess(command)
        let end = await withTaskCancellationHandler {
            await SystemThread.value { child.follow(until: SystemTimeSource.now + timeout, outputLimit: outputLimit) }
        } onCancel: {
            child.end(.cancelled)
        }
        switch end.reason {
        case .itself where end.status == 0: return end.output
        case .itself: throw CommandError(.failed(status: end.status, said: end.firstErrorLine))
        case .late: throw CommandError(.late(timeout))
        case .tooLong: throw CommandError(.tooLong(limit: outputLimit))
        case .cancelled: throw CommandError(.cancelled)
        }
    }
}

/// Why a command gave nothing.
package struct CommandError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// An error number of the system.
        case notStarted(Int32)
        case input(path: String, Int32)
        /// - Parameter said: the first line of its standard error.
        case failed(status: Int32, said: String)
        case late(Duration)
        case tooLong(limit: Int)
        /// A file of it isn't the one that was allowed.
        case changed
        case cancelled
    }

    package var reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// What follows the command's name in a sentence.
    package var predicate: String {
        switch reason {
        case .notStarted(let number): "can't be started: \(Self.text(number))"
        case .input(let path, let number): "can't be given \(path): \(Self.text(number))"
        // POSIX, 2.8.2: what a shell says of a program that isn't there.
        case .failed(status: 127, let said) where said.hasSuffix(": not found"):
            "can't be found; install it, or name it with its path"
        case .failed(let status, let said): "failed with exit status \(status)\(said.isEmpty ? "" : ": \(said)")"
        case .late(let timeout): "took longer than \(Self.text(timeout))"
        case .tooLong(let limit): "printed more than \(limit >> 20) MiB"
        case .changed: "isn't run: one of its files has changed since it was allowed; send it again to be asked"
        case .cancelled: "was cancelled"
        }
    }

    /// What is left of a limit for several is a little shorter than the limit.
    private static func text(_ duration: Duration) -> String {
        let hundredths = (duration / .milliseconds(10)).rounded()
        let seconds = hundredths / 100
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}

/// Finds programs as a shell does, but only in directories that are named from the root: `PATH=.:/usr/bin` or an empty entry
/// would take one out of the directory where a command runs, which is a stranger's.
package enum ProgramSearch {
    /// A `PATH` without its relative entries, and without those in a directory that isn't to be trusted.
    ///
    /// - Parameter directory: without symbolic links; `nil`: there is none.
    package static func path(_ path: String, outside directory: String? = nil) -> String {
        path.split(separator: ":").filter { entry in
            guard entry.hasPrefix("/") else { return false }
            guard let directory, let real = realpath(String(entry), nil) else { return true }
            defer { free(real) }
            return !String(cString: real).isBelow(directory)
        }.joined(separator: ":")
    }
}

extension String {
    /// Whether a path is a directory's, or lies below it.
    fileprivate func isBelow(_ directory: String) -> Bool {
        self == directory || hasPrefix(directory == "/" ? "/" : "\(directory)/")
    }
}
