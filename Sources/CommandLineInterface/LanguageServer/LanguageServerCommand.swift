import ArgumentParser
import CollectionRunner

/// `turnstone lsp`.
struct LanguageServerCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp", abstract: "Tell an editor what is wrong in collections while you type (Language Server Protocol).",
        discussion: """
            An editor starts it, and talks to it on standard input and output. It says what `turnstone check` says, of the text in the
            editor, before that is saved: mistakes, variables that nothing sets, requests that wait for each other, and words in
            expectations that may be meant otherwise. Nothing is sent, no command of a collection is run, and no secret is read.

            A YAML file belongs to a collection when a line of it begins with `turnstone:`, or when there is a `_collection.yaml` beside
            or above it. Others are left alone.

            In Neovim:
              vim.lsp.config("turnstone", { cmd = { "turnstone", "lsp" }, filetypes = { "yaml" } })
              vim.lsp.enable("turnstone")
            """)

    func run(in context: CommandLineContext) async throws -> ExitStatus {
        let server = LanguageServer(context.standardOutput, QuestionWorker(program: context.program))
        for try await message in MessageFraming.messages(of: context.standardInput, .headers) {
            await server.receive(message)
            if let ending = await server.ending { return try ending.get() }
        }
        return LanguageSession.brokenOff
    }
}
