import ArgumentParser
import Base

/// `turnstone completion`.
struct CompletionCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            It completes commands and options, and the names, environments and tags of the collection here.

            Examples:
              source <(turnstone completion bash)                               in ~/.bashrc
              source <(turnstone completion zsh)                                in ~/.zshrc, after compinit
              turnstone completion fish > ~/.config/fish/completions/turnstone.fish
            """)

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL"))
    var shell: String

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw CommandFailure(status: .usage, message: "There is no script for \(shell). It takes bash, zsh or fish.")
        }
        try context.standardOutput.print(shell.script)
        return .success
    }

    /// What the scripts call: `__complete INDEX WORD...`, the program's name being word 0.
    static func answer(_ words: [String], in context: CommandLineContext) throws -> ExitStatus {
        guard let index = words.first.flatMap({ Int($0) }), index > 0 else { return .usage }
        var line = Array(words.dropFirst(2))
        // The word under the cursor may be one that isn't there yet.
        while line.count < index { line.append("") }
        let completion = Completion(
            line: Array(line.prefix(index)), program: .program, names: CollectionNames(environment: context.environment))
        for answer in completion.answers { try context.standardOutput.print(answer) }
        return .success
    }
}
