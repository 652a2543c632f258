import FoundationEssentials
import HTTPTypes
import Interchange
import NetworkLayer
import Presentation

/// One run of `send`: sends, hands the body on while it comes, and tells what happens beside it.
struct SendRun {
    private let arguments: SendArguments
    private let plan: SendPlan
    private let names: OutputNames
    private let writeOut: WriteOut?
    private let context: CommandLineContext

    /// - Throws: ``CommandFailure`` for what can't be meant, before anything is sent.
    init(_ arguments: SendArguments, in context: CommandLineContext) throws {
        self.arguments = arguments
        self.context = context
        plan = try SendPlan(arguments, reading: context.standardInput)
        names = OutputNames(arguments: arguments)
        try names.check(plan.request.url)
        writeOut = try arguments.writeOut.map { try WriteOut($0, reading: InputFiles(standardInput: context.standardInput)) }
        for (option, modes, file) in [
            ("response-body", arguments.bodyModes, arguments.bodyTarget),
            ("response-headers", arguments.headersModes, arguments.headersTarget),
        ] where modes?.contains(.file) == true && file == nil {
            throw CommandFailure(status: .usage, message: "--\(option)-mode file needs --\(option)-file FILE.")
        }
    }

    func run() async throws -> ExitStatus {
        if !arguments.isSilent {
            for note in plan.notes { try context.standardError.print("turnstone: \(note)") }
        }
        var configuration = plan.configuration
        let jars = try cookieJars()
        let output = try makeOutput()
        if !handsBodyOn { configuration.consumption = .none }
        let queue = try RequestOperationQueue(
            identifier: "turnstone.send", client: context.client(cookies: jars, cache: cache))
        let operation = RequestOperation(plan.request, configuration: configuration, priority: plan.priority)
        let interrupts = context.onInterrupt { operation.cancel("Ctrl-C") }
        defer { withExtendedLifetime(interrupts) {} }
        queue.enqueue(operation)

        let telling = Task { try await tell(operation, output) }
        do {
            let delivery = try await deliver(operation, to: output)
            try await telling.value
            let response = await operation.response
            if let path = arguments.cookieJar {
                let text = jars[configuration.cookies.jar].netscape
                try OutputFile.write(Data(text.utf8), to: path, isPrivate: true, in: context)
            }
            return try finish(response, delivery)
        } catch {
            operation.cancel("the output could not be written")
            telling.cancel()
            throw error
        }
    }

    /// Only for who has named a policy.
    private var cache: ResponseCache? {
        guard plan.usesCache else { return nil }
        return UserFiles(context.environment).answers.map { ResponseCache(directory: $0) }
    }

    /// In memory, filled from the files of `-b`. One that isn't there yet is an empty one, so that `-b jar -c jar` works from the start.
    private func cookieJars() throws -> CookieJars {
        let jars = CookieJars()
        for path in arguments.cookieFiles where FilePaths.exists(path) {
            let text = try InputFiles(standardInput: context.standardInput).text(path)
            jars.edit(plan.configuration.cookies.jar) { jar in
                for cookie in CookieJar(netscape: text, at: Date()).cookies { jar.set(cookie) }
                // curl takes the fields of an answer, too: here they are this origin's.
                jar.receive(Self.setCookieFields(text), from: plan.request.url, at: Date())
            }
        }
        return jars
    }

    private static func setCookieFields(_ text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard fields.count < HTTPFields.limit else { break }
            guard parts.count == 2, parts[0].lowercased() == "set-cookie" else { continue }
            fields.append(HTTPField(name: .setCookie, value: String(parts[1].drop { $0 == " " })))
        }
        return fields
    }

    /// `--events` takes standard output, and a body that nobody wants isn't handed on.
    private var handsBodyOn: Bool {
        if plan.configuration.consumption == .none { return false }
        return arguments.events == nil || arguments.output != nil || arguments.usesRemoteName || arguments.bodyModes != nil
    }

    // MARK: While it happens

    /// Everything but the body.
    private func tell(_ operation: RequestOperation, _ output: SendOutput) async throws {
        var transcript = SendTranscript(reveals: arguments.reveals)
        var json = EventJSON(reveals: arguments.reveals)
        var progress = progressLine
        let followsEvents = output.followsEvents
        guard arguments.events != nil || arguments.isVerbose || progress != nil || followsEvents else { return }
        let talk = Talk(context)
        let redactor = Redactor(arguments.reveals ? [] : arguments.secrets)
        for await event in operation.events {
            if followsEvents { try output.follow(operation) }
            let event = redactor.event(event)
            if arguments.events != nil { try context.standardOutput.print(json.line(event)) }
            if arguments.isVerbose {
                try talk.say(transcript.lines(for: event))
                if case .attemptEnded = event.kind {
                    var figures = EventJSON()
                    try context.standardError.print("* figures \(figures.line(event))")
                }
            }
            if let text = progress?.text(for: event) { try context.standardError.write(Data(text.utf8)) }
        }
    }

    /// `nil` where it would be in the way of the body, or of what `-v` tells.
    private var progressLine: ProgressLine? {
        if arguments.isSilent || arguments.hidesProgress || arguments.isVerbose { return nil }
        let columns = context.standardError.columns ?? 80
        if arguments.showsProgress { return ProgressLine(columns: columns, patience: .zero) }
        let goesToTerminal = context.standardOutput.isTerminal && arguments.output == nil && !arguments.usesRemoteName
        return context.standardError.isTerminal && !goesToTerminal ? ProgressLine(columns: columns) : nil
    }

    /// What was written where.
    private struct Delivery {
        var fileName: String?
        /// For `--har`; `nil` when it was too long to keep.
        var body: Data?
        /// With `-C`, when the answer isn't the rest of the file.
        var unfit: Continuation.Verdict?
        /// With `-z`, when a whole answer hasn't changed as it was to.
        var isUnwanted = false
    }

    /// Bytes of a body that `--har` keeps; a longer one is left out of the file.
    private static let longestKept = 8 << 20

    private func deliver(_ operation: RequestOperation, to output: SendOutput) async throws -> Delivery {
        var delivery = Delivery()
        if handsBodyOn {
            delivery.body = arguments.har == nil ? nil : Data()
            do {
                for try await chunk in operation.body {
                    delivery.unfit = unfit(operation.metrics.attempts.last?.head)
                    delivery.isUnwanted = delivery.isUnwanted || isUnwanted(operation.metrics.attempts.last?.head)
                    if delivery.unfit != nil || delivery.isUnwanted {
                        operation.cancel("nothing of it is wanted")
                        break
                    }
                    delivery.body?.append(chunk)
                    if let count = delivery.body?.count, count > Self.longestKept { delivery.body = nil }
                    // With -I the head is all that is wanted, whatever the method.
                    if arguments.head || refusesBody(operation.metrics.attempts.last?.head) { continue }
                    try output.write(chunk, of: operation)
                }
            } catch is NetworkError {
                // The response carries it, and `finish` says it once.
            }
        }
        let response = await operation.response
        delivery.unfit = delivery.unfit ?? unfit(response.info?.head)
        // Without an answer there is nothing to make a file of.
        let makesFile =
            (arguments.events == nil || handsBodyOn) && delivery.unfit == nil && response.info != nil && response.error == nil
            && (!refusesBody(response.info?.head) && !isUnwanted(response.info?.head) || includesHeads)
        delivery.fileName = try output.finish(operation, makesFile: makesFile)
        return delivery
    }

    private var includesHeads: Bool { arguments.includesHead || arguments.head }

    private func makeOutput() throws -> SendOutput {
        try SendOutput(
            dump: arguments.dumpHeader, includesHeads: includesHeads && (arguments.events == nil || handsBodyOn),
            isLive: arguments.bodyModes.map { $0 == [.print] } ?? (names.file(for: plan.request.url, nil) == nil),
            standardOutput: context.standardOutput, files: destinations)
    }

    /// `nil` is standard output.
    @Sendable private func destinations(_ head: ResponseHead?) throws -> [OutputFile?] {
        guard let modes = arguments.bodyModes else {
            var file = names.file(for: plan.request.url, head)
            if plan.continuation != nil { file?.existing = .continued }
            if arguments.createsDirectories, let slash = file?.path.unicodeScalars.lastIndex(of: "/") {
                try FilePaths.makeDirectory(String(file!.path[..<slash]))
            }
            return [file]
        }
        var files: [OutputFile?] = []
        if modes.contains(.file), let path = arguments.bodyTarget { files.append(OutputFile(path: path, existing: .kept)) }
        if modes.contains(.print) { files.append(nil) }
        return files
    }

    private func refusesBody(_ head: ResponseHead?) -> Bool {
        arguments.fails && !arguments.failsWithBody && (head?.status.code ?? 0) >= 400
    }

    /// What is as it was: a file that is there stays.
    private func isUnwanted(_ head: ResponseHead?) -> Bool {
        guard let head else { return false }
        if head.status == .notModified { return true }
        return head.status.kind == .successful && plan.timeCondition?.isMet(by: head, now: context.time.date) == false
    }

    /// What keeps an answer from being added to the file of `-C`.
    private func unfit(_ head: ResponseHead?) -> Continuation.Verdict? {
        guard let head, let verdict = plan.continuation?.verdict(on: head), verdict != .follows else { return nil }
        return verdict
    }

    // MARK: At the end

    private func finish(_ response: Response, _ delivery: Delivery) throws -> ExitStatus {
        try writeHeaders(of: response)
        if let directory = arguments.certificateDirectory {
            let written = try CertificateDump(response.metrics).write(to: directory)
            if arguments.isVerbose { for line in written { try context.standardError.print("* \(SafeText.line(line))") } }
        }
        if let path = arguments.har {
            let document = HARDocument(
                [.init(response.metrics, body: delivery.body)], creator: .init(name: "turnstone", version: Version.text),
                masking: arguments.reveals ? .none : .presentation(Redactor(arguments.secrets)))
            try OutputFile.write(document.json(), to: path, in: context)
        }
        if arguments.timing {
            let waterfall = Waterfall(response.metrics, now: context.time.now)
            try Talk(context).say(waterfall.lines(width: context.standardError.columns ?? 100))
        }
        let (status, complaint) = verdict(response, delivery)
        if let complaint, !arguments.isSilent || arguments.showsErrors {
            try context.standardError.print("turnstone: \(complaint)")
        }
        if let writeOut {
            let values = WriteOutValues(
                response, url: arguments.url ?? "", fileName: delivery.fileName, status: status, complaint: complaint)
            let (output, errors) = writeOut.text(values)
            if !output.isEmpty { try context.standardOutput.write(Data(output.utf8)) }
            if !errors.isEmpty { try context.standardError.write(Data(errors.utf8)) }
        }
        return status
    }

    private func writeHeaders(of response: Response) throws {
        guard let modes = arguments.headersModes else { return }
        let json = try HeaderDump.json(response)
        if modes.contains(.file), let path = arguments.headersTarget {
            try OutputFile(path: path, existing: .kept).open().output.write(json)
        }
        if modes.contains(.print) { try context.standardOutput.write(json) }
    }

    private func verdict(_ response: Response, _ delivery: Delivery) -> (ExitStatus, complaint: String?) {
        if delivery.unfit == .isWhole || delivery.isUnwanted { return (.success, nil) }
        // What isn't wanted was cancelled.
        if let error = response.error, delivery.unfit == nil, !delivery.isUnwanted {
            return (ExitStatus(error), Redactor(arguments.secrets).text(error.message))
        }
        let head = response.info?.head ?? response.metrics.attempts.last?.head
        if arguments.fails || arguments.failsWithBody, let status = head?.status, status.code >= 400 {
            return (.expectationFailed, "the server answered \(StatusText.text(status))")
        }
        if case .unusable(let reason) = delivery.unfit { return (.protocolBroken, "-C: \(reason)") }
        return (.success, nil)
    }
}
