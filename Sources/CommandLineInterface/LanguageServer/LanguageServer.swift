import ArgumentParser
import Base
import CollectionRunner
import RequestCollections

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

/// Performs what a ``LanguageSession`` decides: writes its messages, and checks collections, one after the other. However fast somebody
/// types, at most one more check waits for each collection.
actor LanguageServer {
    private let output: any ByteOutput
    private let worker: QuestionWorker
    private var session = LanguageSession()
    /// Collections by path, in the order in which they changed.
    private var waiting: [String] = []
    private var isChecking = false
    /// How the editor has ended the conversation.
    private(set) var ending: Result<ExitStatus, OutputFailure>?

    init(_ output: any ByteOutput, _ worker: QuestionWorker) {
        self.output = output
        self.worker = worker
    }

    func receive(_ message: JSONRPC.Message) { perform(session.receive(message)) }

    private func perform(_ effects: [LanguageSession.Effect]) {
        for effect in effects where ending == nil {
            switch effect {
            case .send(let message):
                let text = message.text(pretty: false)
                do throws(OutputFailure) {
                    try output.write(Data("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
                } catch {
                    ending = .failure(error)
                }
            case .check(let document):
                let unsaved = session.documents.mapValues(\.text)
                // What belongs to no collection, or does so no more, is one in which nothing is found.
                let collection = Self.collection(of: document, unsaved) ?? document
                if !waiting.contains(collection) { waiting.append(collection) }
                if !isChecking {
                    isChecking = true
                    Task { await checkAll() }
                }
            case .exit(let status): ending = .success(status)
            }
        }
    }

    private func checkAll() async {
        while !waiting.isEmpty, ending == nil {
            let collection = waiting.removeFirst()
            let documents = session.documents
            let found = await Self.findings(in: collection, documents.mapValues(\.text), worker)
            perform(
                session.publish(found, in: collection, checked: documents) { path in
                    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
                })
        }
        isChecking = false
    }

    /// - Returns: by absolute path.
    nonisolated private static func findings(
        in collection: String, _ unsaved: [String: String], _ worker: QuestionWorker
    ) async -> [String: [CheckFindings.Finding]] {
        var isDirectory = false
        _ = FileManager.default.fileExists(atPath: collection, isDirectory: &isDirectory)
        guard isDirectory || isCollection(collection, unsaved),
            let choice = try? CollectionChoice(path: collection, unsaved: unsaved.mapValues { Array($0.utf8) })
        else { return [:] }
        let findings = await CollectionCheck(choice: choice).findings(with: worker).sorted
        return Dictionary(grouping: findings) { $0.path ?? (isDirectory ? "\(collection)/_collection.yaml" : collection) }
    }

    /// Which collection a file belongs to: one of a single file says so, any other lies below a `_collection.yaml`.
    private static func collection(of path: String, _ unsaved: [String: String]) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return nil }
        if name != "_collection.yaml", isCollection(path, unsaved) { return path }
        var directory = Substring(path)
        while let slash = directory.lastIndex(of: "/") {
            directory = directory[..<slash]
            let file = "\(directory)/_collection.yaml"
            if unsaved[file] != nil || FileManager.default.fileExists(atPath: file) { return String(directory) }
        }
        return nil
    }

    private static func isCollection(_ path: String, _ unsaved: [String: String]) -> Bool {
        let head =
            unsaved[path].map { Data($0.utf8.prefix(1 << 16)) } ?? FileManager.default.contents(atPath: path)?.prefix(1 << 16)
        return head.map(CollectionChoice.saysItIsOne) ?? false
    }
}
