import Base
import CCurl
import NetworkLayer
import Synchronization

/// One transfer: what its callbacks have seen so far, and what is told of it.
///
///     waiting ─> resolving ─> connecting ─> securing ─> ready ─> sending ─> answered ─> finished
///                                   (a reused connection: ready at once)
///
/// Callers touch only the flags, the priority and the mailbox of the loop; everything else belongs to the loop's thread, where libcurl
/// makes its callbacks. This is why `@unchecked Sendable` is safe.
final class CurlTransfer: Transfer, @unchecked Sendable {
    let request: TransferRequest
    let loop: Loop
    private let receive: @Sendable (TransportEvent) -> Void
    private let plan: Result<RequestPlan, NetworkError>
    /// What the server's certificate must be, besides being trusted.
    let pins: CertificatePins?

    private let cancelWanted = Atomic(false)
    private let pauseWanted = Atomic(false)
    private let priorityWanted: Atomic<Int>

    // From here on: the loop's thread.

    var handle: CurlEasyHandle?
    var timeline: TransferTimeline
    /// Why a callback of ours ended the transfer.
    var abortError: NetworkError?
    /// Whether libcurl was kept from asking once more after an answer that had been told.
    var isAnswered = false
    /// Why the request begins anew.
    var restart: Restart?
    /// How often the transfer began anew, with a handle and a connection of its own.
    var restarts = 0
    var needsNewConnection = false
    /// The server refuses the request over HTTP/2, and asks for it over HTTP/1.1.
    var needsHTTP1 = false
    private var lastEvent: MonotonicTime
    private var isFinished = false

    var connection = ConnectionState()
    var upload: UploadState
    var response = ResponseState()
    var isReceivingPaused = false
    var isSendingPaused = false
    /// Whether the connection has changed to another protocol.
    var isUpgraded = false

    init(_ request: TransferRequest, loop: Loop, receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.request = request
        self.loop = loop
        self.receive = receive
        priorityWanted = Atomic(request.priority.rawValue)
        timeline = TransferTimeline(started: .now)
        lastEvent = timeline.started
        upload = UploadState(body: request.request.body)
        do throws(NetworkError) {
            let plan = try RequestPlan(request)
            self.plan = .success(plan)
            pins = plan.pins
        } catch {
            plan = .failure(error)
            pins = nil
        }
    }

    // MARK: Transfer

    func cancel() {
        guard !cancelWanted.exchange(true, ordering: .relaxed) else { return }
        loop.post(.cancel(self))
    }

    func pauseReceiving() {
        pauseWanted.store(true, ordering: .relaxed)
    }

    func resumeReceiving() {
        guard pauseWanted.exchange(false, ordering: .relaxed) else { return }
        loop.post(.resume(self))
    }

    func setPriority(_ priority: Priority) {
        priorityWanted.store(priority.rawValue, ordering: .relaxed)
        loop.post(.prioritize(self))
    }

    var isCancelled: Bool { cancelWanted.load(ordering: .relaxed) }
    var isPauseWanted: Bool { pauseWanted.load(ordering: .relaxed) }

    func markCancelled() {
        cancelWanted.store(true, ordering: .relaxed)
    }

    // MARK: The loop's commands

    func prepare(_ handle: CurlEasyHandle) throws(NetworkError) {
        let plan = try plan.get()
        try handle.configure(
            for: request, httpVersion: plan.httpVersion, inactivity: loop.pool.inactivity,
            exceptions: loop.proxies.exceptions)
        handle.set(priority)
        handle.set(url: plan.url)
        handle.set(headerLines: plan.headerLines)
        switch plan.body {
        case .none: handle.set(method: plan.method)
        case .short(let data):
            handle.set(method: plan.method, body: data)
            upload.expected = Int64(data.count)
        case .pieces(let length):
            handle.set(method: plan.method, bodyLength: length)
            upload.expected = length
            upload.isInPieces = true
        }
        if needsNewConnection { handle.useFreshConnection() }
        if needsHTTP1 { handle.useHTTP1() }
        self.handle = handle
        handle.transfer = self
        timeline.origin = .now
    }

    /// The server isn't asked before the body any more. libcurl leaves out only the field that it has added itself.
    func stopExpecting() {
        guard let lines = try? plan.get().headerLines else { return }
        handle?.set(headerLines: lines.filter { !$0.lowercased().hasPrefix("expect:") } + ["Expect:"])
    }

    func letGoOfHandle() {
        handle?.release()
        handle = nil
    }

    func prioritizeOnLoop() {
        handle?.set(priority)
    }

    private var priority: Priority { Priority(rawValue: priorityWanted.load(ordering: .relaxed)) }

    func resumeOnLoop() {
        guard isReceivingPaused, !isPauseWanted else { return }
        isReceivingPaused = false
        handle?.setPaused(receiving: false, sending: isSendingPaused)
    }

    func wakeUploadOnLoop() {
        guard isSendingPaused else { return }
        isSendingPaused = false
        handle?.setPaused(receiving: isReceivingPaused, sending: false)
    }

    // MARK: Events

    /// Tells of something; never with an earlier time than what was told before.
    func emit(_ kind: TransportEvent.Kind, at time: MonotonicTime = .now) {
        guard !isFinished else { return }
        lastEvent = max(lastEvent, time)
        receive(TransportEvent(time: lastEvent, kind: kind))
    }

    /// The transfer never got to libcurl.
    func finishUnstarted(_ error: NetworkError) {
        finish(TransferResult(error: error))
    }

    func finish(_ result: TransferResult) {
        guard !isFinished else { return }
        upload.source.close()
        emit(.finished(result), at: timeline.end ?? .now)
        isFinished = true
    }

    /// Ends the transfer from inside a callback, for a reason of ours.
    func abort(_ error: NetworkError) {
        if abortError == nil { abortError = error }
    }
}
