import ArgumentParser
import Base
import CollectionRunner
import Presentation
import RequestCollections

/// `turnstone check`.
struct Check: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Find what is wrong in a collection, without sending anything.",
        discussion: """
            It says, with file and line, what can be known beforehand: mistakes in the files, variables that nothing sets, requests that
            wait for each other in a circle; and, as warnings, words in expectations that may be meant otherwise, such as `not found`,
            expectations that no answer can meet, and what looks like a secret in clear. No request is sent, no command of the collection
            is run, no secret is read, and no file but the collection's. Without --env it looks at every environment.

            Examples:
              turnstone check                          ./Collections
              turnstone check shop.yaml 'orders/*'     a part of a collection
              turnstone check --env staging --json
              turnstone check --data users.csv         with the columns as variables

            Where GITHUB_ACTIONS is set, each finding is an annotation at its line, too. The exit status is 0, also with warnings, and 2
            when something is wrong.
            """)

    @Argument(
        help: ArgumentHelp("A collection (- is standard input), then names, folders or patterns.", valueName: "COLLECTION|NAME"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only requests with this tag. Repeatable.", valueName: "TAG"))
    var tag: [String] = []

    @Option(name: .customLong("env"), help: ArgumentHelp("The environment.", valueName: "NAME"))
    var environment: String?

    @OptionGroup
    var variables: VariableOptions

    @Option(help: ArgumentHelp("Take the columns of this file for variables, as run --data does.", valueName: "FILE"))
    var data: DataFile?

    @Flag(help: "Print JSON.")
    var json = false

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(words, environment: context.environment, input: context.standardInput)
        try choice.warn(in: context)
        let selection = RequestSelection(names: choice.names, tags: tag)
        if let complaint = selection.complaint(about: choice.collections), choice.problemsAroundRequests.isEmpty {
            throw CommandFailure(status: .usage, message: complaint)
        }
        try choice.check(environment: environment)
        // All rows have the same columns.
        let row = try data?.rows(for: choice.collections).first?.variables ?? [:]
        let given = try variables.values().merging(row) { $1 }
        let check = CollectionCheck(choice: choice, selection: selection, environment: environment, variables: given)
        let findings = await check.findings(with: QuestionWorker(program: context.program))
        let count = choice.collections.reduce(0) { $0 + selection.requests(of: $1).count }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try context.standardOutput.print(String(decoding: encoder.encode(findings.sorted), as: UTF8.self))
        } else {
            for finding in findings.sorted { try context.standardOutput.print(SafeText.line(finding.description)) }
            if context.environment["GITHUB_ACTIONS"] == "true" {
                let report = GitHubReport(workspace: context.environment["GITHUB_WORKSPACE"])
                for command in report.commands(for: findings.sorted) { try context.standardOutput.print(command) }
            }
            try context.standardError.print(findings.summary(ofRequests: count))
        }
        return findings.hasErrors ? .usage : .success
    }
}
