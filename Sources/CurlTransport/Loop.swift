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
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// Whether the thread waits for its sockets, or is about to; only then a command has to wake it.
        var isAsleep = false
        var isStarted = false
    }

    /// Handles kept for later transfers; as many as are commonly busy at once.
    private static let spareHandleLimit = 128
    private let mailbox = Mutex(Mailbox())
    private let threadID = Atomic<UInt>(0)

    private let multi: UnsafeMutableRawPointer
    private let watch: SocketWatch
    /// When libcurl wants to be called though nothing happens on its sockets; `nil`: never.
    private var timer: MonotonicTime?
    private var spareHandles: [CurlEasyHandle] = []
    private var active: [ObjectIdentifier: CurlTransfer] = [:]
    private var withUnflushedBody: [CurlTransfer] = []
    private var isStopping = false

    let connections: ConnectionTable
    private(set) var pool: ConnectionPool
    /// The transfer whose handshake goes on under a TLS context.
    var handshakes: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    let proxies = ProxyEnvironment()
    let fieldNames = FieldNameCache()
    /// When the thread last had something to do: what libcurl finds done was done by then.
    private(set) var passStart = MonotonicTime.zero

    private let userAgent: String?

    init(userAgent: String?, pool: ConnectionPool) {
        self.userAgent = userAgent
        self.pool = pool
        _ = Self.library
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl could not be set up: out of memory") }
        self.multi = multi
        let watch = SocketWatch()
        self.watch = watch
        connections = ConnectionTable(watch: watch)
        setConnectionLimit()
        setCallbacks()
    }

    /// libcurl says what it waits for, and is told only of what happens.
    private func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        turnstone_curl_multi_set_socket(
            multi,
            { _, socket, what, pointer, _ in
                guard let pointer else { return 0 }
                let loop = Unmanaged<Loop>.fromOpaque(pointer).takeUnretainedValue()
                loop.watch.listen(to: socket, for: what, isKept: loop.connections.has(socket))
                return 0
            }, me)
        turnstone_curl_multi_set_timer(
            multi,
            { _, milliseconds, pointer in
                guard let pointer else { return 0 }
                Unmanaged<Loop>.fromOpaque(pointer).takeUnretainedValue().setTimer(milliseconds)
                return 0
            }, me)
    }

    private func setTimer(_ milliseconds: Int) {
        timer =
            switch milliseconds {
            case ..<0: nil
            case 0: .zero
            default: MonotonicTime.now.advanced(microseconds: Int64(milliseconds) * 1000)
            }
    }

    /// libcurl's own default shrinks with the number of transfers under way.
    private func setConnectionLimit() {
        turnstone_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, pool.limit))
    }

    /// libcurl's own set-up, once a process.
    private static let library: Void = {
        turnstone_curl_global_init()
    }()

    // MARK: Any thread

    func post(_ command: Command) {
        enum Need { case nothing, wakeUp, thread }
        let isOwnThread = threadID.load(ordering: .relaxed) == UInt(pthread_self())
        let need: Need = mailbox.withLock { mailbox in
            mailbox.commands.append(command)
            if !mailbox.isStarted {
                // There is nothing yet that these could be about.
                switch command {
                case .stop, .prune, .keep: return .nothing
                case .start, .cancel, .resume, .wakeUpload, .prioritize: break
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
        case .wakeUp: watch.wake()
        case .thread: startThread()
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
        var commands: [Command] = []
        var signs: [SocketWatch.Sign] = []
        while !isStopping {
            takeCommands(&commands)
            passStart = .now
            for command in commands { perform(command) }
            for sign in signs { act(sign.socket, sign.mask) }
            if let timer, timer <= passStart {
                self.timer = nil
                act(CURL_SOCKET_TIMEOUT, 0)
            }
            // What has come together is handed out together: fewer threads are woken.
            flushBodies()
            readMessages()
            signs.removeAll(keepingCapacity: true)
            if !isStopping { watch.wait(milliseconds: waitingTime()) { signs.append($0) } }
        }
        cancelAll()
    }

    /// - Parameter commands: those before; its room is given to those that come.
    private func takeCommands(_ commands: inout [Command]) {
        commands.removeAll(keepingCapacity: true)
        mailbox.withLock { mailbox in
            mailbox.isAsleep = false
            swap(&mailbox.commands, &commands)
        }
    }

    /// For how long there is nothing to do but what the sockets may bring, in milliseconds; -1: for ever. From here on a command
    /// wakes the thread.
    private func waitingTime() -> Int32 {
        let goesToSleep = mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.commands.isEmpty
            return mailbox.isAsleep
        }
        guard goesToSleep else { return 0 }
        guard let timer else { return -1 }
        let left = timer == .zero ? 0 : timer.nanoseconds - MonotonicTime.now.nanoseconds
        return Int32(clamping: max(0, (left + 999_999) / 1_000_000))
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
        }
    }

    /// Lets libcurl do what a socket, or its timer, calls for.
    private func act(_ socket: Int32, _ mask: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, mask, &running)
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

    // MARK: Transfers

    private func isActive(_ transfer: CurlTransfer) -> Bool {
        active[ObjectIdentifier(transfer)] != nil
    }

    private func start(_ transfer: CurlTransfer) {
        if transfer.isCancelled { return transfer.finishUnstarted(.cancelled(in: .queue)) }
        let handle = spareHandles.popLast() ?? CurlEasyHandle(connections: connections, userAgent: userAgent)
        do {
            try transfer.prepare(handle)
        } catch {
            handle.release()
            keep(handle)
            return transfer.finishUnstarted(error)
        }
        active[ObjectIdentifier(transfer)] = transfer
        let status = curl_multi_add_handle(multi, handle.raw)
        guard status == CURLM_OK else {
            active[ObjectIdentifier(transfer)] = nil
            handle.release()
            keep(handle)
            return transfer.finishUnstarted(.libraryFailed(String(cString: curl_multi_strerror(status))))
        }
    }

    private func cancel(_ transfer: CurlTransfer) {
        guard isActive(transfer) else { return }
        end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
    }

    /// Takes the transfer out, gives its handle back, and only then reports: what `receive` starts next finds both free.
    private func end(_ transfer: CurlTransfer, code: CURLcode) {
        transfer.flushBody()
        let result = transfer.conclude(code)
        if let handle = transfer.handle {
            // Closes the connection of a transfer that isn't over (HTTP/2: resets the stream).
            curl_multi_remove_handle(multi, handle.raw)
            transfer.handle = nil
            handle.release()
            keep(handle)
        }
        active[ObjectIdentifier(transfer)] = nil
        if let socket = transfer.connection.socket.take() { connections.release(socket, pool) }
        transfer.finish(result)
    }

    private func keep(_ handle: CurlEasyHandle) {
        // The system's error number stays with a handle, where it would be taken for the next transfer's.
        if spareHandles.count < Self.spareHandleLimit, handle.systemErrno == 0 {
            spareHandles.append(handle)
        }
    }

    private func cancelAll() {
        for transfer in active.values {
            transfer.markCancelled()
            end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
        }
        // What came in after `stop`.
        var commands: [Command] = []
        takeCommands(&commands)
        for command in commands { perform(command) }
        for transfer in active.values {
            transfer.markCancelled()
            end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
        }
        spareHandles.removeAll()
        curl_multi_cleanup(multi)
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
