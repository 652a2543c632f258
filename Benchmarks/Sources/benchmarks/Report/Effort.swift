import Glibc

/// What this process has cost the machine: unlike the time that passes, others who use it change it little.
struct Effort {
    /// On processors, those of all threads together.
    var microseconds = 0.0
    /// How often a thread had to wait for another, or for the system.
    var switches = 0.0

    static var ofProcess: Effort {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
        return Effort(
            microseconds: microseconds(usage.ru_utime) + microseconds(usage.ru_stime), switches: Double(usage.ru_nvcsw))
    }
}

/// Those of several rounds.
struct Efforts {
    private var microseconds = Measurements()
    private var switches = Measurements()

    mutating func append(_ effort: Effort) {
        microseconds.append(effort.microseconds)
        switches.append(effort.switches)
    }

    /// `31.5 µs of processor, 0.4 waits`
    var text: String { "\(Report.text(microseconds.median)) µs of processor, \(Report.text(switches.median)) waits" }
}
