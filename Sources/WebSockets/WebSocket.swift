package import Base
import HTTPTypes
public import NetworkLayer
import Synchronization

/// A WebSocket (RFC 6455): an ordinary operation whose last attempt stays open.
///
///     let socket = WebSocket.connect(.get("wss://birds.example/sightings"), on: client.defaultQueue)
///     try await socket.send(.text("subscribe"))
///     for try await message in socket.messages { print(message) }
///
/// Everything up to the answer 101 is as with any request: queue, redirects, authentication, retries, cookies, proxy, certificates, events.
/// The operation is over when the session is: a success after a close with 1000, 1001 or no code, else a failure. Nothing opens it anew.
///
/// Somebody must read ``transcript``, or ``messages``, which are the same without what we send and what stands between messages: a reader
/// that is behind slows the peer down, and doesn't see its pings and its close meanwhile.
public final class WebSocket: Sendable {
    /// The options that the socket was made with.
    public let options: Options
    private let time: any TimeSource
    private let target: String
    private let key: String
    private let core: Mutex<Core>

    struct Core {
        var machine: StateMachine
        var operation: RequestOperation?
        var outbox: [StateMachine.Effect] = []
        var isDraining = false
        var alarm: (any Alarm)?

        // Entries of the transcript that its reader hasn't taken yet.
        var entries: [Entry] = []
        var next = 0
        var bytes = 0
        var isTranscriptClaimed = false
        var reader: CheckedContinuation<Void, Never>?
        var room: CheckedContinuation<Void, Never>?

        // What is to be sent.
        var output = Data()
        var wake: (@Sendable () -> Void)?

        var end: End?
        var refusal: Refusal?
        var waiters: [(goal: Goal, continuation: CheckedContinuation<Void, Never>)] = []
    }

    enum End {
        case complete
        case failed(NetworkError)
    }

    /// What a task waits for.
    enum Goal {
        case opening, end
        /// Room for more messages to be sent.
        case room

        func isReached(_ core: borrowing Core) -> Bool {
            if core.end != nil { return true }
            return switch self {
            case .opening: core.machine.info != nil
            case .room: core.output.count < WebSocket.mostWaiting.bytes
            case .end: false
            }
        }
    }

    /// How much may wait for the reader of the transcript, and (bytes) for the transport, before the other side has to wait.
    fileprivate static let mostWaiting = (bytes: 1 << 20, entries: 1_000)

    /// A socket for an operation that the caller makes: see ``prepared(_:)``, ``prepare(_:)`` and ``follow(_:)``.
    ///
    /// - Parameter target: what messages call the peer.
    package init(_ options: Options = .init(), target: String, time: any TimeSource = SystemTimeSource()) {
        self.options = options
        self.time = time
        self.target = target
        var random = SystemRandomNumberGenerator()
        key = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
        core = Mutex(Core(machine: StateMachine(options, target: target)))
    }

    /// Opens a session; returns at once.
    ///
    /// - Parameters:
    ///   - request: a GET of a `ws`, `wss`, `http` or `https` URL. Its body is the socket's.
    ///   - configuration: `nil`: the client's. Its idle timeout counts until the session is open, the other ones as for a streamed body.
    public static func connect(
        _ request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        options: Options = .init(), priority: Priority = .normal, on queue: RequestOperationQueue
    ) -> WebSocket {
        let socket = WebSocket(options, target: request.url.absoluteString, time: queue.client.time)
        var configuration = configuration ?? queue.client.configuration
        socket.prepare(&configuration)
        socket.follow(queue.enqueue(socket.prepared(request), configuration: configuration, delegate: delegate, priority: priority))
        return socket
    }

    // MARK: The operation

    /// The request with what asks for a session. Fields that it has stay as they are.
    package func prepared(_ request: Request) -> Request {
        var request = request
        request.url = request.url.forRequest
        func add(_ name: HTTPField.Name, _ value: String) {
            if request.headers[name] == nil { request.headers[name] = value }
        }
        add(.connection, "Upgrade")
        add(.upgrade, "websocket")
        add(WebSocketHandshake.version, "13")
        add(WebSocketHandshake.key, key)
        if !options.subprotocols.isEmpty { add(WebSocketHandshake.subprotocol, options.subprotocols.joined(separator: ", ")) }
        if options.compression { add(WebSocketHandshake.extensions, WebSocketHandshake.deflate) }
        // The operation has the request, and the socket has the operation.
        request.body = .stream(RequestBodyStream(isReplayable: true) { [weak self] in Channel(socket: self) })
        return request
    }

    /// The configuration of an operation that becomes a session.
    package func prepare(_ configuration: inout RequestConfiguration) {
        configuration.consumption = .stream
        configuration.boundsStream = false
        configuration.transport.wire.upgrades = true
        configuration.transport.acceptsCompression = false
        configuration.limits.bodyBytes = nil
    }

    /// Follows an operation whose request and configuration were prepared here. Once, after it was enqueued.
    package func follow(_ operation: RequestOperation) {
        core.withLock { $0.operation = operation }
        Task { [self] in
            for await event in operation.events {
                if case .head = event.kind, upgrade() { break }
            }
        }
        Task { [self] in
            do throws(NetworkError) {
                for try await piece in operation.body { await take(piece) }
                handle(.ended(nil))
            } catch {
                handle(.ended(error))
            }
        }
    }

    /// - Returns: whether the operation has become a session.
    private func upgrade() -> Bool {
        let attempt = operation?.metrics.attempts.last
        guard let attempt, let head = attempt.head, head.status == .switchingProtocols else { return false }
        handle(.upgraded(head, to: attempt.request))
        return true
    }

    private func take(_ piece: Data) async {
        guard state != .opening || upgrade() else { return refuse(piece) }
        handle(.received(piece))
        while true {
            await waitForRoom()
            guard core.withLock({ $0.machine.hasMore }) else { return }
            handle(.goOn)
        }
    }

    private func refuse(_ piece: Data) {
        guard let head = operation?.metrics.attempts.last?.head else { return }
        core.withLock { core in
            var refusal = core.refusal.take() ?? Refusal(head: head)
            if refusal.head != head { refusal = Refusal(head: head) }
            refusal.body.append(piece.prefix(max(0, 1 << 20 - refusal.body.count)))
            core.refusal = refusal
        }
    }

    /// The operation that opens the session, and lasts as long as it does.
    public var operation: RequestOperation? { core.withLock { $0.operation } }

    var state: StateMachine.State { core.withLock { $0.machine.state } }

    // MARK: What is known of it

    /// What has gone through it so far.
    public var counts: SessionCounts { core.withLock { $0.machine.counts } }

    /// How it ended; `nil` while it hasn't, and where it never opened.
    public var closeReport: SessionClose? { core.withLock { $0.machine.close } }

    /// The answer of a server that opened no session; `nil` before, and where there was none.
    public var refusal: Refusal? { core.withLock { $0.refusal } }

    /// Waits until it is open.
    ///
    /// - Returns: what was agreed on.
    /// - Throws: where it doesn't open: the operation's error, or `unsuccessfulStatus` after an answer that isn't 101.
    @discardableResult
    public func opened() async throws(NetworkError) -> SessionInfo {
        await wait(for: .opening)
        let (info, end) = core.withLock { ($0.machine.info, $0.end) }
        if let info { return info }
        if case .failed(let error)? = end { throw error }
        throw .notOpen
    }

    /// Waits until it is over, and so is its operation.
    ///
    /// - Returns: what went wrong; `nil` after a close as it should be.
    @discardableResult
    public func ended() async -> NetworkError? {
        await wait(for: .end)
        if let operation { _ = await operation.response }
        return core.withLock { core in
            if case .failed(let error)? = core.end { error } else { nil }
        }
    }

    /// Cancelling the task that waits for the opening or the end cancels the operation, as with any other.
    private func wait(for goal: Goal) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReached = core.withLock { core in
                    if goal.isReached(core) { return true }
                    core.waiters.append((goal, continuation))
                    return false
                }
                if isReached { continuation.resume() }
            }
        } onCancel: {
            if goal != .room { operation?.cancel("the task that waits for the session was cancelled") }
        }
    }

    private func resumeWaiters() {
        let reached = core.withLock { core in
            let waiters = core.waiters
            guard !waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            core.waiters = waiters.filter { !$0.goal.isReached(core) }
            return waiters.filter { $0.goal.isReached(core) }.map(\.continuation)
        }
        for continuation in reached { continuation.resume() }
    }

    // MARK: Sending

    /// Sends a message, once the session is open; returns when what waits to be sent is less than a MiB.
    ///
    /// - Throws: where the session doesn't open, or is closed or closing.
    public func send(_ message: Message) async throws(NetworkError) {
        try await opened()
        guard state == .open else { throw .notOpen }
        handle(.send(message))
        await wait(for: .room)
    }

    /// Sends a ping besides those of ``Options/ping``; the transcript and ``counts`` show what comes of it.
    public func ping() { handle(.ping) }

    /// Begins to close the session; ``ended()`` waits for its end. One that isn't open yet is cancelled.
    ///
    /// - Parameters:
    ///   - code: 1000, 3000 to 4999, or another one that the RFC lets a client send.
    ///   - reason: at most 123 bytes are sent.
    public func close(code: Int = 1000, reason: String = "") {
        if state == .opening { operation?.cancel("the session was closed before it opened") }
        var reason = Substring(reason)
        while reason.utf8.count > 123 { reason.removeLast() }
        handle(.close(code: WebSocketMessageReader.mayBeSent(code) ? code : 1000, reason: String(reason)))
    }

    // MARK: The machine

    private func handle(_ input: StateMachine.Input) {
        let now = time.now
        let drains = core.withLock { core in
            core.outbox += core.machine.handle(input, at: now)
            guard !core.isDraining, !core.outbox.isEmpty else { return false }
            core.isDraining = true
            return true
        }
        guard drains else { return }
        while let batch = nextBatch() {
            for effect in batch { perform(effect) }
        }
    }

    private func nextBatch() -> [StateMachine.Effect]? {
        core.withLock { core in
            guard !core.outbox.isEmpty else {
                core.isDraining = false
                return nil
            }
            defer { core.outbox = [] }
            return core.outbox
        }
    }

    private func perform(_ effect: StateMachine.Effect) {
        switch effect {
        case .write(let bytes):
            core.withLock { core in
                core.output.append(contentsOf: bytes)
                return core.wake.take()
            }?()
        case .tell(let entry):
            core.withLock { core in
                core.entries.append(entry)
                core.bytes += entry.bytes
                return core.reader.take()
            }?.resume()
        case .report(let event): operation?.report(event)
        case .setAlarm(let deadline):
            let alarm = time.schedule(at: deadline) { [weak self] in self?.handle(.alarm) }
            core.withLock { core in
                defer { core.alarm = alarm }
                return core.alarm
            }?.cancel()
        case .opened: resumeWaiters()
        case .finish(let error): finish(error)
        }
    }

    private func finish(_ error: NetworkError?) {
        let isOpened = core.withLock { $0.machine.info != nil }
        operation?.endSession(error)
        let failure = isOpened || error != nil ? error : refused
        let (reader, room, alarm) = core.withLock { core in
            core.end = failure.map(End.failed) ?? .complete
            return (core.reader.take(), core.room.take(), core.alarm.take())
        }
        alarm?.cancel()
        reader?.resume()
        room?.resume()
        resumeWaiters()
    }

    /// The operation is over without a session and without an error.
    private var refused: NetworkError? {
        guard let head = operation?.metrics.attempts.last?.head else { return .notOpen }
        core.withLock { core in
            if core.refusal == nil { core.refusal = Refusal(head: head) }
        }
        return .notUpgraded(by: target, head)
    }

    // MARK: Reading

    private func waitForRoom() async {
        let hasRoom: @Sendable (borrowing Core) -> Bool = { core in
            core.end != nil
                || core.bytes < Self.mostWaiting.bytes && core.entries.count - core.next < Self.mostWaiting.entries
        }
        guard !core.withLock({ hasRoom($0) }) else { return }
        handle(.readerIsBehind(true))
        await withCheckedContinuation { continuation in
            let isReady = core.withLock { core in
                if hasRoom(core) { return true }
                core.room = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        handle(.readerIsBehind(false))
    }

    enum Next {
        case entry(Entry)
        case end(NetworkError?)
        case later
    }

    func next() -> Next {
        let (next, room) = core.withLock { core -> (Next, CheckedContinuation<Void, Never>?) in
            guard core.next < core.entries.count else {
                return switch core.end {
                case .complete: (.end(nil), nil)
                case .failed(let error): (.end(error), nil)
                case nil: (.later, nil)
                }
            }
            let entry = core.entries[core.next]
            core.next += 1
            core.bytes -= entry.bytes
            if core.next == core.entries.count || core.next == 4 * Self.mostWaiting.entries {
                core.entries.removeFirst(core.next)
                core.next = 0
            }
            let isLow = core.bytes < Self.mostWaiting.bytes / 4 && core.entries.count - core.next < Self.mostWaiting.entries / 4
            return (.entry(entry), isLow ? core.room.take() : nil)
        }
        room?.resume()
        return next
    }

    func claimTranscript() -> Bool {
        core.withLock { core in
            defer { core.isTranscriptClaimed = true }
            return !core.isTranscriptClaimed
        }
    }

    /// Returns when there may be another entry, or the task is cancelled.
    func waitForEntry() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = core.withLock { core in
                    if Task.isCancelled || core.next < core.entries.count || core.end != nil { return true }
                    core.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            core.withLock { $0.reader.take() }?.resume()
        }
    }

    // MARK: The channel

    /// What the transport takes of what is to be sent, in one attempt after another.
    private final class Channel: RequestBodyReader {
        let socket: WebSocket?

        init(socket: WebSocket?) { self.socket = socket }

        func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
            socket?.read(atMost: limit, wake) ?? .end
        }

        func close() {}
    }

    private func read(atMost limit: Int, _ wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        let read = core.withLock { core -> RequestBodyRead in
            guard !core.output.isEmpty else {
                core.wake = wake
                return .later
            }
            let piece = core.output.prefix(limit)
            core.output = piece.count == core.output.count ? Data() : core.output.dropFirst(piece.count)
            return .bytes(piece)
        }
        if case .later = read {
            if state == .closing { handle(.written) }
        } else {
            resumeWaiters()
        }
        return read
    }
}

extension URL {
    /// The same with `http` in place of `ws`, and `https` in place of `wss` (RFC 6455, section 3).
    package var forRequest: URL {
        guard let scheme = scheme?.lowercased(), scheme == "ws" || scheme == "wss" else { return self }
        return URL(string: (scheme == "ws" ? "http" : "https") + absoluteString.dropFirst(scheme.count)) ?? self
    }
}

extension NetworkError {
    static let notOpen = NetworkError(
        .sessionClosed, phase: .body, type: "websocket.closed", message: "The session isn't open: nothing can be sent.")

    static func notUpgraded(by target: String, _ head: ResponseHead) -> NetworkError {
        let status = "\(head.status.code) \(head.status.reasonPhrase)"
        return NetworkError(
            .unsuccessfulStatus, phase: .response, type: ErrorType.unsuccessfulStatus,
            message:
                "\(target) opened no session: it answered \(FieldSyntax.trimmed(status[...])) instead of 101 (RFC 6455, section 4.1).",
            details: [.status: String(head.status.code)])
    }
}
