import Base

/// How many files and sockets the program may have open at once (`ulimit -n`).
enum DescriptorLimit {
    /// What a command takes: what the runtime keeps for itself, a connection, the history, a file.
    static let program = 12
    /// What the explorer takes: the demo server and the watched directories besides.
    static let explorer = 28

    /// Programs that we start get it as well, and some of them close every number up to the limit one by one.
    private static let enough: rlim_t = 1 << 16

    /// Raises the soft limit towards the hard one: the usual 1024 is for programs of the time of select(2).
    static func raise() {
        guard var limits = current, limits.rlim_cur < min(limits.rlim_max, enough) else { return }
        limits.rlim_cur = min(limits.rlim_max, enough)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    /// Ends the program with a sentence when fewer are left: the runtime could only crash on it later.
    static func demand(_ count: Int) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { return end(short: count - opened.count, errno) }
            opened.append(descriptor)
        }
    }

    private static func end(short missing: Int, _ number: Int32) {
        let limit = current.map { "\($0.rlim_cur)" } ?? "few"
        let message = """
            turnstone: too few files may be open here: \(String(cString: strerror(number))), with a limit of \(limit), and \(missing) \
            more are needed. Raise the limit, such as with `ulimit -n 256`.

            """
        write(STDERR_FILENO, message, message.utf8.count)
        // 25: a file could not be read or written.
        exit(25)
    }

    private static var current: rlimit? {
        var limits = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 ? limits : nil
    }
}
