import Base
import CCurl
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

    struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread is, or is about to be, in `curl_multi_poll`; only then a command has to wake it.
        var isAsleep = false
        var isStarted = false
        /// Whether the thread has ended, and libcurl's handle is gone.
        var isOver = false
    }

    let mailbox = Mutex(Mailbox())
    private let threadID = Atomic<UInt>(0)

    /// Made by the thread, and read by others only while that sleeps. Setting libcurl and OpenSSL up takes two million instructions,
    /// which a program that sends nothing is spared.
    private(set) lazy var multi: UnsafeMutableRawPointer = {
        _ = Self.library
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl could not be set up: out of memory") }
        Self.limitConnections(of: multi, to: pool)
        return multi
    }()
    var active: [ObjectIdentifier: CurlTransfer] = [:]
    private var withUnflushedBody: [CurlTransfer] = []
    var answeredEarly: [CurlTransfer] = []
    /// Transfers whose connections have changed to another protocol.
    var sessions: [CurlTransfer] = []
    private var isStopping = false
    private var spareCommands: [Command] = []

    let connections = ConnectionTable()
    private(set) var pool: ConnectionPool
    /// Whether libcurl has set out for a connection, or taken one, in this pass.
    var hasBegun = false
    /// The transfer whose handshake goes on under a TLS context.
    var handshakes: [OpaquePointer: CurlTransfer] = [:]
    let proxies = ProxyEnvironment()
    let fieldNames = FieldNameCache()
    /// When libcurl was last called: what it finds done was done by then.
    private(set) var passStart = MonotonicTime.zero

    let userAgent: String?

    /// How long nothing may come or go once an HTTP/2 answer of unknown length has begun before its request was sent: it may be over,
    /// and libcurl would neither say so nor go on.
    let longestSilence: Duration

    init(userAgent: String?, pool: ConnectionPool, longestSilence: Duration = .seconds(10)) {
        self.longestSilence = longestSilence
        self.userAgent = userAgent
        self.pool = pool
    }

    /// libcurl's own default shrinks with the number of transfers under way.
    private static func limitConnections(of multi: UnsafeMutableRawPointer, to pool: ConnectionPool) {
        turnstone_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, pool.limit))
    }

    /// libcurl's own set-up, once a process.
    private static let library: Void = {
        Libcrypto.outlivesExit
        turnstone_curl_global_init()
    }()

    // MARK: Any thread

    func post(_ command: Command) {
        enum Need { case nothing, wakeUp, thread, elsewhere }
        let isOwnThread = threadID.load(ordering: .relaxed) == SystemThread.current
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
        let status = SystemThread.start { self.run() }
        precondition(status == 0, "no thread for the transport: \(String(cString: strerror(status)))")
    }

    // MARK: The thread

    private func run() {
        threadID.store(SystemThread.current, ordering: .relaxed)
        while !isStopping {
            drainCommands(passes: 100)
            work()
            sleep()
        }
        cancelAll()
    }

    /// - Parameter passes: how often it looks again for what came of the commands before: tasks that run here might go on for ever.
    private func drainCommands(passes: Int) {
        // Two arrays take turns, so that there is room for the next commands.
        var commands: [Command] = []
        swap(&commands, &spareCommands)
        for _ in 0..<passes {
            mailbox.withLock { swap(&$0.commands, &commands) }
            guard !commands.isEmpty else { break }
            for command in commands { perform(command) }
            commands.removeAll(keepingCapacity: true)
        }
        swap(&commands, &spareCommands)
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
            Self.limitConnections(of: multi, to: pool)
        case .stop: isStopping = true
        case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
    }

    /// libcurl moves its notion of now on when a transfer begins, and at the end of a pass drops all timers up to it, also those of
    /// transfers that had their turn before: what arrived for them by way of another one would lie there until something else happens
    /// (seen up to 8.17.0). So a pass in which a transfer has begun is followed by another one.
    private func work() {
        passStart = .now
        var running: Int32 = 0
        repeat {
            hasBegun = false
            curl_multi_perform(multi, &running)
        } while hasBegun && active.count > 1
        flushBodies()
        readMessages()
        endWhatIsAnswered()
        endLostSessions()
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
            end(transfer, code: code)
        }
    }

    // MARK: Bodies

    func noteUnflushedBody(_ transfer: CurlTransfer) {
        withUnflushedBody.append(transfer)
    }

    private func flushBodies() {
        guard !withUnflushedBody.isEmpty else { return }
        for transfer in withUnflushedBody { transfer.flushBody() }
        withUnflushedBody.removeAll(keepingCapacity: true)
    }
}
