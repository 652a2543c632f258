import ArgumentParser
import Base
import CollectionRunner
import NetworkLayer
import Presentation

/// The command line as one function: arguments and a context in, an exit status out.
package enum CommandLineInterface {
    /// - Parameter words: the command line as the system has it, the program's name included. What isn't text is refused: sent as
    ///   something else, a password would be a wrong one.
    package static func main(words: [[UInt8]], in context: CommandLineContext) async -> ExitStatus {
        do {
            return await main(Array(try ArgumentText.texts(words).dropFirst()), in: context)
        } catch {
            return report(error, in: context)
        }
    }

    /// - Parameter arguments: without the program's name.
    package static func main(_ arguments: [String], in context: CommandLineContext) async -> ExitStatus {
        do {
            // Past ArgumentParser, which would double the start of a program that is measured against curl.
            if arguments.first == "send" { return try await Send.run(Array(arguments.dropFirst()), in: context) }
            if arguments.first == "__complete" { return try CompletionCommand.answer(Array(arguments.dropFirst()), in: context) }
            if arguments == [Answering.word] {
                try Answering.answer(FileHandleReader(STDIN_FILENO)) { try context.standardOutput.write($0) }
                return .success
            }
            if arguments == ["help", "send"] { return try await Send.run(["--help"], in: context) }
            var command = try Turnstone.parseAsRoot(
                ["run", "history", "show"].contains(arguments.first) ? TrustOption.written(arguments) : arguments)
            guard let command = command as? any RunnableCommand else {
                // `help send` and the like: the parser's own, which answer by throwing what is to be said.
                try command.run()
                return .success
            }
            return try await command.run(in: context)
        } catch {
            return report(error, in: context)
        }
    }

    /// The one place where an error becomes text and a status.
    static func report(_ error: any Error, in context: CommandLineContext) -> ExitStatus {
        switch error {
        case let error as CommandFailure:
            say(error.message, to: context)
            return error.status
        case let error as NetworkError:
            say(error.message, to: context)
            return ExitStatus(error)
        case let error as OutputFailure:
            // The reader of our output has seen enough: we end quietly, like every other program in a pipe.
            if error.isBrokenPipe { return .success }
            say("Can't write to \(error.name): \(String(cString: strerror(error.errno)))", to: context)
            return .file
        case let error as InputFailure:
            say("Can't read \(error.name): \(String(cString: strerror(error.errno)))", to: context)
            return .file
        default:
            return reportUsage(error, in: context)
        }
    }

    private static func reportUsage(_ error: any Error, in context: CommandLineContext) -> ExitStatus {
        let text = Turnstone.fullMessage(for: error)
        if Turnstone.exitCode(for: error).isSuccess {
            do throws(OutputFailure) {
                let columns = context.environment["COLUMNS"].flatMap { Int($0) } ?? context.standardOutput.columns ?? 80
                try context.standardOutput.print(HelpOverview.replacing(in: text, columns: columns))
                return .success
            } catch {
                return report(error, in: context)
            }
        }
        try? context.standardError.print(text)
        return .usage
    }

    /// - Parameter message: may quote what strangers have written.
    private static func say(_ message: String, to context: CommandLineContext) {
        let lines = message.pieces(at: "\n").map { SafeText.line($0) }
        try? context.standardError.print("turnstone: \(lines.joined(separator: "\n"))")
    }
}

/// A command that can be run with everything it touches handed in.
protocol RunnableCommand: ParsableCommand {
    func run(in context: CommandLineContext) async throws -> ExitStatus
}

/// A command's end with a sentence.
struct CommandFailure: Error, Hashable {
    var status: ExitStatus
    var message: String
}

/// `turnstone`.
struct Turnstone: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turnstone",
        abstract: "Explore, save and replay HTTP requests, and see what happens underneath them.",
        discussion: """
            Examples:
              turnstone                    explore ./Collections, or the demo
              turnstone shop.yaml          explore a collection: a file or a directory
              turnstone demo               explore the demo, with its server inside
              turnstone send URL           send one request, like curl
              turnstone send --timing URL  the same, and draw where its time went
              turnstone run                send what is saved, and check what it expects
              turnstone check              find what is wrong in it, without sending
              turnstone list               the requests of the collection here
              turnstone init               begin a collection here
              turnstone import FILE        a collection from Postman, curl and others
            """,
        version: "turnstone \(Version.text)",
        subcommands: [
            Explore.self, Demo.self, Send.self, Run.self, List.self, Show.self, Check.self, Export.self, Import.self,
            HistoryCommand.self, TrustCommand.self, Init.self, MCPCommand.self, LanguageServerCommand.self,
            DemoServerCommand.self,
            KeysCommand.self, SchemaCommand.self, Doctor.self, CompletionCommand.self, Manual.self,
        ],
        defaultSubcommand: Explore.self)
}

/// The program's version.
package enum Version {
    package static let text = "0.1.0"
}
