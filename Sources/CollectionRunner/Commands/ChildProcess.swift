import Base
import NetworkLayer
import Synchronization

/// A program that runs beside this one, with pipes for what it prints.
///
/// Neither Foundation's `Process` nor swift-subprocess: they take a program for alive as long as anything that it has started keeps its
/// output open, as a password manager's agent does.
final class ChildProcess: Sendable {
    private let id: pid_t
    private let ownsGroup: Bool
    /// What it prints, and what tells that it has ended.
    private let output: Int32
    private let errors: Int32
    private let ended: Int32
    /// What a ``Command/Input/conversation`` goes into; -1 without one.
    private let talk: Int32
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var reason = End.Reason.itself
    }

    struct End {
        enum Reason {
            case itself, late, tooLong, cancelled
        }

        /// The program's exit status; 128 and the signal's number when a signal ended it.
        var status: Int32
        var reason: Reason
        var output: Data
        var errors: Data

        var firstErrorLine: String {
            let line = errors.prefix { $0 != 0x0A }
            return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
    }

    init(_ command: Command) throws(CommandError) {
        let (input, talk) = try Self.open(command.input)
        self.talk = talk
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        ownsGroup = command.ownsGroup
        Self.resetSignals(&attributes, ownsGroup: ownsGroup)

        let (outputEnd, outputStart) = try Self.makePipe()
        let (errorsEnd, errorsStart) = try Self.makePipe()
        let (endedEnd, endedStart) = try Self.makePipe()
        output = outputEnd
        errors = errorsEnd
        ended = endedEnd
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, outputStart, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsStart, 2)
        defer { for descriptor in [input, outputStart, errorsStart] { close(descriptor) } }

        // The shell changes the directory, looks the program up and makes place for it; the words are none of its business.
        // With a dot in front of it `cd` doesn't look for it in CDPATH, and takes no `-` for the last one.
        let directory = command.directory.hasPrefix("/") ? command.directory : "./\(command.directory)"
        // In KiB. The command fails where a lower limit is in force already.
        let limit = command.memoryLimit.map { "ulimit -v \($0 >> 10) 2>/dev/null; " } ?? ""
        let arguments = Self.cStrings(["sh", "-c", limit + "cd -- \"$0\" && exec \"$@\"", directory] + command.words)
        let variables = Self.cStrings(command.environment.map { "\($0.key)=\($0.value)" })
        defer { for string in arguments + variables { free(string) } }
        var started: pid_t = 0
        let failure = posix_spawn(&started, "/bin/sh", &actions, &attributes, arguments, variables)
        id = started
        guard failure == 0 else {
            state.withLock { $0.isOver = true }
            close(endedStart)
            throw CommandError(.notStarted(failure))
        }
        SystemThread.run { [id] in
            Self.waitForEnd(of: id)
            // That makes its other end readable.
            close(endedStart)
        }
    }

    /// Ends the process if it still runs: nobody could wait for it later, and it would stay in the process table.
    deinit {
        end(.itself)
        _ = reap()
        for descriptor in [output, errors, ended, talk] where descriptor >= 0 { close(descriptor) }
    }

    /// Reads what it prints until it ends; blocks. To be called once.
    func follow(until deadline: MonotonicTime, outputLimit: Int) -> End {
        var printed = Data()
        var said = Data()
        var polled = [output, errors, ended].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var deadline: MonotonicTime? = deadline
        while polled[2].fd >= 0 {
            let count = poll(&polled, 3, Self.milliseconds(until: deadline))
            if count == 0, let passed = deadline, passed <= SystemTimeSource.now {
                deadline = nil
                end(.late)
            }
            guard count > 0 else { continue }
            if polled[0].revents != 0, !Self.read(output, into: &printed) { polled[0].fd = -1 }
            if polled[1].revents != 0, !Self.read(errors, into: &said) { polled[1].fd = -1 }
            if printed.count > outputLimit {
                polled[0].fd = -1
                end(.tooLong)
            }
            // What standard error has to say is its first line.
            if said.count > 1 << 16 { said.removeLast(said.count - 1 << 16) }
            if polled[2].revents != 0 { polled[2].fd = -1 }
        }
        // What is still in the pipes; something that it left running may print for ever.
        while printed.count <= outputLimit, Self.hasMore(output), Self.read(output, into: &printed) {}
        while said.count < 1 << 16, Self.hasMore(errors), Self.read(errors, into: &said) {}
        if printed.count > outputLimit { end(.tooLong) }
        let (status, reason) = reap()
        let signal = status & 0x7F
        return End(status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, reason: reason, output: printed, errors: said)
    }

    /// Waits for it, unless that is done. After that the system may give its id to another program.
    private func reap() -> (status: Int32, reason: End.Reason) {
        state.withLock { state in
            var status: Int32 = 0
            if !state.isOver {
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                state.isOver = true
            }
            return (status, state.reason)
        }
    }

    enum Reply {
        case answer(Data)
        /// It has ended, by itself or because of the deadline.
        case ended(End)
    }

    /// Tells it something, and reads its answer: a number of bytes in a line of its own, and so many bytes. Blocks. After ``Reply/ended``
    /// there is nothing more to be told.
    func exchange(_ message: Data, until deadline: MonotonicTime, outputLimit: Int) -> Reply {
        var rest = message[...]
        var answer = Data()
        var polled = [talk, output, errors, ended].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            polled[0].fd = rest.isEmpty ? -1 : talk
            polled[0].events = Int16(POLLOUT)
            let count = poll(&polled, 4, Self.milliseconds(until: deadline))
            if count == 0, deadline <= SystemTimeSource.now { end(.late) }
            if polled[3].revents != 0 || count == 0 {
                return .ended(follow(until: deadline, outputLimit: outputLimit))
            }
            guard count > 0 else { continue }
            if polled[0].revents != 0 {
                // Sent without SIGPIPE, since the end of the process is noticed elsewhere.
                let sent = rest.withUnsafeBytes { send(talk, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
                if sent > 0 { rest = rest.dropFirst(sent) }
            }
            if polled[1].revents != 0, !Self.read(output, into: &answer) { polled[1].fd = -1 }
            if polled[2].revents != 0 {
                var said = Data()
                if !Self.read(errors, into: &said) { polled[2].fd = -1 }
            }
            guard let end = answer.prefix(20).firstIndex(of: 0x0A),
                let length = Int(String(decoding: answer[..<end], as: UTF8.self))
            else { continue }
            if length > outputLimit { self.end(.tooLong) }
            if answer.count - end - 1 >= length { return .answer(answer.suffix(from: end + 1).prefix(length)) }
        }
    }

    /// Ends it at once; the first reason counts. After its end it does nothing.
    func end(_ reason: End.Reason) {
        state.withLock { state in
            guard !state.isOver else { return }
            if case .itself = state.reason { state.reason = reason }
            if ownsGroup { _ = kill(-id, SIGKILL) } else { Self.killTree(id) }
        }
    }

    /// What a process that is in our group has started, and that in turn: a shell's `sleep` would go on without it. Each is stopped first, so
    /// that it starts nothing while its children are looked for, and none of their numbers gets another owner. One that has left its
    /// parent behind isn't found, nor any where the system doesn't say whose children they are.
    private static func killTree(_ id: pid_t) {
        guard kill(id, SIGSTOP) == 0 else { return }
        for child in children(of: id) { killTree(child) }
        _ = kill(id, SIGKILL)
    }

    private static func children(of id: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
        return threads.flatMap { thread -> [pid_t] in
            let descriptor = Glibc.open("/proc/\(id)/task/\(thread)/children", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return [] }
            defer { close(descriptor) }
            var text = Data()
            while read(descriptor, into: &text) {}
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    // MARK: Starting

    /// What it reads; data is in a file without a name, so that nobody has to feed it.
    ///
    /// - Returns: also what the other end of a conversation is.
    private static func open(_ input: Command.Input) throws(CommandError) -> (Int32, talk: Int32) {
        guard case .conversation = input else { return (try openFile(input), -1) }
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw CommandError(.notStarted(errno))
        }
        return (ends[0], ends[1])
    }

    private static func openFile(_ input: Command.Input) throws(CommandError) -> Int32 {
        switch input {
        case .nothing, .conversation: return Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        case .file(let path):
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw CommandError(.input(path: path, errno)) }
            return descriptor
        case .data(let data):
            guard let descriptor = UnnamedFile.open() else { throw CommandError(.notStarted(errno)) }
            let isWritten = data.withUnsafeBytes { bytes in
                bytes.isEmpty || TemporaryFile.writeAll(bytes.baseAddress!, count: bytes.count, to: descriptor)
            }
            guard isWritten, lseek(descriptor, 0, SEEK_SET) == 0 else {
                defer { close(descriptor) }
                throw CommandError(.notStarted(errno))
            }
            return descriptor
        }
    }

    /// What this program ignores or blocks is its own business.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t, ownsGroup: Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownsGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func makePipe() throws(CommandError) -> (end: Int32, start: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CommandError(.notStarted(errno)) }
        // Programs that others start at the same time must not keep them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    // MARK: Waiting

    /// It stays there to be waited for, so that a kill at this moment can't meet another program.
    private static func waitForEnd(of id: pid_t) {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    private static func milliseconds(until deadline: MonotonicTime?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = deadline - SystemTimeSource.now
        return rest > .zero ? Int32(clamping: rest.wholeNanoseconds / 1_000_000 + 1) : 0
    }

    private static func hasMore(_ descriptor: Int32) -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) == 1 && question.revents & Int16(POLLIN) != 0
    }

    /// - Returns: whether there may be more later.
    private static func read(_ descriptor: Int32, into data: inout Data) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress!, buffer.count)
            if count > 0 { data.append(contentsOf: buffer[..<count]) }
            return count > 0 || (count < 0 && errno == EINTR)
        }
    }
}
