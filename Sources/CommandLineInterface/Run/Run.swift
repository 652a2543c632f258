import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// `turnstone run`.
struct Run: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send saved requests, and check what they expect.",
        discussion: """
            A run is a plan. What a request needs is sent first: the requests that its `needs` names, and the one that captures a variable
            that nothing else sets. Each request is sent once, however many need it. A name is that of a request or a folder, or a pattern
            with * and ?; without one, everything is sent, in the file's order.

            Examples:
              turnstone run                                     everything in ./Collections
              turnstone run shop.yaml 'orders/*' --env staging  a part of a collection
              turnstone run shop.yaml stock.yaml                several collections
              turnstone run - < shop.yaml                       one from standard input
              turnstone run orders/read --plan                  what it would send, in which order
              turnstone run orders/read --dry-run               the same, with each request as it would be sent
              turnstone run 'orders/create[sku=A7]'             one item of its for-each
              turnstone run --tag smoke --jobs 8 --fail-fast    many at a time, until one fails
              turnstone run --tag '!slow' --env-file .env       all but what has the tag
              turnstone run --data users.csv                    everything once for each row
              turnstone run --watch                             see each one on its way, and
                                                                again after each change
              turnstone run --report junit=report.xml --report html=report.html
              turnstone run -v orders/read                      why it fails: lines, differences, what was sent and answered
              turnstone run login --repeat 200 --jobs 16        how long each phase takes: p50, p90, p99
              turnstone run login --rate 10 --duration 30s      the same, at a rate: late answers count from when they were due
              turnstone run --shard 2/4                         the second quarter, on one of four machines
              turnstone run --events jsonl | jq -r .event       everything that happens, as it happens

            The exit status is 0 when all was well, 1 when an expectation failed; else it says what failed first: see turnstone(1).
            """)

    @Argument(
        help: ArgumentHelp("Collections (- is standard input), then names, folders or patterns.", valueName: "COLLECTION|NAME"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only requests with this tag; '!TAG': without it. Repeatable.", valueName: "TAG"))
    var tag: [String] = []

    @Option(name: .customLong("env"), help: ArgumentHelp("The environment.", valueName: "NAME"))
    var environment: String?

    @Option(
        help: ArgumentHelp(
            "Environment variables from a file of NAME=VALUE lines, for secrets and env(); those that are set already win. Repeatable.",
            valueName: "FILE"))
    var envFile: [EnvironmentFile] = []

    @OptionGroup
    var variables: VariableOptions

    @Option(
        help: ArgumentHelp(
            "Send everything once for each row of a CSV, JSON or JSON-lines file; its columns are variables, as of --var.",
            valueName: "FILE"))
    var data: [DataFile] = []

    @Option(help: ArgumentHelp("How many requests are under way at a time.", valueName: "N"))
    var jobs = 1

    @OptionGroup
    var load: LoadOptions

    @Option(help: ArgumentHelp("Of N parts of about the same size, only part I.", valueName: "I/N"))
    var shard: Shard?

    @Flag(help: "Print what would be sent, in which order and why, and send nothing.")
    var plan = false

    @Flag(
        help:
            "Print each request as it would be sent, with names in place of secrets and of what only answers give, and send nothing."
    )
    var dryRun = false

    @Flag(help: "A status of 400 or more is a failure, also where `expect` doesn't say so.")
    var fail = false

    @Flag(help: "What is skipped, since its `when` doesn't hold, makes the run fail.")
    var noSkips = false

    @Flag(help: "Send nothing more after the first failure but what undoes, and cancel what is under way.")
    var failFast = false

    @Flag(help: "Answer requests that have a mock with that mock, without the network.")
    var mocks = false

    @Flag(
        help:
            "Show each operation's states and progress while it runs; at a terminal, run again whenever a file of the collection changes, until Ctrl-C."
    )
    var watch = false

    @Option(help: ArgumentHelp("Print every event as JSON lines on standard output.", valueName: "jsonl"))
    var events: SendArguments.EventFormat?

    @Option(
        help: ArgumentHelp(
            "Write a report: junit, tap, json, html, har, hdr, markdown or github. With - as FILE it goes to standard output, and everything else to standard error. github may stand alone: it annotates the lines of requests that failed, and is on where GITHUB_ACTIONS is set, as is markdown to GITHUB_STEP_SUMMARY. hdr is for --repeat, --rate and --duration: percentiles in HdrHistogram's form. Repeatable.",
            valueName: "FORMAT=FILE"))
    var report: [ReportRequest] = []

    @Option(
        help: ArgumentHelp(
            "How long all filters in the captures and expectations of a request may take together, and so all regular expressions.",
            valueName: "DURATION"))
    var filterTimeout = FilterTimeout(duration: CollectionRunner.Limits.defaultTimeout)

    @Option(
        help: ArgumentHelp(
            "The longest body to take, decoded, when the request has no response.limit.", valueName: "SIZE"))
    var bodyLimit = BodyLimit(bytes: Int(CollectionRunner.Limits.defaultBodyBytes))

    @Flag(name: .shortAndLong, help: "Print only what failed.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Below each request: the lines of the file, what was sent and answered, and commands that send it again.")
    var verbose = false

    @Flag(help: "Don't keep the runs in the history.")
    var noHistory = false

    @OptionGroup var trust: TrustOptions

    /// Whether standard output is for events or a report, and messages go to standard error.
    var wantsOutput: Bool { events != nil || report.contains { $0.takesOutput } }

    func validate() throws {
        guard report.count(where: \.takesOutput) + (events == nil ? 0 : 1) <= 1 else {
            throw ValidationError("Only one report, or the events, can go to standard output; give the others a file.")
        }
        for (index, request) in report.enumerated()
        where request.path != "-" && !request.path.hasPrefix("/dev/")
            && report[..<index].contains(where: { $0.path == request.path })
        {
            throw ValidationError("Two reports can't go to the same file, \(request.path); give each its own.")
        }
        guard data.count <= 1 else { throw ValidationError("--data takes one file; put the rows of the others into it.") }
        guard !plan || !dryRun else { throw ValidationError("--plan and --dry-run both print the plan; take one of them.") }
        guard jobs >= 1 else { throw ValidationError("--jobs takes a number of 1 or more.") }
        try load.check(watch: watch)
        guard !watch || events == nil else { throw ValidationError("--watch and --events both want the output; take one of them.") }
    }

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        guard waitsForChanges(in: context) else { return try await runOnce(in: context) }
        return try await runAtChanges(in: context) { try await runOnce(in: context) }
    }

    private func runOnce(in context: CommandLineContext) async throws -> ExitStatus {
        var (options, context) = (self, context)
        // Where several files give a name, the last one counts.
        let files = try envFile.map { try $0.values() }.reduce(into: [:]) { $0.merge($1) { $1 } }
        context.givenEnvironment = files
        if context.environment["GITHUB_ACTIONS"] == "true", !report.contains(where: { $0.format == .github }) {
            options.report.append(ReportRequest(.github))
        }
        if context.environment["GITHUB_ACTIONS"] == "true", let path = context.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            options.report.append(ReportRequest(stepSummary: path))
        }
        return try await options.run(with: context)
    }

    private func run(with context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(words, environment: context.environment, input: context.standardInput)
        try choice.warn(in: context)
        try choice.warnOfFiles(in: context)
        return try await run(choice, in: context)
    }

    /// The collections with the items that files give to what is planned, and the plan of that. A person is asked for files that aren't the
    /// collections' own, unless nothing is to be sent.
    private func withItems(
        _ collections: [RequestCollection], _ keeper: TrustKeeper, _ plan: ([RequestCollection]) -> RunPlan
    ) async -> ([RequestCollection], RunPlan) {
        let first = plan(collections)
        guard collections.contains(where: \.hasItemFiles) else { return (collections, first) }
        let wanted = first.wants(usesMocks: mocks)
        var read: [RequestCollection] = []
        for collection in collections {
            let planned = Set(
                first.round.map(\.job).filter { $0.collection.path.hasBytes(of: collection.path) }.map(\.definition.id))
            let (now, refused) = collection.readingItems(by: keeper.trust(in: collection), for: planned)
            read.append(now)
            // Once for all that the run wants.
            let wants = wanted.first { $0.collection.path.hasBytes(of: collection.path) }?.wants ?? []
            if !refused.isEmpty, !self.plan, !dryRun, let trust = await keeper.ask(for: wants, of: collection) {
                read[read.count - 1] = collection.readingItems(by: trust, for: planned).collection
            }
        }
        return (read, plan(read))
    }

    /// Collections that were read already, and the names that the words have for what is in them.
    func run(_ choice: CollectionChoice, in context: CommandLineContext) async throws -> ExitStatus {
        let problems = choice.problemsAroundRequests
        for problem in problems { try context.note(problem) }
        let selection = RequestSelection(names: choice.names, tags: tag)
        if let complaint = choice.emptiness ?? selection.complaint(about: choice.collections) {
            throw CommandFailure(.usage, complaint)
        }
        let given = try variables.values()
        try choice.check(environment: environment)
        for complaint in choice.complaints(aboutVariables: given.keys.sorted()) {
            try context.note(complaint)
        }
        let rows = try data.first?.rows(for: choice.collections)
        for complaint in data.first?.complaint(about: rows ?? [], in: choice) ?? [] {
            try context.note(complaint)
        }
        let keeper = try trust.keeper(choice.collections, environment: environment, variables: given, in: context)
        func plan(of collections: [RequestCollection], _ shard: Shard? = nil) -> RunPlan {
            RunPlan(
                collections, selection, environment: environment, variables: given, rows: rows, repeats: load.rounds, shard: shard)
        }
        let (collections, whole) = await withItems(choice.collections, keeper) { plan(of: $0) }
        let plan = shard.map { plan(of: collections, $0) } ?? whole
        // An item of another machine's part is there, too.
        let selected = whole.round.lazy.filter(\.isSelected).map(\.job)
        if let complaint = selection.complaint(about: selected) ?? plan.round.lazy.compactMap(\.job.doubleVariable).first {
            throw CommandFailure(.usage, complaint)
        }
        if !plan.problems.isEmpty {
            let said = Set(problems.map(\.description))
            let unsaid = plan.problems.map(\.description).filter { !said.contains($0) }
            throw CommandFailure(.usage, unsaid.isEmpty ? "Nothing was sent." : unsaid.map(SafeText.line).joined(separator: "\n"))
        }
        for hint in choice.blindExpectations(of: plan.round.lazy.map(\.job.definition)) {
            try context.note(hint)
        }
        if dryRun {
            let printer = LinePrinter(context, to: context.standardOutput)
            let environment = context.environment.merging(context.givenEnvironment) { first, _ in first }
            let isWhole = try DryRun(plan: plan, environment: environment).forEach(printer.print)
            return problems.isEmpty ? isWhole ? .success : .template : .usage
        }
        if self.plan {
            try LinePrinter(context, to: context.standardOutput).print(RunPlanLines.lines(of: plan))
            return problems.isEmpty ? .success : .usage
        }
        try await admitLoad(plan, in: context)
        // Before anything is sent: a report that can't be written is found out now, not at the end.
        let files = try open(report, in: context)
        let secrets = await plan.environmentSecrets(
            by: keeper, from: SystemSecrets(environment: context.environment, given: context.givenEnvironment))
        let session = try RunSession(self, plan.hiding(secrets), unread: problems, keeper, hiding: secrets, context)
        let outcome = await session.run()
        var failures: [any Error] = []
        for (number, file) in files.enumerated() {
            do {
                if let file {
                    let before = report[number].appends ? try? Data(contentsOf: URL(filePath: report[number].path)) : nil
                    try file.write { output in
                        if let before, !before.isEmpty { try output.write(before) }
                        try session.write(number, to: output)
                    }
                } else {
                    let isTalk = !report[number].takesOutput && wantsOutput
                    try session.write(number, to: ShownOutput(isTalk ? context.standardError : context.standardOutput))
                }
            } catch {
                failures.append(error)
            }
        }
        do { try session.conclude(outcome) } catch { failures.append(error) }
        // Whoever read a part of it and went away (`| head`) takes neither the other reports nor the status along.
        failures.removeAll { ($0 as? OutputFailure)?.isBrokenPipe == true }
        let statuses = failures.map { CommandLineInterface.report($0, in: context) }
        // What failed was to be found out; where its report went comes after it.
        if outcome.exitStatus != .success { return outcome.exitStatus }
        // What could be run was; a part that nobody could read is no success.
        return statuses.last ?? (problems.isEmpty ? .success : .usage)
    }
}

extension Run {
    /// - Throws: the last failure; those before it are said.
    private static func say(_ failures: [any Error], in context: CommandLineContext) throws {
        for failure in failures.dropLast() { _ = CommandLineInterface.report(failure, in: context) }
        if let failure = failures.last { throw failure }
    }

    /// - Returns: `nil` for what goes to standard output.
    private func open(_ reports: [ReportRequest], in context: CommandLineContext) throws -> [ReplacedFile?] {
        let files = reports.map { request in
            Result { () throws(OutputFailure) in try request.open() }
        }
        try Self.say(
            files.compactMap { file in if case .failure(let failure) = file { failure } else { nil } }, in: context)
        return try files.map { try $0.get() }
    }
}

extension Run {
    /// Whether it is to run again whenever a file changes: for a person at a terminal, where what is read is a file.
    func waitsForChanges(in context: CommandLineContext) -> Bool {
        let output = wantsOutput ? context.standardError : context.standardOutput
        return watch && !plan && !dryRun && output.isTerminal && !words.contains("-")
    }

    /// Until Ctrl-C. A file that can't be read, as it may be while somebody edits it, is said, and waited for.
    ///
    /// - Returns: the status of the last run.
    func runAtChanges(
        in context: CommandLineContext, _ run: () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let collections = try CollectionChoice(words, environment: context.environment, input: context.standardInput).collections
        let paths = collections.map(\.path) + data.map(\.path) + envFile.map(\.path)
        let printer = LinePrinter(context, to: wantsOutput ? context.standardError : context.standardOutput)
        while true {
            // What changes while it runs counts, too.
            let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
            let watching = context.onChange(paths) { signal.yield(.change($0)) }
            defer { withExtendedLifetime(watching) {} }
            let status: ExitStatus
            do { status = try await run() } catch { status = CommandLineInterface.report(error, in: context) }
            if status == .cancelled { return status }
            try printer.print([StyledLine(), StyledLine("waiting for a change; Ctrl-C ends", .dim)])
            let interrupts = context.onInterrupt { signal.yield(.interrupt) }
            defer { withExtendedLifetime(interrupts) {} }
            guard case .change(let path)? = await signals.first(where: { _ in true }) else { return status }
            try printer.print([StyledLine("\(SafeText.line(path)) has changed", .dim), StyledLine()])
        }
    }

    private enum Signal: Sendable {
        case change(String)
        case interrupt
    }
}
