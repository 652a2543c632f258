import Base
import HTTPTypes
import Synchronization

/// Answers from a ``ResponseCache`` where its rules and the request's ``CachePolicy`` allow it, and stores what comes.
///
/// A wrapper and not a part of the operation's machine: to the machine a stored answer is an answer, so redirects, retries, progress,
/// limits and consumption treat it like any other. ``NetworkClient`` has one around its transport.
struct CachingTransport: Transport {
    private let base: any Transport
    private let cache: ResponseCache?
    private let time: any TimeSource

    /// - Parameter cache: `nil`: nothing is stored, and policy `dontLoad` fails always.
    init(_ base: any Transport, cache: ResponseCache?, time: any TimeSource = SystemTimeSource()) {
        self.base = base
        self.cache = cache
        self.time = time
    }

    func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        guard let cache else {
            return request.cachePolicy == .dontLoad ? refuse(request, receive) : base.start(request, receive: receive)
        }
        let stored = CacheRules.isCacheable(request) ? cache.stored(for: request.request.url) : []
        switch CacheRules.decide(request, stored: stored, at: time.date) {
        case .take(let response):
            guard let body = cache.body(of: response) else { return start(request, receive: receive) }
            receive(TransportEvent(time: time.now, kind: .cache(.hit)))
            let head = response.head(age: CacheRules.age(of: response, at: time.date))
            let bytes = request.request.method == .head ? Data() : body
            let player = StoredBodyPlayer(bytes, head: head, result: TransferResult(source: .cache), time: time, receive: receive)
            player.run()
            return player
        case .validate(let response, let validators):
            guard let body = cache.body(of: response) else { return start(request, receive: receive) }
            receive(TransportEvent(time: time.now, kind: .cache(.validating)))
            var conditional = request
            conditional.request.headers.append(contentsOf: validators)
            return load(conditional, original: request, known: (response, body), cache, receive)
        case .load:
            receive(TransportEvent(time: time.now, kind: .cache(.miss)))
            return load(request, original: request, known: nil, cache, receive)
        case .bypass:
            return load(request, original: request, known: nil, cache, receive)
        case .refuse:
            return refuse(request, receive)
        }
    }

    private func load(
        _ request: TransferRequest, original: TransferRequest, known: (StoredResponse, Data)?, _ cache: ResponseCache,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        let transfer = CachingTransfer(request: original, known: known, cache: cache, time: time, receive: receive)
        transfer.begin(base.start(request) { transfer.handle($0) })
        return transfer
    }

    private func refuse(_ request: TransferRequest, _ receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let error = NetworkError(
            .cannotLoadFromNetwork, phase: .request, type: "cache.miss",
            message:
                "There is no stored answer for \(request.request.url.absoluteString), and the request may not go out; use another cache policy than dontLoad."
        )
        receive(TransportEvent(time: time.now, kind: .finished(TransferResult(error: error))))
        return RefusedTransfer()
    }
}

/// The transfer was over before it began.
private struct RefusedTransfer: Transfer {
    func cancel() {}
    func pauseReceiving() {}
    func resumeReceiving() {}
}

/// A transfer of the transport below whose answer may be stored, or may turn out to be the stored one.
final class CachingTransfer: Transfer {
    private let request: TransferRequest
    private let cache: ResponseCache
    private let time: any TimeSource
    private let receive: @Sendable (TransportEvent) -> Void
    private let requested: Date
    private let state: Mutex<State>

    private struct State {
        var base: (any Transfer)?
        /// The stored answer that the server is asked about, and its body.
        var known: (response: StoredResponse, body: Data)?
        var role = Role.undecided
        var received: Int64 = 0
        var expected: Int64?
        var isCancelled = false
        var isPaused = false
        /// Nobody is listening any more, and the rest is only for the cache (CAN-3).
        var isAnonymous = false
        var hasTold = false
        var alarm: (any Alarm)?

        var player: StoredBodyPlayer? {
            if case .play(let player) = role { player } else { nil }
        }
    }

    private enum Role {
        case undecided, forward
        case record(StoredResponse, BodySink)
        /// The server said 304.
        case revalidated(Data)
        case play(StoredBodyPlayer)
    }

    /// From here on a cancelled transfer goes on by itself: the rest is cheap, and the whole is of use (TNL: 90 %).
    private static let anonymousShare = 0.9
    /// The longest that it goes on.
    private static let anonymousTime = Duration.seconds(10)

    init(
        request: TransferRequest, known: (StoredResponse, Data)?, cache: ResponseCache, time: any TimeSource,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.request = request
        self.cache = cache
        self.time = time
        self.receive = receive
        requested = time.date
        state = Mutex(State(known: known.map { ($0.0, $0.1) }))
    }

    /// Some of its events may have come before.
    func begin(_ base: any Transfer) {
        let (isCancelled, isPaused) = state.withLock { state in
            state.base = base
            return (state.isCancelled, state.isPaused)
        }
        if isPaused { base.pauseReceiving() }
        if isCancelled { base.cancel() }
    }

    // MARK: What the transport below tells

    /// Called with one event at a time, as the protocol has it.
    func handle(_ event: TransportEvent) {
        if state.withLock({ $0.isAnonymous }) { return handleAnonymously(event) }
        switch event.kind {
        case .head(let head):
            handleHead(head, at: event)
        case .body(let data, let received, let expected):
            guard record(data, received, expected) else { return }
            receive(event)
        case .finished(let result):
            finish(result, at: event)
        default:
            receive(event)
        }
    }

    private func handleHead(_ head: ResponseHead, at event: TransportEvent) {
        let known = state.withLock { $0.known.take() }
        if let (response, body) = known, head.status == .notModified {
            let updated = CacheRules.updated(response, by: head, to: request, requested: requested, received: time.date)
            cache.update(updated)
            state.withLock { $0.role = .revalidated(body) }
            var merged = updated.head(age: CacheRules.age(of: updated, at: time.date))
            // Cookies aren't stored, but these came just now.
            for value in head.headers[values: .setCookie] { merged.headers.append(.init(name: .setCookie, value: value)) }
            receive(TransportEvent(time: event.time, kind: .cache(.validated)))
            return receive(TransportEvent(time: event.time, kind: .head(merged)))
        }
        if known != nil { receive(TransportEvent(time: event.time, kind: .cache(.changed))) }
        cache.remove(CacheRules.invalidated(by: head, to: request.request))
        let role = role(for: head)
        state.withLock { $0.role = role }
        receive(event)
    }

    private func role(for head: ResponseHead) -> Role {
        guard CacheRules.mayStore(head, to: request), let sink = cache.makeSink() else { return .forward }
        let response = StoredResponse(request: request, head: head, requested: requested, received: time.date)
        return .record(response, sink)
    }

    /// - Returns: whether the event is to be passed on.
    private func record(_ data: Data, _ received: Int64, _ expected: Int64?) -> Bool {
        let role = state.withLock { state in
            state.received = received
            state.expected = expected
            return state.role
        }
        switch role {
        // A 304 has no body.
        case .revalidated, .play: return false
        case .undecided, .forward: return true
        case .record(var response, let sink):
            response.bodyCount += Int64(data.count)
            let isKept =
                response.bodyCount <= cache.bodyLimit && cache.attempt { () throws(NetworkError) in try sink.write(data) } != nil
            let next = isKept ? Role.record(response, sink) : .forward
            state.withLock { $0.role = next }
            return true
        }
    }

    private func finish(_ result: TransferResult, at event: TransportEvent) {
        let role = state.withLock { $0.role }
        if case .revalidated(let body) = role, result.error == nil {
            var result = result
            result.source = .validatedCache
            let player = StoredBodyPlayer(body, head: nil, result: result, time: time, receive: receive)
            let (isCancelled, isPaused) = state.withLock { state in
                state.role = .play(player)
                return (state.isCancelled, state.isPaused)
            }
            if isPaused { player.pauseReceiving() }
            return isCancelled ? player.cancel() : player.run()
        }
        keep(role, result)
        receive(event)
    }

    private func keep(_ role: Role, _ result: TransferResult) {
        // A holder of the transfer must not keep the file of a body that isn't stored.
        state.withLock { $0.role = .forward }
        guard case .record(let response, let sink) = role, result.error == nil, [.network, .mock].contains(result.source),
            (try? sink.finish()) != nil, case .file(let file) = sink.close()
        else { return }
        cache.store(response, body: file, for: request)
    }

    /// None of its events is passed on but the end, which must be reported once.
    private func handleAnonymously(_ event: TransportEvent) {
        switch event.kind {
        case .body(let data, let received, let expected):
            _ = record(data, received, expected)
        case .finished(let result):
            let (role, alarm) = state.withLock { ($0.role, $0.alarm.take()) }
            alarm?.cancel()
            keep(role, result)
        default:
            break
        }
        let tells = state.withLock { state in
            defer { state.hasTold = true }
            return !state.hasTold
        }
        guard tells else { return }
        receive(TransportEvent(time: event.time, kind: .finished(TransferResult(error: .transferCancelled))))
    }

    // MARK: Transfer

    func cancel() {
        let (base, player, goesOn) = state.withLock { state -> ((any Transfer)?, StoredBodyPlayer?, Bool) in
            let isFirst = !state.isCancelled
            state.isCancelled = true
            if case .play(let player) = state.role { return (nil, player, false) }
            if isFirst, isWorthFinishing(state) { state.isAnonymous = true }
            return (state.base, nil, state.isAnonymous)
        }
        player?.cancel()
        guard goesOn else { return base?.cancel() ?? () }
        let alarm = time.schedule(at: time.now + Self.anonymousTime) { base?.cancel() }
        state.withLock { $0.alarm = alarm }
        base?.resumeReceiving()
    }

    private func isWorthFinishing(_ state: State) -> Bool {
        guard case .record = state.role, let expected = state.expected, expected > 0 else { return false }
        return Double(state.received) >= Double(expected) * Self.anonymousShare
    }

    func setPriority(_ priority: Priority) {
        state.withLock { $0.base }?.setPriority(priority)
    }

    func pauseReceiving() {
        let (base, player) = state.withLock { state in
            state.isPaused = true
            return (state.base, state.player)
        }
        if let player { player.pauseReceiving() } else { base?.pauseReceiving() }
    }

    func resumeReceiving() {
        let (base, player) = state.withLock { state in
            state.isPaused = false
            return (state.base, state.player)
        }
        if let player { player.resumeReceiving() } else { base?.resumeReceiving() }
    }
}
