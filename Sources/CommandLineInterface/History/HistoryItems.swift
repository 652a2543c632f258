import ArgumentParser
import Base
import CollectionRunner
import HTTPTypes
import History
import Interchange
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// `turnstone history show`.
struct HistoryShow: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one run: what was sent, the response's head, its attempts and where their time went.")

    @Argument(help: ArgumentHelp("The number of the run.", valueName: "RUN"))
    var id: Int64

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let record = try context.run(id, of: try context.history())
        let metrics = record.response.metrics
        let end = metrics.completed ?? .zero
        var lines = [
            HistoryLines.line(record.run, now: context.time.date), StyledLine(Figures.date(record.run.date), .dim), StyledLine(),
        ]
        // The first of them stands in the line above.
        let reasons = record.run.reasons.dropFirst()
        if !reasons.isEmpty { lines += reasons.map { StyledLine(SafeText.line($0), .error) } + [StyledLine()] }
        lines += sent(metrics)
        lines += Waterfall(metrics, now: end).lines(width: min(100, context.standardOutput.columns ?? 80))
        if let head = record.response.info?.head {
            var status = StyledLine(SafeText.line(head.version) + " ", .dim)
            status.spans.append(StatusText.span(head.status))
            lines += [StyledLine(), status] + HeaderText.lines(head.headers)
        }
        if record.run.bodyBytes > 0 {
            let note = record.run.isBodyKept ? "turnstone history body \(id) prints it" : "not kept"
            lines += [StyledLine(), StyledLine("\(Figures.bytes(record.run.bodyBytes)) of body: \(note)", .dim)]
        }
        try LinePrinter(context, to: context.standardOutput).print(lines)
        return .success
    }

    /// The last attempt counts where there are several.
    private func sent(_ metrics: OperationMetrics) -> [StyledLine] {
        let document = HARDocument(
            [HARDocument.Exchange(metrics, body: nil)], creator: .init(name: "turnstone", version: Version.text),
            masking: .presentation(Redactor()))
        guard let request = document.log.entries.last?.request else { return [] }
        return FailureStory.lines(of: request).map { StyledLine(SafeText.line($0), .text) } + [StyledLine()]
    }
}

/// `turnstone history body`.
struct HistoryBody: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "body", abstract: "Print the body of a run's response; secrets are masked.")

    @Argument(help: ArgumentHelp("The number of the run.", valueName: "RUN"))
    var id: Int64

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let history = try context.history()
        let record = try context.run(id, of: history)
        guard let body = try history.body(of: id) else {
            let reason =
                record.run.bodyBytes > 0
                ? "of \(Figures.bytes(record.run.bodyBytes)) isn't kept: it was too long, or too old" : "is empty"
            throw CommandFailure(.usage, "The body of run \(id) \(reason).")
        }
        try context.print(body: body, contentType: record.response.info?.head.headers[.contentType])
        return .success
    }
}

/// `turnstone history replay`.
struct HistoryReplay: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send the request of a run again, as it was then, with secrets and variables as they are now.")

    @Argument(help: ArgumentHelp("The number of the run.", valueName: "RUN"))
    var id: Int64

    @Option(name: .customLong("env"), help: ArgumentHelp("An environment other than the run's.", valueName: "NAME"))
    var environment: String?

    @OptionGroup var trust: TrustOptions

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let history = try context.history()
        let record = try context.run(id, of: history)
        let collection: RequestCollection
        do throws(CollectionFileError) {
            collection = try RequestCollection.load(path: record.run.collection)
        } catch {
            throw CommandFailure(.file, "The collection of run \(id) can't be read: \(error)")
        }
        let queue = try RequestOperationQueue(identifier: "replay", client: context.client())
        let keeper = try trust.keeper([collection], environment: environment ?? record.run.environment, in: context)
        let prompter = self.trust.prompter(context)
        let runner = CollectionRunner(
            queue: queue, secrets: SystemSecrets(environment: context.environment), prompter: prompter,
            trust: keeper, history: history, limits: .init(program: context.program), environment: context.environment)
        guard let definition = record.definition.restoringCredentials(from: collection.request(record.definition.id)) else {
            throw CommandFailure(
                .template,
                "Run \(id) was sent with a credential that stood in the file as it is. The history keeps none, and "
                    + "the file has none there any more.")
        }
        guard definition.isPlaced(in: collection) else {
            throw CommandFailure(
                .file,
                "Run \(id) was kept without the directory that its file `\(definition.location.path)` lies in. Replay it in the "
                    + "directory where it was run, or send the request anew: turnstone run \(record.run.collection) \(definition.id)"
            )
        }
        let job = RunJob(definition, in: collection, environment: environment ?? record.run.environment)
        let interruption = context.onInterrupt {
            runner.interrupt("the user")
            prompter?.interrupt()
        }
        defer { withExtendedLifetime(interruption) {} }
        let entry = RunOutcome.Entry(job: job, result: await runner.run(job))
        context.save(queue.client.cookies)
        try LinePrinter(context).print(RunLines.lines(of: entry))
        if let result = entry.result, let info = result.response?.info {
            let contentType = info.head.headers[.contentType]
            let body = result.redactor.bytes(try info.body.contents(), contentType: contentType)
            try context.print(body: body, contentType: contentType)
        }
        return entry.verdict == .passed ? .success : entry.exitStatus
    }
}

/// `turnstone history forget`.
struct HistoryForget: RunnableCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Forget runs, for good.")

    @Argument(help: ArgumentHelp("The numbers of the runs.", valueName: "RUN"))
    var ids: [Int64] = []

    @Flag(help: "Forget all of them.")
    var all = false

    func validate() throws {
        guard all != !ids.isEmpty else { throw ValidationError("Name the runs to forget, or say --all.") }
    }

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let history = try context.history()
        // Nothing is forgotten unless all of them exist.
        for id in ids { _ = try context.run(id, of: history) }
        let count = try history.forget(all ? nil : ids)
        try context.standardError.print("forgot \(Figures.count(count, "run"))")
        return .success
    }
}

extension CommandLineContext {
    /// On a terminal, the text of it; control characters are shown and not obeyed.
    fileprivate func print(body: Data, contentType: String?) throws {
        var destination = BodyDestination(nil, standardOutput: standardOutput)
        try destination.write(body: body, contentType: contentType)
        try destination.finish()
    }
}

extension RequestDefinition {
    /// Whether its file lies in a collection whose path is absolute. Histories of older versions may have it relative to where the run was.
    func isPlaced(in collection: RequestCollection) -> Bool {
        let path = URL(filePath: location.path).standardized.path(percentEncoded: false)
        return path == collection.path || path.hasPrefix(collection.path + "/")
    }
}
