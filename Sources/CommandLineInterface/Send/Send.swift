import ArgumentParser
import NetworkLayer
import RequestCollections
import Synchronization

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
        var groups = try SendOptionParser.groups(
            words, reading: InputFiles(standardInput: context.standardInput), environment: context.environment)
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
        guard let last = groups.last else { return .usage }
        // They are about the program, wherever they stand.
        for index in groups.indices { (groups[index].trace, groups[index].tracesTime) = (last.trace, last.tracesTime) }
        if let path = last.trace?.path, !path.begins(with: "/dev/") { _ = try FileOutput(path: path, isPrivate: true) }
        let session = try SendSession(jars: jars(of: groups, in: context))
        return try await run(SendTransfers(groups), session, last, in: context)
    }

    /// The jars of cookies, which stay in memory unless they have a name.
    private static func jars(of groups: [SendArguments], in context: CommandLineContext) throws -> CookieJars {
        guard groups.contains(where: { $0.jar != nil }) else { return CookieJars() }
        // What came from a file of one request would else be kept in the jar of all who name none.
        if let other = groups.first(where: \.keepsCookies) {
            throw CommandFailure(
                .usage, "--jar and \(other.cookieJar == nil ? "-b FILE" : "-c") exclude one another: leave one of them out.")
        }
        guard let directory = UserDirectories(context.environment).cookies else {
            throw CommandFailure(.file, "--jar has no place to keep cookies in: set HOME or XDG_STATE_HOME.")
        }
        return CookieJars(directory: directory)
    }

    /// - Returns: the status of the last one; of several at once that of the last one that failed.
    private static func run(
        _ transfers: SendTransfers, _ session: SendSession, _ options: SendArguments, in context: CommandLineContext
    ) async throws -> ExitStatus {
        defer { context.save(session.jars) }
        let questions = AnsweredQuestions(context)
        if options.isParallel, transfers.count > 1 {
            return await runTogether(transfers, session, options, questions, in: context)
        }
        var status = ExitStatus.success
        var start: MonotonicTime?
        for transfer in transfers {
            if let interval = options.rate, let start {
                let rest = start + interval - context.time.now
                if rest > .zero, await !context.pause(rest) { return .cancelled }
            }
            start = context.time.now
            status = await outcome(of: transfer, session, questions, in: context)
            // What can't be meant won't be with the next URL.
            if status == .usage || status == .cancelled || options.endsAtFailure && status != .success { break }
        }
        return status
    }

    private static func outcome(
        of transfer: SendArguments, _ session: SendSession, _ questions: AnsweredQuestions, in context: CommandLineContext
    ) async -> ExitStatus {
        var transfer = transfer
        do {
            try transfer.loadStoredCredentials(home: context.environment["HOME"])
            try transfer.completePasswords(questions.answer)
            return try await SendRun(transfer, session, in: context).run()
        } catch {
            return CommandLineInterface.report(error, in: context)
        }
    }

    /// Runs this many transfers at a time, and begins them in order.
    private static func runTogether(
        _ transfers: SendTransfers, _ session: SendSession, _ options: SendArguments, _ questions: AnsweredQuestions,
        in context: CommandLineContext
    ) async -> ExitStatus {
        let limit = min(300, options.parallelLimit.flatMap { $0 > 0 ? $0 : nil } ?? 50)
        return await withTaskGroup(of: (index: Int, status: ExitStatus).self) { group in
            var failures: [Int: ExitStatus] = [:]
            var rest = transfers.makeIterator()
            var begun = 0
            var ends = false
            func begin(_ group: inout TaskGroup<(index: Int, status: ExitStatus)>) {
                guard !ends, var transfer = rest.next() else { return }
                // Their lines would be written over one another.
                transfer.hidesProgress = true
                let index = begun
                begun += 1
                group.addTask { [transfer] in (index, await outcome(of: transfer, session, questions, in: context)) }
            }
            for _ in 0..<limit { begin(&group) }
            while let (index, status) = await group.next() {
                if status != .success { failures[index] = status }
                if status == .usage || status == .cancelled || options.endsAtFailure && status != .success { ends = true }
                begin(&group)
            }
            return failures.max { $0.key < $1.key }?.value ?? .success
        }
    }
}

/// Remembers answers, so that nobody is asked the same question twice.
private final class AnsweredQuestions: Sendable {
    private let context: CommandLineContext
    private let answers = Mutex<[String: String?]>([:])

    init(_ context: CommandLineContext) {
        self.context = context
    }

    /// Two never ask at once.
    func answer(_ question: String) throws -> String? {
        try answers.withLock { answers in
            if let answer = answers[question] { return answer }
            let answer = try context.askSecret(question)
            answers[question] = answer
            return answer
        }
    }
}

/// What `turnstone send --help` prints.
enum SendHelp {
    static let abstract = "Send one request, and print the body of its response."

    static let discussion = """
        The body goes to standard output, everything else to standard error. On a terminal, control characters in the body are shown \
        instead of obeyed; into a pipe or a file it goes as it is. Options have curl's names and meanings, and tnlcli's.

        With ws:// and wss://, each line of standard input is sent as a message, each message that comes is a line of standard output, and the \
        end of input closes the session.

        Examples:
          turnstone send http://127.0.0.1:8080/anything
          turnstone send -v -L http://127.0.0.1:8080/redirect/3
          turnstone send POST https://example.org/orders sku=A7 qty:=2 X-Trace:1 page==3
          turnstone send -F photo=@cat.png -F title=Cat https://example.org/photos
          turnstone send -sSfo page.html -w '%{http_code} %{time_total}\\n' https://example.org/
          turnstone send --timing --har trace.har -L https://example.org/
          printf 'one\\ntwo\\n' | turnstone send -i ws://127.0.0.1:8080/websocket/echo
          turnstone send --events jsonl http://127.0.0.1:8080/ | jq .event
        """

    /// What stands behind the URL, in HTTPie's notation.
    static let items: [(item: String, help: String)] = [
        ("sku=A7", "A member of a JSON body, as a text; a[b]=x and a[]=x for maps and lists in it."),
        ("qty:=2", "The same, as any JSON: a number, true, null, [1, 2]."),
        ("page==3", "A parameter of the URL."),
        ("X-Trace:1", "A header field. X-Trace: leaves a default out, X-Trace; sends it empty."),
        ("photo@cat.png", "A file. The body is then multipart/form-data, with the = members as parts."),
        ("note=@note.txt", "What is in a file, also as :=@, ==@ and :@. A backslash takes its meaning from a sign."),
    ]

    static let operands = "[METHOD] URL [ITEM ...]"

    static let exitStatuses = """
        0 done; 1 with --fail and a status of 400 or more, and for a WebSocket that isn't opened, or that the server closes with a \
        code other than 1000 and 1001; 2 usage; 20 timeout; 21 DNS or connection; 22 TLS; 23 authentication; \
        25 a file; 26 the server broke the protocol; 27 a secret would go where it may not; 130 cancelled.
        """

    /// - Parameter columns: of the terminal; lines are at most 100 long.
    static func text(columns: Int) -> String {
        let width = max(60, min(100, columns))
        var lines = ["OVERVIEW: \(abstract)", ""]
        lines += HelpOverview.lines(of: discussion, width: width)
        lines += ["", "USAGE: turnstone send [OPTIONS] \(operands)"]
        lines += ["", "ITEMS:"]
        for (item, help) in items {
            let help = HelpOverview.wrapped(help, width: width - 28)
            lines.append("      " + item + String(repeating: " ", count: 22 - item.count) + (help.first ?? ""))
            lines += help.dropFirst().map { String(repeating: " ", count: 28) + $0 }
        }
        for section in SendOption.sections {
            lines += ["", "\(section.title.uppercased()):"]
            for option in section.options {
                let indent = option.short == nil ? "      " : "  "
                let usage = indent + option.usage
                let help = HelpOverview.wrapped(option.help, width: width - 28)
                if usage.count <= 26 {
                    lines.append(usage + String(repeating: " ", count: 28 - usage.count) + (help.first ?? ""))
                    lines += help.dropFirst().map { String(repeating: " ", count: 28) + $0 }
                } else {
                    lines.append(usage)
                    lines += help.map { String(repeating: " ", count: 28) + $0 }
                }
            }
        }
        lines += ["", "EXIT STATUS:"] + HelpOverview.wrapped(exitStatuses, width: width - 2).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}
