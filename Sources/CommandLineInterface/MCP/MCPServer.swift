import ArgumentParser
import Base
import CollectionRunner
import History
import Presentation
import RequestCollections
import Synchronization

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
        guard choice.names.isEmpty else { throw CommandFailure(.usage, "There is no collection at \(choice.names[0]).") }
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

/// Performs what an ``MCPSession`` decides: writes its messages, and does the calls, side by side.
actor MCPServer {
    private let context: CommandLineContext
    private let collections: MCPCollections
    private var session: MCPSession
    private var calls: [Int: Task<Void, Never>] = [:]
    private var questions: [Int: CheckedContinuation<Bool, Never>] = [:]
    private(set) var failure: OutputFailure?

    init(_ collections: MCPCollections, _ context: CommandLineContext) {
        self.collections = collections
        self.context = context
        session = MCPSession(instructions: collections.instructions)
    }

    func receive(_ message: JSONRPC.Message) { perform(session.receive(message)) }

    /// Returns when what was under way is over.
    func close() async {
        let open = calls.values
        perform(session.close())
        for call in open { await call.value }
    }

    private func perform(_ effects: [MCPSession.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message):
                do throws(OutputFailure) {
                    try context.standardOutput.write(Data((message.text(pretty: false) + "\n").utf8))
                } catch {
                    failure = failure ?? error
                }
            case .start(let call, let tool, let arguments):
                calls[call] = Task {
                    let result = await result(of: tool, arguments, call)
                    calls[call] = nil
                    perform(session.finish(call, result))
                }
            case .cancel(let call): calls[call]?.cancel()
            case .answer(let question, let isApproved): questions.removeValue(forKey: question)?.resume(returning: isApproved)
            }
        }
    }

    private func result(of tool: MCPTool, _ arguments: JSONValue, _ call: Int) async -> MCPResult {
        do throws(MCPComplaint) {
            let arguments = try MCPArguments(arguments, of: tool)
            guard tool == .runRequests else { return try await collections.result(of: tool, arguments, context) }
            // Read once: what is sent is what was asked about, whatever has become of the files since.
            let choice = try collections.choice(arguments, context)
            if let question = try collections.question(before: choice, arguments, context) { try await ask(question, call) }
            return await collections.run(choice, arguments, context)
        } catch {
            return MCPResult(texts: [error.message], isError: true)
        }
    }

    /// - Throws: unless a person agrees.
    private func ask(_ question: String, _ call: Int) async throws(MCPComplaint) {
        guard let (number, effects) = session.ask(question, for: call) else {
            throw MCPComplaint(
                message:
                    "Nothing was sent. \(question) Your client can't ask its user that; who wants it without being asked starts "
                    + "turnstone mcp with --allow-writes.")
        }
        let isApproved = await withCheckedContinuation { continuation in
            questions[number] = continuation
            perform(effects)
        }
        guard isApproved else { throw MCPComplaint(message: "Nothing was sent: the user didn't agree.") }
    }
}

/// The collections that an agent works with, and the commands that it may use on them.
struct MCPCollections: Sendable {
    /// Absolute.
    let paths: [String]
    /// Whether requests that may change something on a server are sent without a question.
    let allowsWrites: Bool

    /// Methods that ask for nothing but an answer (RFC 9110, section 9.2.1, and QUERY).
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]
    /// Bytes of what one command prints; more would be no help to a model.
    private static let textLimit = 1 << 20

    var instructions: String {
        """
        Saved HTTP requests of \(paths.map { SafeText.line($0) }.joined(separator: ", ")). Begin with list_requests; run_requests sends \
        some and checks what they expect; list_runs and read_run show the responses. Secrets are masked everywhere. What a collection \
        wants of this machine has to be allowed by a person, with turnstone trust.
        """
    }

    /// - Throws: when it isn't clear what would be sent.
    func choice(_ arguments: MCPArguments, _ context: CommandLineContext) throws(MCPComplaint) -> CollectionChoice {
        do {
            return try CollectionChoice(paths + arguments.names, environment: context.environment)
        } catch {
            throw MCPComplaint(message: CommandFailure(error)?.message ?? "\(error)")
        }
    }

    func run(_ choice: CollectionChoice, _ arguments: MCPArguments, _ context: CommandLineContext) async -> MCPResult {
        let words = MCPTool.runRequests.words(arguments)
        return await perform(context) { context in
            do {
                guard let run = try Turnstone.parseAsRoot(words) as? Run else { return .usage }
                return try await run.run(choice, in: context)
            } catch {
                return CommandLineInterface.report(error, in: context)
            }
        }
    }

    /// What a person is asked before requests are sent; `nil`: nothing.
    ///
    /// - Throws: when one of those that would be asked about can't be sent at all: a person isn't asked in vain.
    func question(
        before choice: CollectionChoice, _ arguments: MCPArguments, _ context: CommandLineContext
    ) throws(MCPComplaint) -> String? {
        guard !allowsWrites else { return nil }
        let plan = RunPlan(
            choice.collections.map { $0.readingItems(by: .nothing).collection },
            RequestSelection(names: choice.names, tags: arguments.texts(.tags)),
            environment: arguments.text(.environment), variables: arguments.variables)
        let writes = plan.round.map(\.job).filter { !Self.safeMethods.contains($0.definition.method) }
        guard !writes.isEmpty else { return nil }
        let shown = try writes.prefix(10).map { job throws(MCPComplaint) in
            do {
                let resolved = try job.collection.resolve(
                    job.definition, environment: job.environment, variables: job.variables,
                    with: TemplateEnvironment(processEnvironment: context.environment, mode: .show))
                return SafeText.line("\(ShownRequest(resolved).lines[0]) (\(job.definition.id.rawValue))")
            } catch {
                throw MCPComplaint(message: "Nothing was sent: \(SafeText.line("\(error)"))")
            }
        }
        let rest = writes.count > shown.count ? ", and \(writes.count - shown.count) more" : ""
        return "Send \(shown.joined(separator: ", "))\(rest)? This may change something there."
    }

    func result(
        of tool: MCPTool, _ arguments: MCPArguments, _ context: CommandLineContext
    ) async throws(MCPComplaint) -> MCPResult {
        let words = tool.words(arguments)
        switch tool {
        case .listRequests, .checkCollection, .runRequests: return await run(words + ["--"] + paths + arguments.names, context)
        case .showRequest: return await run(words + ["--"] + paths + [arguments.text(.name) ?? ""], context)
        case .listRuns: return await listRuns(words, arguments.text(.request), context)
        case .readRun: return try await readRun(Int64(arguments.number(.run) ?? 0), arguments.number(.bytes) ?? 1 << 16, context)
        }
    }

    private func listRuns(_ words: [String], _ text: String?, _ context: CommandLineContext) async -> MCPResult {
        var all = MCPResult(texts: [])
        for path in paths {
            let result = await run(words + ["--collection=\(path)", "--"] + [text].compactMap(\.self), context)
            all.texts += result.texts
            all.isError = all.isError || result.isError
        }
        return all
    }

    /// Runs of other collections are none of an agent's business.
    private func readRun(_ id: Int64, _ bytes: Int, _ context: CommandLineContext) async throws(MCPComplaint) -> MCPResult {
        let collection: String
        do {
            collection = try context.run(id, of: try context.history()).run.collection
        } catch {
            throw MCPComplaint(message: CommandFailure(error)?.message ?? "\(error)")
        }
        guard paths.contains(collection) else { throw MCPComplaint(message: "Run \(id) is none of these collections'.") }
        var result = await run(["history", "show", "--", "\(id)"], context)
        guard !result.isError, bytes > 0 else { return result }
        result.texts += await run(["history", "body", "--", "\(id)"], context, limit: bytes).texts
        return result
    }

    /// What a command prints. Cancelling the task is to it what Ctrl-C is.
    private func run(_ words: [String], _ context: CommandLineContext, limit: Int = textLimit) async -> MCPResult {
        await perform(context, limit: limit) { await CommandLineInterface.main(words, in: $0) }
    }

    private func perform(
        _ context: CommandLineContext, limit: Int = textLimit, _ command: @Sendable (CommandLineContext) async -> ExitStatus
    ) async -> MCPResult {
        let output = KeptOutput(limit: limit)
        let errors = KeptOutput(limit: 1 << 16)
        let interruption = Interruption()
        var context = context
        context.standardInput = NoInput()
        context.standardOutput = output
        context.standardError = errors
        context.askSecret = { _ in nil }
        context.askLine = { _ in nil }
        context.onInterrupt = { handler in interruption.add(handler) }
        let status = await withTaskCancellationHandler { [context] in
            await command(context)
        } onCancel: {
            interruption.happen()
        }
        let texts = [output.text, errors.text].filter { !$0.isEmpty }
        return MCPResult(texts: texts.isEmpty ? ["(nothing)"] : texts, isError: status != .success && output.text.isEmpty)
    }
}

/// A command's output, for somebody who reads text.
private final class KeptOutput: ByteOutput {
    private let limit: Int
    private let state = Mutex<(kept: Data, count: Int)>((Data(), 0))

    init(limit: Int) { self.limit = limit }

    var isTerminal: Bool { false }
    var columns: Int? { 100 }

    func write(_ bytes: Data) throws(OutputFailure) {
        state.withLock { state in
            state.kept += bytes.prefix(limit - state.kept.count)
            state.count += bytes.count
        }
    }

    /// JSON is given without the spaces that only people need.
    var text: String {
        let (kept, count) = state.withLock { $0 }
        // What was cut may end within a character.
        let whole = count > kept.count ? kept.dropLast(kept.reversed().prefix { $0 & 0xC0 == 0x80 }.count + 1) : kept
        guard let text = String(validating: count > kept.count && kept.last.map { $0 < 0x80 } == true ? kept : whole, as: UTF8.self)
        else { return "(\(Figures.bytes(Int64(count))) that aren't text)" }
        if count > kept.count {
            return text + "\n(cut after \(Figures.bytes(Int64(kept.count))) of \(Figures.bytes(Int64(count))))"
        }
        return JSONParser.parse(text)?.text(pretty: false) ?? text
    }
}

private struct NoInput: ByteInput {
    var isTerminal: Bool { false }
    func read(atMost limit: Int) throws(InputFailure) -> Data { Data() }
}
