import Foundation
import Glibc

/// Child processes without Foundation's threads around them, so that what is timed is the child.
enum Subprocess {
    /// - Parameters:
    ///   - terminal: becomes the child's controlling terminal and its three standard streams; `nil`: `/dev/null`.
    static func start(
        _ arguments: [String], terminal: String? = nil, environment: [String: String] = [:]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, terminal ?? "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // POSIX_SPAWN_SETSID: the first terminal that a new session opens becomes its own.
        if terminal != nil { posix_spawnattr_setflags(&attributes, 0x80) }
        let inherited = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = inherited.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
        guard status == 0 else { throw BenchmarkError("\(arguments[0]): \(String(cString: strerror(status)))") }
        return process
    }

    /// Milliseconds from start to end.
    static func time(_ arguments: [String], environment: [String: String] = [:]) throws -> Double {
        let start = ContinuousClock.now
        let process = try Self.start(arguments, environment: environment)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let duration = ContinuousClock.now - start
        guard status == 0 else { throw Self.failure(arguments, status) }
        return duration.milliseconds
    }

    /// The same for what takes seconds, and the most memory that was resident, in MiB, as it was a hundredth of a second before the end.
    ///
    /// Not by `wait4`: `ru_maxrss` also has what this process had when it started the other one, since both share it until `exec`.
    static func measure(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (milliseconds: Double, resident: Double) {
        let start = ContinuousClock.now
        let process = try Self.start(arguments, environment: environment)
        var status: Int32 = 0
        var resident: Double?
        while case let ended = waitpid(process, &status, WNOHANG), ended != process {
            guard ended == 0 || errno == EINTR else { throw BenchmarkError("\(arguments[0]): \(String(cString: strerror(errno)))") }
            resident = (try? residentMemory(of: process, "VmHWM")) ?? resident
            usleep(10_000)
        }
        let duration = ContinuousClock.now - start
        guard status == 0 else { throw Self.failure(arguments, status) }
        guard let resident else { throw BenchmarkError("\(arguments[0]) was over before its memory could be looked at") }
        return (duration.milliseconds, resident)
    }

    private static func failure(_ arguments: [String], _ status: Int32) -> BenchmarkError {
        let cause = status & 0x7F == 0 ? "status \(status >> 8)" : "signal \(status & 0x7F)"
        return BenchmarkError("\(arguments.joined(separator: " ")) ended with \(cause)")
    }

    /// Whether a program of this name is on the path.
    static func finds(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Resident memory in MiB.
    ///
    /// - Parameter kind: `VmRSS` is all of it, and `VmHWM` the most that it ever was; `RssAnon` is what is in no file, which nobody can
    ///   share.
    static func residentMemory(of process: pid_t, _ kind: String = "VmRSS") throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(kind):") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { throw BenchmarkError("/proc/\(process)/status has no \(kind)") }
        return kibibytes / 1024
    }

    /// How often its threads went to sleep so far; each time but the last was a wake-up.
    static func sleepCount(of process: pid_t) throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return tasks.reduce(0) { count, task in
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(task)/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return count + (line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0)
        }
    }
}
