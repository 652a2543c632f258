import ArgumentParser
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

/// `--repeat`, `--duration`, `--rate`: everything again and again, measured.
struct LoadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Send everything this many times, and print percentiles of each phase.", valueName: "N"))
    var `repeat`: Int?

    @Option(
        help: ArgumentHelp(
            "Send everything again and again for so long, such as 30s, and print percentiles. Such runs aren't kept in the history.",
            valueName: "DURATION"))
    var duration: LoadDuration?

    @Option(
        help: ArgumentHelp(
            "Begin everything N times a second, --jobs at once at most, whatever became of what was sent before; times count from when each one was due. With --repeat, --duration or both.",
            valueName: "N"))
    var rate: LoadRate?

    @Flag(help: "Don't ask before it becomes a load: above 1,000 requests, 16 at once, 20/s or 60 s to another machine.")
    var yes = false

    /// The entries of a report beside the first of each request.
    static let mostReportedFailures = 100

    /// Whether it goes by the clock, and not by a number of rounds alone.
    var isPaced: Bool { duration != nil || rate != nil }

    /// What a plan repeats by itself.
    var rounds: Int { isPaced ? 1 : `repeat` ?? 1 }

    func check(watch: Bool) throws {
        guard `repeat` ?? 1 >= 1 else { throw ValidationError("--repeat takes a number of 1 or more.") }
        guard rate == nil || duration != nil || `repeat` != nil else {
            throw ValidationError("--rate needs an end: --duration 30s, or --repeat 200.")
        }
        guard !watch || !isPaced else { throw ValidationError("--watch can't show a load; take one of them.") }
    }

    /// `nil`: everything is sent once.
    func plan(atOnce: Int) -> LoadPlan? {
        guard isPaced || `repeat` ?? 1 > 1 else { return nil }
        return LoadPlan(
            count: `repeat`, duration: duration?.duration, rate: rate?.perSecond, atOnce: atOnce)
    }

    func pacer(_ time: any TimeSource, places: Int) -> LoadPacer? {
        guard isPaced, let plan = plan(atOnce: places) else { return nil }
        return LoadPacer(time: time, places: places, rounds: plan.count, duration: plan.duration, interval: plan.interval)
    }
}

/// `--duration 30s`
struct LoadDuration: Hashable, Sendable, ExpressibleByArgument {
    var duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.parse(argument), duration > .zero, duration <= .seconds(24 * 3600) else { return nil }
        self.duration = duration
    }
}

/// `--rate 50`
struct LoadRate: Hashable, Sendable, ExpressibleByArgument {
    var perSecond: Double

    init?(argument: String) {
        guard let rate = Double(argument), LoadPlan.rates.contains(rate) else { return nil }
        perSecond = rate
    }
}
