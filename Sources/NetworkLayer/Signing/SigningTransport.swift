import Base
import HTTPTypes
import Synchronization

/// Signs what a request's ``Authentication`` says must be signed, just before it goes out: so a retry has the time at which it is
/// sent, and a redirect hop its own host.
///
/// A field `Authorization` that the request has already is kept, as curl keeps it. ``NetworkClient`` has one around its transport.
struct SigningTransport: Transport {
    private let base: any Transport
    private let time: any TimeSource

    init(_ base: any Transport, time: any TimeSource) {
        self.base = base
        self.time = time
    }

    /// Bytes of a body in memory that are hashed on the caller's thread.
    private static let shortBody = 1 << 20

    func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        guard case .awsSigV4(let keys) = request.options.authentication, request.request.headers[.authorization] == nil else {
            return base.start(request, receive: receive)
        }
        do throws(NetworkError) {
            let signer = try AWSSigner(keys, for: request.request, at: time.date)
            let body = request.request.body
            if signer.knowsPayload(of: request.request) { return start(request, signed: signer, .unsigned, receive) }
            switch body {
            case .none: return start(request, signed: signer, .hash(of: Data()), receive)
            case .data(let data) where data.count <= Self.shortBody:
                return start(request, signed: signer, .hash(of: data), receive)
            case .data, .file, .stream: return startLater(request, signed: signer, receive)
            }
        } catch {
            receive(TransportEvent(time: time.now, kind: .finished(TransferResult(error: error))))
            return SigningTransfer()
        }
    }

    private func start(
        _ request: TransferRequest, signed signer: AWSSigner, _ payload: AWSSigner.Payload,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        var request = request
        signer.sign(&request.request, payload: payload)
        return base.start(request, receive: receive)
    }

    /// Reads the body through first.
    private func startLater(
        _ request: TransferRequest, signed signer: AWSSigner, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        let transfer = SigningTransfer()
        transfer.wait(
            for: Task {
                do {
                    let payload = try await Self.payload(of: request.request.body)
                    guard transfer.begin({ start(request, signed: signer, payload, receive) }) else { throw Self.cancelled }
                } catch {
                    let error = NetworkError(wrapping: error, phase: .preparation)
                    receive(TransportEvent(time: time.now, kind: .finished(TransferResult(error: error))))
                }
            })
        return transfer
    }

    private static func payload(of body: RequestBody) async throws -> AWSSigner.Payload {
        guard body.isReplayable else { throw NetworkError.bodyNotSignable }
        guard let reader = try body.makeReader() else { return .hash(of: Data()) }
        defer { reader.close() }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        var turns = wakes.makeAsyncIterator()
        var hashing = DigestFunction.Hashing(.sha256)
        while !Task.isCancelled {
            switch try reader.read(atMost: 1 << 18, wake: { wake.yield() }) {
            case .bytes(let data): hashing.update(data)
            case .later: await turns.next()
            case .end: return .hash(hashing.digest.hexadecimal)
            }
        }
        throw cancelled
    }

    private static let cancelled = NetworkError(
        .cancelled, phase: .preparation, type: ErrorType.abandoned, message: "The request was cancelled.")
}

/// A transfer that begins once its body has been read for the signature.
private final class SigningTransfer: Transfer {
    private let state = Mutex(State())

    private struct State {
        var waiting: Task<Void, Never>?
        var base: (any Transfer)?
        var isCancelled = false
        var isPaused = false
        var priority: Priority?
    }

    func wait(for task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.waiting = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// - Returns: `false` when it was cancelled first.
    func begin(_ start: () -> any Transfer) -> Bool {
        guard state.withLock({ !$0.isCancelled }) else { return false }
        let base = start()
        let early = state.withLock { state in
            state.base = base
            state.waiting = nil
            return state
        }
        if let priority = early.priority { base.setPriority(priority) }
        if early.isPaused { base.pauseReceiving() }
        if early.isCancelled { base.cancel() }
        return true
    }

    func cancel() {
        let (base, waiting) = state.withLock { state in
            state.isCancelled = true
            return (state.base, state.waiting)
        }
        base?.cancel()
        waiting?.cancel()
    }

    func pauseReceiving() {
        state.withLock { state in
            state.isPaused = true
            return state.base
        }?.pauseReceiving()
    }

    func resumeReceiving() {
        state.withLock { state in
            state.isPaused = false
            return state.base
        }?.resumeReceiving()
    }

    func setPriority(_ priority: Priority) {
        state.withLock { state in
            state.priority = priority
            return state.base
        }?.setPriority(priority)
    }
}
