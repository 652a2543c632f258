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
            throw CommandFailure(.usage, complaint)
        }
        try choice.check(environment: environment)
        // All rows have the same columns.
        let row = try data?.rows(for: choice.collections).first?.variables ?? [:]
        let given = try variables.values().merging(row) { $1 }
        let check = CollectionCheck(choice: choice, selection: selection, environment: environment, variables: given)
        let findings = await check.findings(with: QuestionWorker(program: context.program))
        let count = choice.collections.reduce(0) { $0 + selection.requests(of: $1).count }
        if json {
            try context.standardOutput.print(json: findings.sorted)
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

/// What can be known of collections without sending, for `check` and for editors.
struct CollectionCheck {
    var choice: CollectionChoice
    var selection = RequestSelection(names: [], tags: [])
    /// `nil`: all there are; which one a run is in, nobody knows.
    var environment: String?
    var variables: [String: JSONValue] = [:]

    /// - Parameter worker: compiles programs for jq and XPath.
    func findings(with worker: QuestionWorker) async -> CheckFindings {
        var findings = CheckFindings()
        findings.add(choice.problemsAroundRequests, .error)
        findings.add(choice.fileWarnings, .warning)
        for collection in choice.collections {
            let (collection, unread) = collection.readingItems(by: .nothing)
            let requests = selection.requests(of: collection)
            findings.add(requests.flatMap(\.problems), .error)
            findings.add(collection.clearSecrets(in: requests), .warning)
            for environment in environments(of: collection) {
                let plan = RunPlan([collection], selection, environment: environment, variables: variables)
                findings.add(plan.problems)
                var known: Set<RequestID> = []
                let definitions = plan.round.map(\.job.definition).filter { known.insert($0.id).inserted }
                findings.add(collection.complaints(about: definitions, environment: environment, variables: variables), .error)
                findings.add(
                    collection.remarks(about: definitions, environment: environment, variables: variables), .warning)
            }
            let filters = requests.flatMap(\.placedFilters).filter { $0.filter.refusedName == nil }
            for problem in await worker.complaints(about: filters) { findings.add([problem], .error) }
            for noted in unread {
                // A file that doesn't exist has already been reported.
                guard let location = noted.location, !findings.haveError(at: location) else { continue }
                let problem = CollectionProblem(
                    location: location,
                    message: "\(noted.want.subject) wasn't read: it isn't the collection's own; a run asks for it")
                findings.add([problem], .warning)
            }
            findings.add(choice.hints(of: collection), .warning)
        }
        return findings
    }

    private func environments(of collection: RequestCollection) -> [String?] {
        if let environment { return [collection.environmentNames.contains(environment) ? environment : nil] }
        return collection.environmentNames.isEmpty ? [nil] : collection.environmentNames
    }
}

/// What `check` finds, each thing once.
struct CheckFindings {
    private var all: Set<Finding> = []

    enum Severity: String, Hashable, Encodable {
        case error, warning
    }

    /// A finding, printed in the form that editors and CI systems read: `shop.yaml:12:5: error: …`.
    struct Finding: Hashable, Encodable, CustomStringConvertible {
        var severity: Severity
        var path: String?
        var line: Int?
        var column: Int?
        var message: String

        var description: String {
            let place = path.map { "\($0):\(line ?? 1):\(column ?? 1): " } ?? ""
            return "\(place)\(severity.rawValue): \(message)"
        }
    }

    mutating func add(_ problems: [CollectionProblem], _ severity: Severity) {
        for problem in problems { add(severity, problem.message, at: problem.location) }
    }

    /// What can't be planned.
    mutating func add(_ failures: [RunFailure]) {
        for failure in failures { add(.error, failure.message, at: failure.location) }
    }

    private mutating func add(_ severity: Severity, _ message: String, at location: SourceLocation?) {
        all.insert(
            Finding(severity: severity, path: location?.path, line: location?.line, column: location?.column, message: message))
    }

    var hasErrors: Bool { all.contains { $0.severity == .error } }

    func haveError(at location: SourceLocation) -> Bool {
        all.contains {
            $0.severity == .error && ($0.path, $0.line, $0.column) == (location.path, location.line, location.column)
        }
    }

    /// The findings in the order of the files.
    var sorted: [Finding] {
        all.sorted {
            ($0.path ?? "", $0.line ?? 0, $0.column ?? 0, $0.message) < ($1.path ?? "", $1.line ?? 0, $1.column ?? 0, $1.message)
        }
    }

    /// `2 errors and 1 warning in 12 requests`
    func summary(ofRequests count: Int) -> String {
        func counted(_ severity: Severity) -> String {
            let number = all.count { $0.severity == severity }
            return "\(number == 0 ? "no" : Figures.count(number)) \(severity.rawValue)\(number == 1 ? "" : "s")"
        }
        return "\(counted(.error)) and \(counted(.warning)) in \(Figures.count(count)) request\(count == 1 ? "" : "s")"
    }
}
