import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

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

extension Run {
    /// What many requests at once can be to somebody else's server is not begun by a slip: a person is asked, and a script says `--yes`.
    ///
    /// - Throws: a ``CommandFailure`` when nobody says so.
    func admitLoad(_ plan: RunPlan, in context: CommandLineContext) async throws {
        guard let load = load.plan(atOnce: jobs), !self.load.yes else { return }
        let excesses = load.excesses(requests: plan.round.count)
        guard !excesses.isEmpty else { return }
        let hosts = strangeHosts(of: plan, in: context)
        guard !hosts.isEmpty else { return }
        let names = hosts.prefix(3).joined(separator: ", ") + (hosts.count > 3 ? " and \(hosts.count - 3) more" : "")
        let what = "This is a load on \(names): \(excesses.joined(separator: ", "))."
        guard let prompter = trust.prompter(context) else {
            throw CommandFailure(
                .usage, "\(what) With --yes it is sent; up to 1,000 requests, 16 at once, 20/s and 60 s need no word.")
        }
        let interruption = context.onInterrupt { prompter.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        let answer = try? await prompter.ask(PromptRequirement(message: "\(what) Send it? y or n", isSecret: false))
        guard let answer, ["y", "yes"].contains(answer.lowercased()) else { throw CommandFailure(.cancelled, "Nothing was sent.") }
    }

    /// Without this machine's own, and what mocks answer. Where a host can't be known before, the request's name stands for it.
    private func strangeHosts(of plan: RunPlan, in context: CommandLineContext) -> [String] {
        let environment = context.environment.merging(context.givenEnvironment) { first, _ in first }
        var hosts: [String] = []
        for node in plan.round where !(mocks && node.job.definition.mock != nil) {
            let url = LoadHost.url(
                of: node.job.definition, in: node.job.collection, environment: node.job.environment,
                variables: node.job.variables, processEnvironment: environment)
            let host = url?.host() ?? "the host of \(node.job.definition.id)"
            if !LoadHost.isLoopback(host), !hosts.contains(host) { hosts.append(host) }
        }
        return hosts.map(SafeText.line)
    }
}

/// What `run` says of a load.
enum LoadLines {
    /// If there are more requests than this, each has one row instead of a table.
    private static let mostTables = 10

    /// A table by phase for each request.
    static func tables(of outcome: RunOutcome, columns: Int) -> [StyledLine] {
        guard let plan = outcome.load, !outcome.figures.isEmpty else { return [] }
        guard outcome.figures.count <= mostTables else { return [StyledLine()] + rows(of: outcome.figures) }
        return outcome.figures.flatMap { name, figures in
            var title = StyledLine(SafeText.line(name), .title)
            title.append("  " + (plan.isOpen ? plan.title : "\(plan.title): \(LoadPlan.closedNote)"), .dim)
            let table = LoadTable(figures, axis: columns >= 100 ? LoadAxis(figures) : nil)
            var lines = [StyledLine(), title]
            if figures.passed > 0 {
                lines += table.lines(width: columns)
            } else {
                lines.append(StyledLine(LoadTable.nonePassed, .warning))
            }
            lines.append(table.results)
            let throughput = table.throughput(wanted: figures.hasDueTimes ? plan.rate : nil)
            return lines + (throughput.spans.isEmpty ? [] : [throughput])
        }
    }

    /// `orders/read  31 ms  40 ms  52 ms  60 ms  200  12.4/s`: of one request among many.
    private static func rows(of figures: [(name: String, figures: LoadFigures)]) -> [StyledLine] {
        let width = max(9, figures.map { $0.name.count }.max() ?? 0) + 1
        let head =
            Figures.left("request", width) + ["p50", "p90", "p99", "max"].map { Figures.right($0, 10) }.joined()
            + Figures.right("passed", 10) + Figures.right("failed", 10)
        return [StyledLine(head, .dim)]
            + figures.map { name, figures in
                var line = StyledLine(Figures.left(SafeText.line(name), width))
                for percent in [50.0, 90, 99, 100] {
                    line.append(Figures.right(figures.figure(percent, of: .total).map(Figures.duration) ?? "-", 10))
                }
                line.append(Figures.right(Figures.count(figures.passed), 10), .dim)
                line.append(Figures.right(Figures.count(figures.failed), 10), figures.failed > 0 ? .error : .dim)
                return line
            }
    }

    /// `420 of 1,500   p50 62 ms  p99 158 ms   48.7/s ▅▅▅▃`: while it runs, a line for each request.
    static func progress(of outcome: RunOutcome) -> [StyledLine] {
        outcome.figures.prefix(mostTables).map { name, figures in
            var line = StyledLine(SafeText.line(name) + "  ", .strong)
            line.append(Figures.count(figures.count) + (outcome.load?.expected.map { " of \(Figures.count($0))" } ?? ""))
            line.append("  " + LoadTable.short(figures) + "  ", .dim)
            if figures.failed > 0 { line.append("✗ \(Figures.count(figures.failed))  ", .error) }
            line.spans += LoadTable(figures).throughput(wanted: nil, columns: 10).spans
            return line
        }
    }
}

/// The figures of a request for other programs. Times are integer microseconds, absent where there are too few samples for them.
struct LoadReport: Encodable {
    struct Phase: Encodable {
        var samples: Int
        var p50_us: Int64?
        var p90_us: Int64?
        var p99_us: Int64?
        var max_us: Int64?
    }

    var request: String
    /// `open`: by a rate, with times from when each one was due; `closed`: each place sends the next when the one before is over.
    var model: String
    var at_once: Int
    var rate: Double?
    var sent: Int
    var passed: Int
    var statuses: [String: Int]
    var failures: [String: Int]
    var not_started_in_time: Int
    var never_started: Int
    var elapsed_us: Int64
    var phases: [String: Phase]

    init(_ name: String, _ figures: LoadFigures, _ plan: LoadPlan) {
        request = name
        model = figures.hasDueTimes ? "open" : "closed"
        at_once = plan.atOnce
        rate = plan.rate
        sent = figures.count
        passed = figures.passed
        statuses = figures.statuses.reduce(into: [:]) { $0["\($1.key)"] = $1.value }
        failures = figures.failures
        not_started_in_time = figures.waited
        never_started = figures.unsent
        elapsed_us = figures.elapsed.wholeMicroseconds
        phases = LoadFigures.Row.allCases.reduce(into: [:]) { phases, row in
            guard !figures[row].isEmpty else { return }
            func figure(_ percent: Double) -> Int64? { figures.figure(percent, of: row)?.wholeMicroseconds }
            phases[row.rawValue] = Phase(
                samples: figures[row].count, p50_us: figure(50), p90_us: figure(90), p99_us: figure(99), max_us: figure(100))
        }
    }
}
