import Dispatch
import Foundation
import Synchronization

/// A program that runs beside this one, with pipes for what it prints.
///
/// Not Foundation's `Process`: that takes a program for alive as long as anything it has started is.
final class ChildProcess: Sendable {
    private let id: pid_t
    /// Once it has been waited for, the system may give its id to another program.
    private let isOver = Mutex<Bool>(false)
    private let output: Int32
    private let errors: Int32

    struct StartError: Error {
        var number: Int32
    }

    /// - Parameters:
    ///   - words: the program, looked up in the environment's `PATH`, and its arguments.
    ///   - directory: where it runs; `""` for the current one.
    init(_ words: [String], directory: String, environment: [String: String]) throws(StartError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let (outputEnd, outputStart) = try Self.makePipe()
        let (errorsEnd, errorsStart) = try Self.makePipe()
        output = outputEnd
        errors = errorsEnd
        defer {
            close(outputStart)
            close(errorsStart)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, outputStart, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsStart, 2)
        // The shell changes the directory, looks the program up and makes place for it; the words are none of its business.
        let arguments = Self.cStrings(["sh", "-c", "cd -- \"$0\" && exec \"$@\"", directory.isEmpty ? "." : directory] + words)
        let variables = Self.cStrings(environment.map { "\($0.key)=\($0.value)" })
        defer { for string in arguments + variables { free(string) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, "/bin/sh", &actions, nil, arguments, variables)
        self.id = id
        guard failure == 0 else {
            isOver.withLock { $0 = true }
            throw StartError(number: failure)
        }
    }

    deinit {
        close(output)
        close(errors)
    }

    private static func makePipe() throws(StartError) -> (end: Int32, start: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw StartError(number: errno) }
        // Programs that others start at the same time must not keep them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Its exit status when it has ended; 128 and the signal's number when a signal ended it. To be called once.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var info = siginfo_t()
                // It stays there to be waited for, so that a kill at this moment can't meet another program.
                while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                var status: Int32 = 0
                isOver.withLock { isOver in
                    while waitpid(id, &status, 0) < 0, errno == EINTR {}
                    isOver = true
                }
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            }
        }
    }

    /// Ends it at once; after its end it does nothing.
    func kill() {
        isOver.withLock { isOver in
            if !isOver { _ = Foundation.kill(id, SIGKILL) }
        }
    }

    /// The first line of what it has printed so far.
    func firstLine() -> String { Self.firstLine(output) }

    /// The first line of what it has said on standard error so far.
    func firstErrorLine() -> String { Self.firstLine(errors) }

    /// Reads what is there, and never waits for more: something that the program left running may keep the pipe open.
    private static func firstLine(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while bytes.count < 1 << 16, !bytes.contains(0x0A), poll(&question, 1, 0) == 1 {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        let line = bytes.prefix { $0 != 0x0A }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}
