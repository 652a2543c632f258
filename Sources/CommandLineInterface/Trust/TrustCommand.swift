import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

/// `turnstone trust`.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Allow a collection what it wants of this machine, or take it back.",
        discussion: """
            A collection is a stranger's program until you say otherwise: it runs no command, reads no file outside of its directory and no
            environment variable, and no secret is sent. Finding out what it wants does none of this. What you allow is kept in
            ~/.local/state/turnstone/trust, or below $XDG_STATE_HOME, and you are asked again only when the collection wants more.

            Examples:
              turnstone trust shop.yaml                what it wants, and the question
              turnstone trust shop.yaml --show         all of it, allowed or not
              turnstone trust shop.yaml --diff         what isn't allowed, and what that was before
              turnstone trust shop.yaml --yes          allow all of it
              turnstone trust shop.yaml --remove       as if you had never been asked
              turnstone trust shop.yaml --never        allow nothing, and don't ask any more
              turnstone trust list                     all that you have said
              turnstone run shop.yaml --trust "$(turnstone trust shop.yaml --hash)"
            """,
        subcommands: [TrustReviewCommand.self, TrustList.self], defaultSubcommand: TrustReviewCommand.self)
}

/// `turnstone trust PATH`.
struct TrustReviewCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review", abstract: "Show what a collection wants, and ask.")

    @Argument(help: ArgumentHelp("A collection, if it isn't the one here.", valueName: "COLLECTION"))
    var path: String?

    @Flag(help: "Print all that it wants, allowed or not, and don't ask.")
    var show = false

    @Flag(help: "Print what isn't allowed yet, and what that was before. The status is 27 when there is any.")
    var diff = false

    @Flag(help: "Allow all that it wants.")
    var yes = false

    @Flag(help: "Forget what you said about it.")
    var remove = false

    @Flag(help: "Allow nothing, and don't ask any more.")
    var never = false

    @Flag(help: "Print the hash of all that it wants, for --trust.")
    var hash = false

    @Flag(help: "Don't ask: only say what it wants.")
    var noInput = false

    @Option(name: .customLong("env"), help: ArgumentHelp("Only in this environment; by default in all of them.", valueName: "NAME"))
    var environment: String?

    @OptionGroup
    var variables: VariableOptions

    func validate() throws {
        guard [show, diff, yes, remove, never, hash].filter(\.self).count <= 1 else {
            throw ValidationError("--show, --diff, --yes, --remove, --never and --hash don't go together.")
        }
    }

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(path.map { [$0] } ?? [], environment: context.environment)
        if let name = choice.names.first {
            throw CommandFailure(status: .usage, message: "There is no collection at \(SafeText.line(name)).")
        }
        try choice.check(environment: environment)
        let given = try variables.values()
        let store = TrustStore(environment: context.environment)
        let keeper = TrustKeeper(store: store, asker: noInput ? nil : TerminalTrustAsker(context))
        var status = ExitStatus.success
        for collection in choice.collections {
            let wants = TrustHash.wants(of: collection, environment: environment, variables: given)
            if let failure = try await answer(wants, of: collection, keeper, context) { status = failure }
        }
        try context.say(warningsOf: keeper)
        return status
    }

    /// - Returns: why the command fails: something is left that isn't allowed, where that is the question, or what was said isn't kept.
    private func answer(
        _ wants: [NotedWant], of collection: RequestCollection, _ keeper: TrustKeeper, _ context: CommandLineContext
    ) async throws -> ExitStatus? {
        let output = context.standardOutput
        let path = SafeText.line(collection.path)
        if hash {
            try output.print(TrustHash.text(wants, of: collection, home: context.environment["HOME"]))
            return nil
        }
        if remove {
            try keeper.forget(collection)
            try context.standardError.print("turnstone: nothing is allowed to \(path) any more, and you will be asked")
            return nil
        }
        if never {
            guard keeper.refuseForGood(collection) else { return .file }
            try context.standardError.print("turnstone: nothing is allowed to \(path), and you won't be asked")
            return nil
        }
        let review = keeper.review(wants, of: collection, all: show)
        for line in TrustLines.lines(review) { try output.print(line) }
        if show || diff { return show || review.isEmpty ? nil : .notAllowed }
        guard !review.isEmpty else {
            try context.standardError.print(
                wants.isEmpty ? "turnstone: \(path) wants nothing" : "turnstone: all that \(path) wants is allowed")
            return nil
        }
        if yes {
            guard keeper.allow(review.wants, of: collection, isKept: true) else { return .file }
            try context.standardError.print("turnstone: allowed to \(path): \(Figures.count(review.rows.count, "thing"))")
            return nil
        }
        if await keeper.ask(for: wants, of: collection) != nil { return nil }
        try context.standardError.print(
            "turnstone: nothing was allowed to \(path); without a question: turnstone trust \(path) --yes")
        return .notAllowed
    }
}

/// `turnstone trust list`.
struct TrustList: RunnableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List what is allowed to which collections.")

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let (grants, problems) = TrustStore(environment: context.environment).all()
        for grant in grants {
            let gone = FilePaths.exists(grant.root) ? "" : "  (not there any more)"
            try context.standardOutput.print(SafeText.line(grant.root) + (grant.isNever ? "  never" : "") + gone)
            for want in grant.allowed.keys.sorted(by: { ($0.kind, $0.subject) < ($1.kind, $1.subject) }) {
                let manner = want.manner.map { "  \($0)" } ?? ""
                try context.standardOutput.print(SafeText.line("  \(want.kind)  \(want.subject)\(manner)"))
            }
        }
        for problem in problems { try context.standardError.print("turnstone: \(SafeText.line(problem))") }
        if grants.isEmpty { try context.standardError.print("turnstone: nothing is allowed to any collection") }
        return .success
    }
}
