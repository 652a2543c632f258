import Glibc

/// How much address space the program may have (`ulimit -v`).
enum AddressSpace {
    /// The program itself, and what a run takes besides bodies.
    private static let base: rlim_t = 128 << 20
    /// The stacks of the threads that each processor brings with it.
    private static let perProcessor: rlim_t = 16 << 20

    /// Ends the program with a message where there is too little: otherwise it would wait for ever for a thread that can't be made, or
    /// die of SIGILL when an allocation fails.
    ///
    /// Where there is a limit, all threads allocate from one arena: for each of its own the C library takes 64 MiB, whatever is left.
    static func demand() {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max else { return }
        useOneArena()
        let needed = base + perProcessor * rlim_t(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        guard limits.rlim_cur < needed else { return }
        let message = """
            turnstone: too little memory may be used here: \(limits.rlim_cur >> 20) MiB of addresses, and at least \(needed >> 20) MiB are \
            needed. Raise the limit, such as with `ulimit -v unlimited`.

            """
        write(STDERR_FILENO, message, message.utf8.count)
        // 25: what the machine refuses.
        exit(25)
    }

    /// Swift's Glibc doesn't show `malloc.h`, and other C libraries have no `mallopt`.
    private static func useOneArena() {
        typealias Function = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
        /// `M_ARENA_MAX`
        let option: Int32 = -8
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(option, 1)
    }
}
