import Base
import HTTPTypes
import Interchange
import NetworkLayer
import Presentation
import RequestCollections
import WebSockets

/// One run of `send`: sends, hands the body on while it comes, and tells what happens beside it.
struct SendRun {
    let arguments: SendArguments
    let plan: SendPlan
    let names: OutputNames
    private let writeOut: WriteOut?
    let session: SendSession
    private let strictHosts: StrictHosts?
    let context: CommandLineContext

    /// - Throws: ``CommandFailure`` for what can't be meant, before anything is sent.
    init(_ arguments: SendArguments, _ session: SendSession, in context: CommandLineContext) throws {
        self.arguments = arguments
        self.session = session
        self.context = context
        let files = InputFiles(standardInput: context.standardInput)
        strictHosts = try arguments.hsts.map { try session.strictHosts($0, reading: files) }
        plan = try SendPlan(arguments, strictHosts, reading: context.standardInput)
        names = OutputNames(arguments: arguments, spelling: plan.configuration.transport.wire.spelling)
        try names.check(plan.request.url)
        writeOut = try arguments.writeOut.map { try WriteOut($0, reading: files) }
        for (option, modes, file) in [
            ("response-body", arguments.bodyModes, arguments.bodyTarget),
            ("response-headers", arguments.headersModes, arguments.headersTarget),
        ] where modes?.contains(.file) == true && file == nil {
            throw CommandFailure(.usage, "--\(option)-mode file needs --\(option)-file FILE.")
        }
    }

    func run() async throws -> ExitStatus {
        if arguments.skipsExisting, let file = names.file(for: plan.request.url, nil), FilePaths.exists(file.path) {
            if !arguments.isSilent { try context.note("\(file.path) is there already.") }
            return .success
        }
        if !arguments.isSilent {
            for note in plan.notes { try context.note(note) }
        }
        try readCookies()
        if arguments.isOffline {
            try printRequest()
            return .success
        }
        let start = context.time.now
        var retries = 0
        while true {
            let (response, delivery) = try await send(after: retries)
            retries += response.metrics.retryCount
            guard let delay = delayBeforeStartingAnew(response, delivery, after: retries, since: start) else {
                return try finish(response, delivery)
            }
            // What came is no part of what comes.
            if let file = delivery.fileName { _ = try FileOutput(path: file) }
            guard await context.pause(delay) else { return .cancelled }
            retries += 1
        }
    }

    /// With `--retry-all-errors` a body that broke off is asked for anew where its rest can't be, which the operation doesn't do once
    /// some of it is on its way.
    private func delayBeforeStartingAnew(
        _ response: Response, _ delivery: Delivery, after retries: Int, since start: MonotonicTime
    ) -> Duration? {
        guard let rules = plan.retry, plan.session == nil, arguments.retriesAllErrors, retries + 1 < rules.attempts,
            delivery.hasBegun,
            delivery.unfit == nil, plan.continuation == nil, plan.request.body.isReplayable, !delivery.isUndecodable,
            let error = response.error, ExitStatus(error) != .cancelled
        else { return nil }
        let delay = rules.backoff.delay(before: retries + 1, random: .random(in: 0..<1))
        if let limit = rules.maxTime, context.time.now + delay - start > limit { return nil }
        return delay
    }

    /// - Parameter retries: how many there were before.
    private func send(after retries: Int) async throws -> (Response, Delivery) {
        var configuration = plan.configuration
        if var rules = plan.retry {
            rules.attempts -= retries
            configuration.retry = [rules]
        }
        let output = try makeOutput()
        if !handsBodyOn { configuration.consumption = .none }
        var request = plan.request
        let socket = plan.session.map { WebSocket($0, target: arguments.url ?? "", time: context.time) }
        if let socket {
            request = socket.prepared(request)
            socket.prepare(&configuration)
        }
        let queue = try session.queue(cache: cache, in: context)
        let operation = RequestOperation(
            request, configuration: configuration,
            delegate: RequestDelegate(redirects: strictHosts, challenges: plan.credentials),
            priority: plan.priority)
        let interruption = Interruption()
        let interrupts = context.onInterrupt {
            operation.cancel("Ctrl-C")
            interruption.happen()
        }
        defer { withExtendedLifetime(interrupts) {} }
        queue.enqueue(operation)
        socket?.follow(operation)

        let telling = Task { try await tell(operation, output) }
        do {
            let delivery =
                if let socket { try await converse(over: socket, operation, output) } else {
                    try await deliver(operation, to: output, unless: interruption)
                }
            try await telling.value
            let response = await operation.response
            if let path = arguments.cookieJar {
                let text = session.jars[configuration.cookies.jar].netscape
                try OutputFile.write(Data(text.utf8), to: path, isPrivate: true, in: context)
            }
            if let path = arguments.hsts, let strictHosts {
                strictHosts.receive(response.metrics, at: context.time.date)
                if !path.isEmpty { try OutputFile.write(Data(strictHosts.text.utf8), to: path, in: context) }
            }
            return (response, delivery)
        } catch {
            operation.cancel("the output could not be written")
            telling.cancel()
            throw error
        }
    }

    /// Only when the user has named a policy.
    private var cache: ResponseCache? {
        guard plan.usesCache else { return nil }
        return UserDirectories(context.environment).answers.map { ResponseCache(directory: $0) }
    }

    /// `--events` takes standard output, and a body that nobody wants isn't handed on.
    private var handsBodyOn: Bool {
        if plan.configuration.consumption == .none { return false }
        return arguments.events == nil || arguments.output != nil || arguments.usesRemoteName || arguments.bodyModes != nil
    }

    func cookies(of jar: CookieConfiguration.Jar) -> CookieJar { session.jars[jar] }

    /// Masks given secrets, and credentials by their place or name, wherever a server sends them back.
    var redactor: Redactor { Redactor(Redaction.standard.credentials(of: plan.request).union(arguments.secrets)) }

    /// The same, and the cookies of a session that went out in these heads.
    private func redactor(afterSending heads: [String]) -> Redactor {
        redactor.union(Redactor(heads.flatMap { Redaction.standard.sessions(inSentHead: $0) }))
    }

    // MARK: While it happens

    /// Everything but the body.
    private func tell(_ operation: RequestOperation, _ output: SendOutput) async throws {
        var transcript = SendTranscript(reveals: arguments.reveals)
        var json = EventJSON(reveals: arguments.reveals)
        var progress = progressLine
        let followsEvents = output.followsEvents
        guard arguments.events != nil || arguments.isVerbose || progress != nil || followsEvents else { return }
        let printer = LinePrinter(context)
        var redactor = arguments.reveals ? Redactor() : self.redactor
        for await event in operation.events {
            if followsEvents { try output.follow(operation) }
            if case .requestHeadSent(let head) = event.kind, !arguments.reveals {
                redactor = redactor.union(self.redactor(afterSending: [head]))
            }
            let event = redactor.event(event)
            if arguments.events != nil { try context.standardOutput.print(json.line(event)) }
            if arguments.isVerbose { try printer.print(transcript.lines(for: event)) }
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
        /// Whether some of it is out.
        var hasBegun = false
        /// With `--compressed`, when nothing here can decode it.
        var isUndecodable = false
        /// Whether somebody said that it is too much.
        var isRefused = false
        /// With `-I`, when the rest of the answer was left out.
        var isHeadAlone = false
        /// With `-z`, when a whole answer hasn't changed as it was to.
        var isUnwanted = false
        /// Why there was no session, or why it didn't end as it should.
        var sessionError: NetworkError?
    }

    private func converse(over socket: WebSocket, _ operation: RequestOperation, _ output: SendOutput) async throws -> Delivery {
        var delivery = Delivery()
        delivery.sessionError = try await converse(over: socket, operation, handsBodyOn ? output : nil)
        delivery.fileName = try output.finish(operation, makesFile: handsBodyOn && operation.metrics.attempts.last?.head != nil)
        return delivery
    }

    /// Bytes of a body that `--har` keeps; a longer one is left out of the file.
    private static let longestKept = 8 << 20

    private func deliver(
        _ operation: RequestOperation, to output: SendOutput, unless interruption: Interruption
    ) async throws -> Delivery {
        var delivery = Delivery()
        var question = lengthQuestion
        if handsBodyOn, arguments.head, plan.request.method != .head, (try? await operation.head) != nil {
            // The answer to another method has a body, which may never end.
            delivery.isHeadAlone = true
            operation.cancel("the head is all that is wanted")
        }
        if handsBodyOn {
            delivery.body = arguments.har == nil ? nil : Data()
            do {
                for try await chunk in operation.body {
                    delivery.unfit = unfit(operation.metrics.attempts.last?.head)
                    delivery.isUndecodable = unknownCoding(operation.metrics.attempts.last?.head) != nil
                    delivery.isUnwanted = delivery.isUnwanted || isUnwanted(operation.metrics.attempts.last?.head)
                    if delivery.unfit != nil || delivery.isUnwanted || delivery.isUndecodable {
                        operation.cancel("nothing of it is wanted")
                        break
                    }
                    delivery.body?.append(chunk)
                    if let count = delivery.body?.count, count > Self.longestKept { delivery.body = nil }
                    if arguments.head || refusesBody(operation.metrics.attempts.last?.head) { continue }
                    if let text = question?.text(adding: chunk.count, of: operation.metrics.attempts.last?.head) {
                        question = nil
                        let answer = await confirms(text, of: operation, unless: interruption)
                        delivery.isRefused = answer == false
                        guard answer == true else {
                            operation.cancel("it is too long")
                            break
                        }
                    }
                    delivery.hasBegun = true
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
            (arguments.events == nil || handsBodyOn) && delivery.unfit == nil && !delivery.isUndecodable && response.info != nil
            && (response.error == nil || delivery.isHeadAlone)
            && (!refusesBody(response.info?.head) && !isUnwanted(response.info?.head) || includesHeads)
        delivery.fileName = try output.finish(operation, makesFile: makesFile)
        return delivery
    }

    private var includesHeads: Bool { arguments.includesHead || arguments.head }

    private func makeOutput() throws -> SendOutput {
        try SendOutput(
            dump: try dump, includesHeads: includesHeads && (arguments.events == nil || handsBodyOn),
            isLive: arguments.bodyModes.map { $0 == [.print] } ?? (names.file(for: plan.request.url, nil) == nil),
            standardOutput: context.standardOutput, files: destinations)
    }

    private var dump: (any ByteOutput)? {
        get throws { try arguments.dumpHeader.map { ShownOutput(try $0 == "-" ? context.standardOutput : session.dump($0)) } }
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

    /// What of a `Content-Encoding` can't be decoded, with `--compressed`.
    private func unknownCoding(_ head: ResponseHead?) -> String? {
        guard arguments.compressed, !arguments.wire.isRaw, let head else { return nil }
        let known = context.transport.contentCodings + ["identity", "none", "x-gzip"]
        return head.headers[values: .contentEncoding].flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }
            .first { !known.contains($0.lowercased()) }.map(String.init)
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
            let (exchanges, secrets) = session.add(
                .init(response.metrics, body: delivery.body),
                hiding: redactor(afterSending: response.metrics.attempts.compactMap(\.sentHead)))
            let document = HARDocument(
                exchanges, creator: .init(name: "turnstone", version: Version.text),
                masking: arguments.reveals ? .none : .presentation(secrets))
            try OutputFile.write(document.json(), to: path, in: context)
        }
        if arguments.timing {
            let waterfall = Waterfall(response.metrics, now: context.time.now)
            try LinePrinter(context).print(waterfall.lines(width: context.standardError.columns ?? 100))
        }
        let (status, complaint) = verdict(response, delivery)
        try finishFiles(response.info?.head, delivery, status)
        if let complaint, !arguments.isSilent || arguments.showsErrors {
            try context.note(complaint)
        }
        if let writeOut {
            let values = WriteOutValues(
                response, url: arguments.url ?? "", number: arguments.number, fileName: delivery.fileName, status: status,
                complaint: complaint, spelling: plan.configuration.transport.wire.spelling)
            try writeOut.write(values, in: context)
        }
        return status
    }

    /// `-R`, `--remove-on-error`, `--etag-save`.
    private func finishFiles(_ head: ResponseHead?, _ delivery: Delivery, _ status: ExitStatus) throws {
        if let file = delivery.fileName {
            if status != .success, arguments.removesOnError {
                FilePaths.removeFile(file)
            } else if status == .success, arguments.keepsRemoteTime, let text = head?.headers[.lastModified],
                let date = HTTPDate.parse(text, now: context.time.date)
            {
                FilePaths.setModificationDate(date, of: file)
            }
        }
        if let path = arguments.etagSave, let tag = head?.headers[.eTag] {
            try OutputFile.write(Data("\(tag)\n".utf8), to: path, in: context)
        }
    }

    private func writeHeaders(of response: Response) throws {
        guard let modes = arguments.headersModes else { return }
        let json = try HeaderDump.json(response)
        if modes.contains(.file), let path = arguments.headersTarget {
            try OutputFile(path: path, existing: .kept).open().output.write(json)
        }
        if modes.contains(.print) { try context.standardOutput.show(json) }
    }

    private func verdict(_ response: Response, _ delivery: Delivery) -> (ExitStatus, complaint: String?) {
        if delivery.unfit == .isWhole || delivery.isUnwanted { return (.success, nil) }
        if delivery.isRefused {
            let place = delivery.fileName.map { "\(SafeText.line($0)) has what came until then" } ?? "nothing was written"
            return (.cancelled, "the rest of the body was refused; \(place).")
        }
        if delivery.isUndecodable, let coding = unknownCoding(response.info?.head ?? response.metrics.attempts.last?.head) {
            return (
                .protocolBroken,
                "nothing here can decode the Content-Encoding \(SafeText.line(coding)). Without --compressed the body comes as it is."
            )
        }
        if let error = delivery.sessionError { return (ExitStatus(error), redactor.text(error.message)) }
        // What isn't wanted was cancelled.
        if let error = response.error, delivery.unfit == nil, !delivery.isUnwanted, !delivery.isHeadAlone {
            let sentence = redactor.text(error.message)
            return (ExitStatus(error), error.isBodyTooLong ? "\(sentence) That is --max-filesize." : sentence)
        }
        let head = response.info?.head ?? response.metrics.attempts.last?.head
        if arguments.fails || arguments.failsWithBody, let status = head?.status, status.code >= 400 {
            return (.expectationFailed, "the server answered \(StatusText.text(status))")
        }
        if case .unusable(let reason) = delivery.unfit { return (.protocolBroken, "-C: \(reason)") }
        return (.success, nil)
    }
}
