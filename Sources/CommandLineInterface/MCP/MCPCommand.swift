import ArgumentParser
import Base
import RequestCollections

/// `turnstone mcp`.
struct MCPCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Let an agent list, check and send saved requests (Model Context Protocol).",
        discussion: """
            It speaks the Model Context Protocol on standard input and output until its input ends; a program for agents starts it. The
            agent can list, show, check and run the requests of these collections, and read their runs: no other file, and no other URL.

            Secrets are masked in all that it gets. What a collection wants of this machine has to be allowed before, with
            `turnstone trust`. Before a request is sent whose method is not GET, HEAD, OPTIONS, TRACE or QUERY, the agent's user is
            asked; a client that can't ask sends none of these.

            Examples:
              turnstone mcp                              the collection here
              turnstone mcp ~/shop/shop.yaml             a certain one
              turnstone mcp shop.yaml --allow-writes     also what changes something, without asking
              claude mcp add shop -- turnstone mcp ~/shop/shop.yaml
            """)

    @Argument(help: ArgumentHelp("Collections; without one, that which `turnstone run` takes.", valueName: "COLLECTION"))
    var words: [String] = []

    @Flag(help: "Send requests that may change something on a server without asking the agent's user.")
    var allowWrites = false

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let choice = try CollectionChoice(words, environment: context.environment)
        guard choice.names.isEmpty else {
            throw CommandFailure(status: .usage, message: "There is no collection at \(choice.names[0]).")
        }
        try choice.warn(in: context)
        let directory = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        let paths = choice.collections.map { URL(filePath: $0.path, relativeTo: directory).path }
        let server = MCPServer(MCPCollections(paths: paths, allowsWrites: allowWrites), context)
        for try await message in MessageFraming.messages(of: context.standardInput, .lines) { await server.receive(message) }
        await server.close()
        if let failure = await server.failure { throw failure }
        return .success
    }
}
