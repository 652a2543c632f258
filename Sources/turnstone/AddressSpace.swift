import Base

/// How much address space the program may have (`ulimit -v`).
enum AddressSpace {
    /// The address space of the program itself, of a run without its bodies, and of the threads that there are on one processor, too.
    private static let base: rlim_t = 144 << 20
    /// The stacks of the threads that each processor brings with it.
    private static let perProcessor: rlim_t = 16 << 20

    /// More processors would bring threads, for which a limit that was meant for other programs leaves no room.
    private static let mostProcessors = 8

    /// Ends the program with a message where there is too little: otherwise it would wait for ever for a thread that can't be made, or
    /// die of SIGILL when an allocation fails.
    ///
    /// Where there is a limit, all threads allocate from one arena: for each of its own the C library takes 64 MiB, whatever is left.
    /// And there the program runs on few processors, which decide how many threads there are. The runtime has counted them when `main`
    /// begins, so it has to begin anew.
    static func demand() {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max else { return }
        useOneArena()
        var processors = Processors()
        if processors.keep(atMost: mostProcessors) { execv("/proc/self/exe", CommandLine.unsafeArgv) }
        let needed = base + perProcessor * rlim_t(processors.count)
        guard limits.rlim_cur < needed else { return }
        let message = """
            turnstone: too little memory may be used here: \(limits.rlim_cur >> 20) MiB of addresses, and at least \(needed >> 20) MiB are \
            needed. Raise the limit, such as with `ulimit -v unlimited`.

            """
        write(STDERR_FILENO, message, message.utf8.count)
        // 25: what the machine refuses.
        exit(25)
    }

    private static func useOneArena() { set(.mostArenas, to: 1) }

    /// Returns large blocks to the system as soon as they are freed. Left alone, glibc stops doing so after the first one: it raises
    /// its bound from 128 KiB to as much as 32 MiB, and the holes that the arrays of a large collection leave stay with the program.
    static func returnLargeBlocks() { set(.mappingThreshold, to: 128 << 10) }

    /// The numbers are those of `malloc.h`.
    private enum Option: Int32 {
        case mappingThreshold = -3
        case mostArenas = -8
    }

    /// Swift's Glibc doesn't show `malloc.h`, and other C libraries have no `mallopt`.
    private static func set(_ option: Option, to value: Int32) {
        typealias Function = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: Function.self)(option.rawValue, value)
    }
}

/// Those that this program may run on (`taskset(1)`). What C does with `cpu_set_t` is done by macros.
private struct Processors {
    /// A bit for each.
    private var words = [UInt](repeating: 0, count: 16)

    init() {
        if Self.call("sched_getaffinity", &words) < 0 { words[0] = 1 }
    }

    var count: Int { max(1, words.reduce(0) { $0 + $1.nonzeroBitCount }) }

    /// - Returns: whether there were more, and the program is on fewer now.
    mutating func keep(atMost limit: Int) -> Bool {
        var excess = count - limit
        guard excess > 0 else { return false }
        let before = words
        for index in words.indices.reversed() {
            while words[index] != 0, excess > 0 {
                words[index] &= ~(1 << UInt(UInt.bitWidth - 1 - words[index].leadingZeroBitCount))
                excess -= 1
            }
        }
        if Self.call("sched_setaffinity", &words) == 0 { return true }
        words = before
        return false
    }

    /// Swift's Glibc doesn't show `sched.h`.
    private static func call(_ name: String, _ words: inout [UInt]) -> Int32 {
        typealias Function = @convention(c) (_ process: pid_t, _ size: Int, _ set: UnsafeMutableRawPointer?) -> Int32
        guard let symbol = dlsym(nil, name) else { return -1 }
        return words.withUnsafeMutableBytes { unsafeBitCast(symbol, to: Function.self)(0, $0.count, $0.baseAddress) }
    }
}
