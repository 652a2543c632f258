import ArgumentParser
import NetworkLayer

/// `turnstone send`: one request, like curl.
///
/// Its options are a table of our own, see ``SendOption``; ArgumentParser knows of the command for the list of commands only.
struct Send: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: SendHelp.abstract, discussion: SendHelp.discussion)

    @Argument(parsing: .captureForPassthrough, help: "As curl's; `turnstone send --help` lists them.")
    var words: [String] = []

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        try await Self.run(words, in: context)
    }

    static func run(_ words: [String], in context: CommandLineContext) async throws -> ExitStatus {
        var arguments = try SendOptionParser.parse(words)
        if arguments.asksForHelp {
            try context.standardOutput.print(SendHelp.text(columns: context.standardOutput.columns ?? 100))
            return .success
        }
        if arguments.asksForVersion {
            try context.standardOutput.print("turnstone \(Version.text)")
            return .success
        }
        try arguments.takeStoredCredentials(home: context.environment["HOME"])
        try arguments.completePasswords(context.askSecret)
        return try await SendRun(arguments, in: context).run()
    }
}
