import ArgumentParser
import Base
import CollectionRunner
import History
package import NetworkLayer
import Presentation
import RequestCollections

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
            if arguments == ["--version"] {
                try context.standardOutput.print(Turnstone.configuration.version)
                return .success
            }
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
        // The reader of our output has seen enough: we end quietly, like every other program in a pipe.
        if (error as? OutputFailure)?.isBrokenPipe == true { return .success }
        guard let failure = CommandFailure(error) else { return reportUsage(error, in: context) }
        say(failure.message, to: context)
        return failure.status
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

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(status: ExitStatus, message: String) { self.init(status, message) }

    /// What an error of any part comes to; `nil`: the command line itself is wrong.
    init?(_ error: any Error) {
        func sentence(_ errno: Int32) -> String { String(cString: strerror(errno)) }
        switch error {
        case let error as CommandFailure: self = error
        case let error as NetworkError: self.init(ExitStatus(error), error.message)
        case let error as CollectionFileError: self.init(.file, "\(error)")
        case let error as HistoryError: self.init(.file, error.message)
        case let error as ResolutionError: self.init(error.code == .notAllowed ? .notAllowed : .template, "\(error)")
        case let error as OutputFailure: self.init(.file, "Can't write to \(error.name): \(sentence(error.errno))")
        case let error as InputFailure: self.init(.file, "Can't read \(error.name): \(sentence(error.errno))")
        default: return nil
        }
    }
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

/// The words of a command line, which are bytes to the system, and text to this program.
enum ArgumentText {
    /// - Parameter words: the program's name included.
    /// - Throws: ``CommandFailure`` for the first that isn't UTF-8.
    static func texts(_ words: [[UInt8]]) throws -> [String] {
        var texts: [String] = []
        for (index, word) in words.enumerated() {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw CommandFailure(.usage, refusal(of: index, in: words))
            }
            texts.append(text)
        }
        return texts
    }

    private static func refusal(of index: Int, in words: [[UInt8]]) -> String {
        let readable = words.map { String(decoding: $0, as: UTF8.self) }
        // Credentials are shown to nobody.
        let isSecret = SecretWords.places(in: readable).contains { $0.word == index }
        let shown = isSecret ? "" : ", \(escaped(words[index]))"
        let before = index > 1 && readable[index - 1].hasPrefix("-") && !readable[index].hasPrefix("-")
        let option = before ? String(readable[index - 1].prefix { $0 != "=" }) : ""
        return "Argument \(index)\(before ? ", behind \(option)" : "")\(shown), isn't UTF-8, and would be sent as something else. "
            + "Other bytes are sent from a file, as by --data-binary @FILE or -F NAME=@FILE, and percent-encoded in a URL."
    }

    /// As bash reads it: `$'caf\xe9'`.
    private static func escaped(_ word: [UInt8]) -> String {
        let most = 60
        let signs = word.prefix(most).map { byte in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
            case 0x20...0x7E: String(Character(Unicode.Scalar(byte)))
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return "$'\(signs.joined())\(word.count > most ? "…" : "")'"
    }
}

/// How a run of the program ends, for the shell that started it; see ``meanings``.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = ExitStatus(rawValue: 0)
    package static let expectationFailed = ExitStatus(rawValue: 1)
    package static let usage = ExitStatus(rawValue: 2)
    package static let timeout = ExitStatus(rawValue: 20)
    package static let connection = ExitStatus(rawValue: 21)
    package static let tls = ExitStatus(rawValue: 22)
    package static let authentication = ExitStatus(rawValue: 23)
    package static let template = ExitStatus(rawValue: 24)
    package static let file = ExitStatus(rawValue: 25)
    package static let protocolBroken = ExitStatus(rawValue: 26)
    package static let notAllowed = ExitStatus(rawValue: 27)
    package static let cancelled = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// Each exit status with its meaning, for the manual.
    static let meanings: [(status: ExitStatus, text: String)] = [
        (.success, "Done; every expectation held."),
        (
            .expectationFailed,
            "An expectation failed, --fail met a status of 400 or more, or import --strict had to leave something out."
        ),
        (.usage, "Usage: an unknown option, a bad file, a name that isn't there."),
        (.timeout, "A timeout; the message names which: operation, attempt, idle, connect."),
        (.connection, "DNS or connection."),
        (.tls, "TLS."),
        (.authentication, "Authentication or hydration failed."),
        (.template, "A template, capture or script failed."),
        (.file, "A file could not be read or written."),
        (.protocolBroken, "The server broke the protocol."),
        (.notAllowed, "Not allowed: what a collection wants isn't trusted, or a secret would go where it may not."),
        (.cancelled, "Cancelled."),
    ]

    /// The status for an operation's error.
    package init(_ error: NetworkError) {
        switch error.code {
        case _ where error.type == ErrorType.httpProtocolError: self = .protocolBroken
        case .cancelled: self = .cancelled
        case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut: self = .timeout
        case .nameNotResolved, .proxyNotResolved, .cannotConnect, .connectionLost, .resendRefused: self = .connection
        case .tlsFailed, .certificateRejected, .pinMismatch, .clientCertificateFailed: self = .tls
        case .secretWithheld: self = .notAllowed
        case .hydrationFailed, .authorizationFailed, .challengeCancelled: self = .authentication
        case .fileFailed, .bodyReadFailed: self = .file
        case .invalidRequest, .invalidURL, .invalidMethod, .unsupported: self = .usage
        case .sessionClosed, .unsuccessfulStatus: self = .expectationFailed
        case .protocolViolation, .contentDecodingFailed, .limitExceeded, .tooManyRedirects, .redirectFailed: self = .protocolBroken
        default: self = error.phase == .connection ? .connection : .protocolBroken
        }
    }
}
