import ArgumentParser
import Base
import Presentation

/// `turnstone keys`.
struct KeysCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Print all keys of the explorer, as a keymap file.",
        discussion: """
            Without a set, they are printed as they are now: those of your keymap file over those of the set that it names. What is wrong with
            the file is said on the standard error, and the exit status is 2 then. The file is $XDG_CONFIG_HOME/turnstone/keys.yaml, or
            ~/.config/turnstone/keys.yaml.

            Examples:
              turnstone keys
              turnstone keys vim > ~/.config/turnstone/keys.yaml
            """)

    @Argument(help: ArgumentHelp("The keys of that set, such as vim, whatever your file says.", valueName: "SET"))
    var set: String?

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        guard let keys = context.keys(set) else {
            throw CommandFailure(
                status: .usage,
                message:
                    "There is no set of keys named \(SafeText.line(set ?? "")). It takes \(context.keySets.joined(separator: ", "))."
            )
        }
        try context.standardOutput.write(Data(keys.text.utf8))
        for problem in keys.problems { try context.standardError.write(Data("turnstone: \(SafeText.line(problem))\n".utf8)) }
        return keys.problems.isEmpty ? .success : .usage
    }
}
