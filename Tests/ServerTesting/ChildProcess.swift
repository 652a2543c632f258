package import Foundation
import Glibc
import Synchronization

/// A program that runs no longer than we do, not even when we crash: a shell stands between, which ends it as soon as the pipe
/// from us breaks.
package final class ChildProcess: Sendable {
    private let shell: Int32
    private let lifeline: Mutex<Int32>
    /// - Parameter log: the file that takes what the program says.
    package init(_ executable: String, _ arguments: [String], directory: TemporaryDirectory, log: String) throws {
        let started = try Descriptors.lock.withLock { _ in
            var pipe: [Int32] = [0, 0]
            guard Glibc.pipe(&pipe) == 0 else { throw ServerError("no pipe: \(String(cString: strerror(errno)))") }
            defer { Glibc.close(pipe[0]) }
            for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let script =
                #"log="$1"; cd "$2"; shift 2; "$@" >"$log" 2>&1 </dev/null & program=$!; read line; kill $program; wait"#
            do {
                let shell = try Self.spawn(
                    "/bin/sh", ["-c", script, "sh", log, directory.path, executable] + arguments, input: pipe[0], output: nil)
                return (shell: shell, lifeline: pipe[1])
            } catch {
                Glibc.close(pipe[1])
                throw error
            }
        }
        shell = started.shell
        lifeline = Mutex(started.lifeline)
    }

    deinit {
        stop()
    }

    /// Ends the program and waits until it is gone.
    package func stop() {
        let isRunning = lifeline.withLock { lifeline in
            guard lifeline >= 0 else { return false }
            Glibc.close(lifeline)
            lifeline = -1
            return true
        }
        guard isRunning else { return }
        var status: Int32 = 0
        while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }

    /// The path of a program.
    ///
    /// - Parameter package: what to install when it is missing.
    package static func find(_ name: String, package: String) throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for directory in path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"] {
            let candidate = directory + "/" + name
            if access(candidate, X_OK) == 0 { return candidate }
        }
        throw ServerError("\(name) isn't installed, and this test needs it: apt-get install \(package), or make deps.")
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its standard output.
    @discardableResult
    package static func run(_ executable: String, _ arguments: [String]) throws -> String {
        let directory = try TemporaryDirectory()
        let output = directory.file("output")
        let process = try Descriptors.lock.withLock { _ in try spawn(executable, arguments, input: nil, output: output) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            let complaint = (try? String(contentsOfFile: output + ".errors", encoding: .utf8)) ?? ""
            throw ServerError("\(executable) \(arguments.joined(separator: " ")) ended with \(status): \(complaint)")
        }
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    /// Runs a program to its end, whatever that is.
    ///
    /// - Returns: its standard output, and its status; 128 and more is a signal's.
    package static func output(of executable: String, _ arguments: [String], input: Data) throws -> (output: Data, status: Int32) {
        let directory = try TemporaryDirectory()
        let output = directory.file("output")
        let given = open(try directory.write("input", input), O_RDONLY | O_CLOEXEC)
        guard given >= 0 else { throw ServerError("no input: \(String(cString: strerror(errno)))") }
        defer { close(given) }
        let process = try Descriptors.lock.withLock { _ in try spawn(executable, arguments, input: given, output: output) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return (try Data(contentsOf: URL(filePath: output)), status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f)
    }

    /// - Parameters:
    ///   - input: a descriptor; `nil`: nothing to read.
    ///   - output: a path; `nil`: output is dropped.
    private static func spawn(_ executable: String, _ arguments: [String], input: Int32?, output: String?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, output.map { $0 + ".errors" } ?? "/dev/null", flags, 0o600)
        // Whatever this thread blocks, the program starts with no signal blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, executable, &actions, &attributes, &words, environ)
        guard status == 0 else { throw ServerError("\(executable) could not be started: \(String(cString: strerror(status)))") }
        return process
    }
}

/// Who makes a descriptor that no program may inherit holds this until it is marked so, and who starts a program as well.
enum Descriptors {
    static let lock = Mutex(())
}
