import ArgumentParser
import CollectionRunner
import Interchange
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone show`.
struct Show: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a saved request would send, without sending it.",
        discussion: """
            Templates are filled in and defaults merged. Secrets are masked and not even read: no command is run to get one. In a command
            for curl, the shell fills them in. The last lines name what sending it wants of this machine that isn't allowed yet.

            Examples:
              turnstone show orders/create                      the request as it would be sent
              turnstone show shop.yaml login --env staging      a request of this collection, in an environment
              turnstone show login --explain                    every value, where it comes from, and what it overrides
              turnstone show login --curl                       as a command for curl
              turnstone show login --json --var user=ada
              turnstone show login --reveal                     with its secrets: they are read, and you are asked
            """)

    @Argument(help: ArgumentHelp("A collection, if it isn't the one here, and the request's name.", valueName: "COLLECTION|NAME"))
    var words: [String]

    @Option(name: .customLong("env"), help: ArgumentHelp("The environment.", valueName: "NAME"))
    var environment: String?

    @OptionGroup
    var variables: VariableOptions

    @Flag(help: "Print every effective header, parameter and setting with its file and line, and what it overrides.")
    var explain = false

    @Flag(help: "Print a curl command.")
    var curl = false

    @Flag(help: "Print JSON; with --explain, the explanation as JSON.")
    var json = false

    @Flag(help: "Read the secrets, and print them in the clear.")
    var reveal = false

    @OptionGroup var trust: TrustOptions

    @OptionGroup var exports: ExportTrustOptions

    func validate() throws {
        guard !reveal || !explain else {
            throw ValidationError("--explain shows where values stand, and never secrets; --reveal doesn't go with it.")
        }
        guard !curl || !(json || explain) else {
            throw ValidationError("--curl prints a command; --json and --explain don't go with it.")
        }
        guard curl || !exports.allowCommands else { throw ValidationError("--allow-commands goes with --curl.") }
    }

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(words, environment: context.environment, input: context.standardInput)
        try choice.warn(in: context)
        let (collection, definition) = try chosen(choice)
        let job = RunJob(definition, in: collection, environment: environment, variables: try variables.values())
        if explain { return try explain(job, context) }
        if curl { return try await printCurl(job, context) }
        let shown = ShownRequest(reveal ? try await read(job, context) : try resolve(job, context), reveals: reveal)
        if json {
            var json = shown.json
            json.wants = ShownJSON.Want.all(of: review(job, context, all: true))
            try context.standardOutput.print(json: json)
        } else {
            for line in shown.lines { try context.standardOutput.print(line) }
        }
        // What is revealed was asked for.
        if reveal { return .success }
        for line in TrustLines.footnote(review(job, context)) { try context.standardError.print(line) }
        return .success
    }

    /// Prints what `export curl` writes, with its notes.
    private func printCurl(_ job: RunJob, _ context: CommandLineContext) async throws -> ExitStatus {
        let export: CurlExport
        if reveal {
            export = CurlExport(try await read(job, context), of: job.definition, in: job.collection)
        } else {
            let runsCommands = exports.allowsCommands(
                of: [job.definition], in: job.collection, environments: [environment], variables: job.variables, context)
            export = try CurlExport(
                job.definition, in: job.collection, environment: environment, variables: job.variables, runsCommands: runsCommands)
        }
        try context.standardOutput.print(export.command)
        for note in export.notes { try context.note(note) }
        return .success
    }

    /// With its secrets, as `run` would send it.
    private func read(_ job: RunJob, _ context: CommandLineContext) async throws -> ResolvedRequest {
        let queue = try RequestOperationQueue(identifier: "show", client: context.client())
        let keeper = try trust.keeper([job.collection], environment: environment, variables: job.variables, in: context)
        let runner = CollectionRunner(
            queue: queue, secrets: SystemSecrets(environment: context.environment), prompter: trust.prompter(context),
            trust: keeper, environment: context.environment)
        return try await runner.resolve(job)
    }

    /// What sending it wants of this machine.
    private func review(_ job: RunJob, _ context: CommandLineContext, all: Bool = false) -> TrustReview {
        let wants = job.collection.wants(of: [job.definition], environment: environment, variables: job.variables)
        return TrustKeeper(store: TrustStore(environment: context.environment)).review(wants, of: job.collection, all: all)
    }

    private func resolve(_ job: RunJob, _ context: CommandLineContext) throws -> ResolvedRequest {
        var sources = TemplateEnvironment(processEnvironment: context.environment, mode: .show)
        sources.showsUnknownAddresses = true
        return try job.collection.resolve(job.definition, environment: environment, variables: job.variables, with: sources)
    }

    /// What can't be filled in doesn't hide the rest: it is shown as it stands in the file, and said at the end.
    private func explain(_ job: RunJob, _ context: CommandLineContext) throws -> ExitStatus {
        let explanation = ShownExplanation(
            try job.collection.explain(job.definition, environment: environment, variables: job.variables))
        let review = review(job, context, all: true)
        if json {
            var shown = (try? resolve(job, context)).map { ShownRequest($0).json } ?? ShownJSON(id: job.definition.id.rawValue)
            shown.explanation = explanation.rows
            shown.wants = ShownJSON.Want.all(of: review)
            try context.standardOutput.print(json: shown)
        } else {
            for line in explanation.lines { try context.standardOutput.print(line) }
            if !review.isEmpty { try context.standardOutput.print("wants") }
            for line in TrustLines.lines(review, isAsked: false) { try context.standardOutput.print(line) }
        }
        for problem in explanation.problems { try context.note(problem) }
        return explanation.problems.isEmpty ? .success : .template
    }

    private func chosen(_ choice: CollectionChoice) throws -> (RequestCollection, RequestDefinition) {
        guard choice.names.count == 1 else {
            throw CommandFailure(
                .usage,
                choice.names.isEmpty
                    ? "show takes the name of a request; `turnstone list` shows all of them."
                    : "show takes one request, and these are several: \(choice.names.joined(separator: ", ")).")
        }
        let name = choice.names[0]
        // The full name goes before a last name that several requests share.
        for collection in choice.collections {
            if let request = collection.request(RequestID(rawValue: name)) { return (collection, request) }
        }
        let selection = RequestSelection(names: [name])
        if let complaint = selection.complaint(about: choice.collections) {
            throw CommandFailure(.usage, complaint)
        }
        let found = choice.collections.flatMap { collection in selection.requests(of: collection).map { (collection, $0) } }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage, "\(name) is more than one request: \(found.map(\.1.id.rawValue).joined(separator: ", ")). Name one of them."
            )
        }
        return found[0]
    }
}
