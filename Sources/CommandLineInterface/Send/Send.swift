import ArgumentParser
import NetworkLayer
import RequestCollections

/// `turnstone send`: requests, like curl.
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
        var context = context
        context.standardInput = RepeatedInput(context.standardInput)
        let groups = try SendOptionParser.groups(words, reading: InputFiles(standardInput: context.standardInput))
        if groups.contains(where: \.asksForHelp) {
            try context.standardOutput.print(SendHelp.text(columns: context.standardOutput.columns ?? 100))
            return .success
        }
        if groups.contains(where: \.asksForVersion) {
            try context.standardOutput.print("turnstone \(Version.text)")
            return .success
        }
        if let path = groups.last?.errorFile {
            context.standardError = path == "-" ? context.standardOutput : try FileOutput(path: path)
        }
        return try await run(
            SendTransfers(groups), jars(of: groups, in: context), endsAtFailure: groups.last?.endsAtFailure == true, in: context)
    }

    /// In memory, unless a jar has a name.
    private static func jars(of groups: [SendArguments], in context: CommandLineContext) throws -> CookieJars {
        guard groups.contains(where: { $0.jar != nil }) else { return CookieJars() }
        // What came from a file of one request would else be kept in the jar of all who name none.
        if let other = groups.first(where: \.keepsCookies) {
            throw CommandFailure(
                status: .usage,
                message: "--jar and \(other.cookieJar == nil ? "-b FILE" : "-c") exclude one another: leave one of them out.")
        }
        guard let directory = UserDirectories(context.environment).cookies else {
            throw CommandFailure(status: .file, message: "--jar has no place to keep cookies in: set HOME or XDG_STATE_HOME.")
        }
        return CookieJars(directory: directory)
    }

    /// - Returns: the status of the last one.
    private static func run(
        _ transfers: SendTransfers, _ jars: CookieJars, endsAtFailure: Bool, in context: CommandLineContext
    ) async throws -> ExitStatus {
        let session = SendSession(jars: jars)
        defer { context.save(jars) }
        var answers: [String: String?] = [:]
        var status = ExitStatus.success
        for var transfer in transfers {
            do {
                try transfer.takeStoredCredentials(home: context.environment["HOME"])
                try transfer.completePasswords { question in
                    // Who has answered isn't asked the same again.
                    if let answer = answers[question] { return answer }
                    let answer = try context.askSecret(question)
                    answers[question] = answer
                    return answer
                }
                status = try await SendRun(transfer, session, in: context).run()
            } catch {
                status = CommandLineInterface.report(error, in: context)
                // What can't be meant won't be with the next URL.
                if status == .usage { return status }
            }
            if status == .cancelled || endsAtFailure && status != .success { break }
        }
        return status
    }
}
