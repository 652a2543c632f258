import ArgumentParser
import Base
import DemoServer
import Presentation
import RequestCollections
import TerminalUI

/// `turnstone [COLLECTION ...]`: the explorer.
struct Explore: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore", abstract: "Open the explorer (the default).",
        discussion: """
            Without a collection it opens ./Collections, otherwise the nearest Collections above, otherwise a line for a URL, a command for
            curl or a file. Files of Postman, OpenAPI, Insomnia, Bruno, .http and HAR open as they are. Inside, F1 or ? shows the keys.
            """)

    @Argument(help: "A collection: a YAML file, or a directory with one request a file.")
    var collections: [String] = []

    @OptionGroup var look: ExplorerOptions

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        // The explorer offers to make a file that isn't there yet, as an editor does.
        let offersNew = collections.count == 1 && (collections[0].hasSuffix(".yaml") || collections[0].hasSuffix(".yml"))
        for path in collections where !FilePaths.exists(path) && !offersNew {
            throw CommandFailure(.usage, Self.complaint(about: path))
        }
        return await context.explore(look.launch(collections))
    }

    /// A word that is neither a file nor a command is more likely a slip than a path.
    static func complaint(about path: String) -> String {
        let commands = Turnstone.configuration.subcommands.compactMap { $0.configuration.commandName }
        if !path.contains("/"), !path.contains("."), let nearest = nearestName(to: path, in: commands) {
            return "There is no collection and no command named \(path). Did you mean: turnstone \(nearest)?"
        }
        return "There is no collection at \(path). It takes a YAML file or a directory; `turnstone demo` shows one."
    }
}

/// `turnstone demo`.
struct Demo: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Open the explorer on the demo collection, with the demo server started inside.",
        discussion: """
            --tour guides you through it in a minute: a redirect on which a token is dropped, a retry, a certificate that has expired, a
            body of 100 MB, and the latency lab. No key is locked: any other one than those that it names ends the tour.
            """)

    @Flag(help: "Show in a minute what Turnstone is for, key by key.")
    var tour = false

    @OptionGroup var look: ExplorerOptions

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        var launch = look.launch(isDemo: true)
        launch.isTour = tour
        return await context.explore(launch)
    }
}

/// What every way into the explorer takes.
struct ExplorerOptions: ParsableArguments {
    @Option(name: .customLong("env"), help: "The environment to start in.")
    var environment: String?

    @Option(help: "A theme by its name, such as dark, light or dracula, or the path of a theme file.")
    var theme: String?

    @Flag(help: "Answer requests that have a mock with that mock, without the network.")
    var mocks = false

    @Flag(help: "Don't keep the runs in the history, and don't show earlier ones.")
    var noHistory = false

    @Flag(help: "Keep the panes' sizes while you edit and send.")
    var still = false

    @Option(
        help: """
            Whether images are shown, by kitty's graphics protocol; auto does it in kitty and Ghostty alone, since other terminals that know it \
            (WezTerm, Konsole) may answer, which would be read as keys.
            """)
    var pictures = PictureMode.auto

    @Flag(help: "Allow everything that the collections want, until you quit.")
    var trust = false

    func launch(_ collections: [String] = [], isDemo: Bool = false) -> ExplorerLaunch {
        ExplorerLaunch(
            collections: collections, isDemo: isDemo, environment: environment, theme: theme, keepsHistory: !noHistory,
            usesMocks: mocks, trustsAll: trust, holdsStill: still, pictures: pictures)
    }
}

extension PictureMode: ExpressibleByArgument {}

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
                .usage,
                "There is no set of keys named \(SafeText.line(set ?? "")). It takes \(context.keySets.joined(separator: ", "))."
            )
        }
        try context.standardOutput.write(Data(keys.text.utf8))
        for problem in keys.problems { try context.standardError.write(Data("turnstone: \(SafeText.line(problem))\n".utf8)) }
        return keys.problems.isEmpty ? .success : .usage
    }
}

/// `turnstone demo-server`.
struct DemoServerCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Run the demo server on loopback until it is interrupted.",
        discussion: """
            It answers on 127.0.0.1 only. Its page at / lists everything it can do: echo, statuses, redirects, delays,
            large bodies, authentication, cookies, failures of many kinds. The next port is another origin with the same pages, and the
            six behind it have them by TLS: with a certificate that has expired, a good one, a self-signed one, one of another host, with
            TLS 1.2 at most, and for clients that have a certificate.

            Example:
              turnstone demo-server --port 8080
            """)

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port: UInt16 = 8080

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let server: DemoServer
        do {
            server = try await DemoServer(port: port)
        } catch {
            throw CommandFailure(.connection, "\(error)")
        }
        let (interrupts, interrupted) = AsyncStream<Void>.makeStream()
        let registration = context.onInterrupt { interrupted.finish() }
        try context.standardOutput.print(server.baseURL)
        for await _ in interrupts {}
        withExtendedLifetime(registration) {}
        await server.stop()
        return .success
    }
}
