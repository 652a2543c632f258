import CCurl
import Glibc
import NetworkLayer
import Synchronization

/// The I/O thread of a transport: takes commands from a mailbox, lets libcurl work, hands out what came of it.
///
/// Everything but `mailbox` and `threadID` is touched on that thread only, from ``run()`` and from the callbacks that
/// libcurl makes inside of it; this is why `@unchecked Sendable` is safe.
final class Loop: @unchecked Sendable {
    enum Command {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resume(CurlTransfer)
        case wakeUpload(CurlTransfer)
        case prioritize(CurlTransfer)
        case prune(PruneScope)
        case keep(ConnectionPool)
        case stop
        /// A piece of a task that prefers this thread.
        case job(UnownedJob, LoopExecutor)
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread is, or is about to be, in `curl_multi_poll`; only then a command has to wake it.
        var isAsleep = false
        var isStarted = false
        /// Whether the thread has ended, and libcurl's handle is gone.
        var isOver = false
    }

    private let mailbox = Mutex(Mailbox())
    private let threadID = Atomic<UInt>(0)

    private let multi: UnsafeMutableRawPointer
    private var active: [ObjectIdentifier: CurlTransfer] = [:]
    /// Those that wait for a descriptor, in their order. Only while others are under way, whose end lets the next one go.
    private var parked: [CurlTransfer] = []
    let descriptors: Descriptors
    private var withUnflushedBody: [CurlTransfer] = []
    private var withOverflow: [CurlTransfer] = []
    private var answeredEarly: [CurlTransfer] = []
    private var doubts: [Doubt] = []
    /// Whether a transfer has come to a connection that another one is on.
    private var isNewlyShared = false
    private var isStopping = false

    let connections = ConnectionTable()
    private(set) var pool: ConnectionPool
    /// Whether libcurl has set out for a connection, or taken one, in this pass.
    private var hasBegun = false
    /// The transfer whose handshake goes on under a TLS context.
    var handshakes: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    let proxies = ProxyEnvironment()
    let fieldNames = FieldNameCache()
    /// When libcurl was last called: what it finds done was done by then.
    private(set) var passStart = MonotonicTime.zero

    private let userAgent: String?

    /// How long nothing may come or go once an HTTP/2 answer of unknown length has begun before its request was sent: it may be over,
    /// and libcurl would neither say so nor go on.
    private let longestSilence: Duration

    /// Bytes of one body that are kept while nobody takes it.
    let keptBytes: Int64

    init(
        userAgent: String?, pool: ConnectionPool, descriptors: Descriptors = Descriptors(), longestSilence: Duration = .seconds(10),
        keptBytes: Int64 = 1 << 30
    ) {
        self.longestSilence = longestSilence
        self.keptBytes = keptBytes
        self.userAgent = userAgent
        self.pool = pool
        self.descriptors = descriptors
        _ = Self.library
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl could not be set up: out of memory") }
        self.multi = multi
        setConnectionLimit()
    }

    /// libcurl's own default shrinks with the number of transfers under way. Idle connections leave room for new ones.
    private func setConnectionLimit() {
        let free = descriptors.limit - descriptors.reserve - Int(Descriptors.lowestFree)
        turnstone_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, min(pool.limit, free / 2)))
    }

    /// libcurl's own set-up, once a process.
    private static let library: Void = {
        turnstone_curl_global_init()
    }()

    // MARK: Any thread

    func post(_ command: Command) {
        enum Need { case nothing, wakeUp, thread, elsewhere }
        let isOwnThread = threadID.load(ordering: .relaxed) == UInt(pthread_self())
        let need: Need = mailbox.withLock { mailbox in
            // Nobody would take it out any more, and what it holds holds the mailbox.
            if mailbox.isOver { return .elsewhere }
            mailbox.commands.append(command)
            if !mailbox.isStarted {
                // There is nothing yet that these could be about.
                switch command {
                case .stop, .prune, .keep: return .nothing
                case .start, .cancel, .resume, .wakeUpload, .prioritize, .job: break
                }
                mailbox.isStarted = true
                return .thread
            }
            if isOwnThread || !mailbox.isAsleep { return .nothing }
            mailbox.isAsleep = false
            return .wakeUp
        }
        switch need {
        case .nothing: break
        case .wakeUp: curl_multi_wakeup(multi)
        case .thread: startThread()
        case .elsewhere: command.runElsewhere()
        }
    }

    func stop() {
        post(.stop)
    }

    private func startThread() {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Loop>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        precondition(status == 0, "no thread for the transport: \(String(cString: strerror(status)))")
        pthread_detach(thread)
    }

    // MARK: The thread

    private func run() {
        threadID.store(UInt(pthread_self()), ordering: .relaxed)
        // Signals are for the program's own threads; a SIGPIPE would be this thread's.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while !isStopping {
            takeCommands(passes: 100)
            work()
            sleep()
        }
        cancelAll()
    }

    /// - Parameter passes: how often it looks again for what came of the commands before: tasks that run here might go on for ever.
    private func takeCommands(passes: Int) {
        for _ in 0..<passes {
            let commands = mailbox.withLock { mailbox in
                guard !mailbox.commands.isEmpty else { return [Command]() }
                defer { mailbox.commands.removeAll() }
                return mailbox.commands
            }
            guard !commands.isEmpty else { return }
            for command in commands { perform(command) }
        }
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .resume(let transfer): if isActive(transfer) { transfer.resumeOnLoop() }
        case .wakeUpload(let transfer): if isActive(transfer) { transfer.wakeUploadOnLoop() }
        case .prioritize(let transfer): if isActive(transfer) { transfer.prioritizeOnLoop() }
        case .prune(let scope): connections.prune(scope, pool)
        case .keep(let pool):
            self.pool = pool
            setConnectionLimit()
        case .stop: isStopping = true
        case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
    }

    /// libcurl moves its notion of now on when a transfer begins, and at the end of a pass drops all timers up to it, also those of
    /// transfers that had their turn before: what arrived for them by way of another one would lie there until something else happens
    /// (seen up to 8.17.0). So a pass in which a transfer has begun is followed by another one.
    private func work() {
        passStart = .now
        repeat {
            pass()
        } while !settleDoubts()
        endWhatIsAnswered()
    }

    private func pass() {
        var running: Int32 = 0
        repeat {
            hasBegun = false
            curl_multi_perform(multi, &running)
        } while hasBegun && active.count > 1
        flushBodies()
        for transfer in withOverflow { transfer.pauseForOverflow() }
        withOverflow = []
        if isNewlyShared {
            isNewlyShared = false
            for transfer in active.values { transfer.makeWay() }
        }
        readMessages()
    }

    private func sleep() {
        let goesToSleep = mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.commands.isEmpty && !isStopping
            return mailbox.isAsleep
        }
        guard goesToSleep else { return }
        // libcurl wakes by itself for its own timers.
        curl_multi_poll(multi, nil, 0, answeredEarly.isEmpty ? Int32.max : 50, nil)
        mailbox.withLock { $0.isAsleep = false }
    }

    private func readMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle else { continue }
            // Removing the handle frees the message.
            let code = message.pointee.data.result
            guard let handle = CurlEasyHandle.of(raw), let transfer = handle.transfer else { continue }
            if let way = transfer.connection.way, transfer.isDoubtful(after: code) {
                doubts.append(Doubt(transfer: transfer, way: way))
            } else {
                end(transfer, code: code)
            }
        }
    }

    // MARK: Answers that may be cut off

    /// An answer over HTTP/2 that libcurl takes for whole, where nothing else says so (see ``CurlBehaviour/takesBreachForEnd``).
    private struct Doubt {
        let transfer: CurlTransfer
        let way: ConnectionTable.Connection
        /// How many others were under way on the connection when one of them was asked to read on.
        var others: Int?
    }

    /// Ends what libcurl took for whole: a breach of HTTP/2 ends the connection, and with it all that are under way on it once they read
    /// on. So they are asked to, one after the other; when they go on, the connection lives.
    ///
    /// - Returns: whether nothing is in doubt any more; else libcurl has to work first.
    private func settleDoubts() -> Bool {
        guard !doubts.isEmpty else { return true }
        let doubtful = Set(doubts.map { ObjectIdentifier($0.transfer) })
        var asked: Set<ObjectIdentifier> = []
        var left: [Doubt] = []
        for var doubt in doubts {
            let others = active.values.filter { $0.connection.way === doubt.way && !doubtful.contains(ObjectIdentifier($0)) }
            let goOn = doubt.others.map { others.count >= $0 } ?? false
            guard doubt.way.isOpen, !goOn, let next = others.first(where: { !$0.isReceivingPaused }) else {
                end(doubt.transfer, code: doubt.transfer.isBrokenOff ? CURLE_HTTP2 : CURLE_OK)
                continue
            }
            if asked.insert(ObjectIdentifier(doubt.way)).inserted { next.lookAgain() }
            doubt.others = others.count
            left.append(doubt)
        }
        doubts = left
        return left.isEmpty
    }

    // MARK: Transfers

    private func isActive(_ transfer: CurlTransfer) -> Bool {
        active[ObjectIdentifier(transfer)] != nil
    }

    private func start(_ transfer: CurlTransfer) {
        if transfer.isCancelled { return transfer.finishUnstarted(.cancelled(in: .queue)) }
        // None overtakes another.
        if parked.isEmpty { launch(transfer) } else { parked.append(transfer) }
    }

    private func launch(_ transfer: CurlTransfer) {
        do throws(NetworkError) {
            let handle = try CurlEasyHandle(connections: connections, userAgent: userAgent)
            try transfer.prepare(handle)
            active[ObjectIdentifier(transfer)] = transfer
            let status = curl_multi_add_handle(multi, handle.raw)
            guard status == CURLM_OK else { throw NetworkError.libraryFailed(String(cString: curl_multi_strerror(status))) }
        } catch {
            active[ObjectIdentifier(transfer)] = nil
            transfer.letGoOfHandle()
            transfer.finishUnstarted(error)
        }
    }

    private func beginAnew(_ transfer: CurlTransfer) {
        withdraw(transfer)
        launch(transfer)
    }

    /// Takes a transfer that isn't over from libcurl, and makes it as it was at first.
    private func withdraw(_ transfer: CurlTransfer) {
        endHandshakes(of: transfer)
        if transfer.connection.hasOpenedSockets { connections.abandon(transfer) }
        if let handle = transfer.handle { curl_multi_remove_handle(multi, handle.raw) }
        transfer.letGoOfHandle()
        if let way = transfer.connection.way.take() { connections.release(way, pool) }
        transfer.beginAnew()
    }

    // MARK: Transfers that wait for a descriptor

    var mayPark: Bool { active.count > 1 }

    func hasRoomForLookup(from lowest: Int32) -> Bool {
        guard !descriptors.hasRoom(for: 64 * Descriptors.lookup, from: lowest) else { return true }
        // What those that are under way will still take.
        let others = active.values.count { $0.connection.isResolving }
        return descriptors.hasRoom(for: (others + 1) * Descriptors.lookup, from: lowest)
    }

    private func park(_ transfer: CurlTransfer) {
        transfer.restart = .shortage
        withdraw(transfer)
        active[ObjectIdentifier(transfer)] = nil
        parked.append(transfer)
    }

    private func launchParked() {
        while let next = parked.first {
            parked.removeFirst()
            launch(next)
            if isActive(next) { return }
        }
    }

    /// A server has said which stream is the last that it answers. The connection may be gone before libcurl asks whether the later
    /// ones may be sent again, so each transfer is told.
    func end(_ way: ConnectionTable.Connection, after stream: Int) {
        way.lastStream = stream
        for transfer in active.values where transfer.connection.way === way {
            if let own = transfer.connection.stream, own > stream { transfer.connection.isRefused = true }
        }
    }

    /// A server has ended an HTTP/2 connection with an error; one of its transfers has been told.
    func breakOff(_ way: ConnectionTable.Connection, with error: Int) {
        for transfer in active.values where transfer.connection.way === way { transfer.connection.goAway = error }
    }

    private func cancel(_ transfer: CurlTransfer) {
        if let index = parked.firstIndex(where: { $0 === transfer }) {
            parked.remove(at: index)
            transfer.finishUnstarted(.cancelled(in: .queue))
        }
        guard isActive(transfer) else { return }
        end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
    }

    /// Takes the transfer out, lets its handle go, and only then reports: what `receive` starts next finds the connection free.
    private func end(_ transfer: CurlTransfer, code: CURLcode) {
        if transfer.waitsForDescriptor(after: code) {
            park(transfer)
            if active.isEmpty { launchParked() }
            return
        }
        if transfer.beginsAnew(after: code) { return beginAnew(transfer) }
        transfer.flushBody()
        let result = transfer.conclude(code)
        let mayLeaveInput = result.error != nil && transfer.connection.info?.httpVersion == "HTTP/2"
        if let handle = transfer.handle {
            // Closes the connection of a transfer that isn't over (HTTP/2: resets the stream).
            curl_multi_remove_handle(multi, handle.raw)
            transfer.letGoOfHandle()
        }
        if let way = transfer.connection.way.take() {
            if mayLeaveInput { shareInput(of: way, without: transfer) }
            connections.release(way, pool)
        }
        if transfer.isCancelled || transfer.handOutOverflow() {
            // What was kept may not have been readable any more.
            finish(transfer, result.error == nil ? transfer.abortError.map { TransferResult(error: $0) } ?? result : result)
        } else {
            transfer.heldResult = result
        }
        launchParked()
    }

    func finish(_ transfer: CurlTransfer, _ result: TransferResult) {
        active[ObjectIdentifier(transfer)] = nil
        transfer.finish(result)
    }

    /// A stream ends before its time, and libcurl may have read more than it has looked at.
    private func shareInput(of way: ConnectionTable.Connection, without transfer: CurlTransfer) {
        guard CurlBehaviour.present.sharesInput else { return }
        if way.isShared {
            for other in active.values where other !== transfer && other.connection.way === way { other.lookAgain() }
        } else if transfer.isReceivingPaused {
            way.isDoomed = true
        }
    }

    func noteSharing() {
        isNewlyShared = true
    }

    func noteBeginning() {
        hasBegun = true
    }

    // MARK: Answers that come before the body has gone

    /// An HTTP/2 server has begun to answer before it has the whole body.
    func noteEarlyAnswer(_ transfer: CurlTransfer) {
        if CurlBehaviour.present.endangersEarlyAnswers { answeredEarly.append(transfer) }
    }

    /// Ends transfers whose answer is whole and of whose body nothing more goes out: the server doesn't want it, and libcurl would wait
    /// for ever for a window (see ``CurlBehaviour/endangersEarlyAnswers``).
    private func endWhatIsAnswered() {
        guard !answeredEarly.isEmpty else { return }
        answeredEarly.removeAll { !isActive($0) || $0.upload.isSent }
        let now = MonotonicTime.now
        for transfer in answeredEarly {
            let silence = now - transfer.upload.lastProgress
            if transfer.isAnswerWhole {
                if silence >= .milliseconds(200) { end(transfer, code: CURLE_OK) }
            } else if silence >= longestSilence, !transfer.isReceivingPaused, !transfer.isSendingPaused {
                transfer.abort(.answeredBeforeBody(by: transfer.target.text))
                end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
            }
        }
    }

    private func cancelAll() {
        // From here on nothing comes in: a task that never waits would keep the thread for ever.
        let left = mailbox.withLock { mailbox in
            mailbox.isOver = true
            defer { mailbox.commands.removeAll() }
            return mailbox.commands
        }
        for command in left { command.runElsewhere() }
        for transfer in parked {
            transfer.markCancelled()
            transfer.finishUnstarted(.cancelled(in: .queue))
        }
        parked = []
        for transfer in active.values {
            transfer.markCancelled()
            end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
        }
        curl_multi_cleanup(multi)
    }

    // MARK: Bodies

    func noteUnflushedBody(_ transfer: CurlTransfer) {
        withUnflushedBody.append(transfer)
    }

    func noteOverflow(_ transfer: CurlTransfer) {
        if withOverflow.last !== transfer { withOverflow.append(transfer) }
    }

    private func flushBodies() {
        guard !withUnflushedBody.isEmpty else { return }
        for transfer in withUnflushedBody { transfer.flushBody() }
        withUnflushedBody.removeAll(keepingCapacity: true)
    }
}
