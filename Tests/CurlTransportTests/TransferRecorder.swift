import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import Synchronization
import Testing

/// Keeps what a transfer tells, lets a test wait for it, and refuses an illegal order.
final class TransferRecorder: Sendable {
    private struct State {
        var events: [TransportEvent] = []
        var order = EventOrder()
        var waiting: [(condition: @Sendable (TransportEvent.Kind) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func record(_ event: TransportEvent) {
        let ready = state.withLock { state in
            state.events.append(event)
            state.order.check(event)
            let isLast = if case .finished = event.kind { true } else { false }
            let ready = state.waiting.filter { isLast || $0.condition(event.kind) }
            state.waiting.removeAll { isLast || $0.condition(event.kind) }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when such an event has come, or the last one.
    func first(where condition: @escaping @Sendable (TransportEvent.Kind) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.events.contains(where: { condition($0.kind) }) || state.order.isFinished { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func finished() async -> Recording {
        await first { if case .finished = $0 { true } else { false } }
        return recording
    }

    var recording: Recording {
        state.withLock { Recording(events: $0.events, violations: $0.order.violations) }
    }
}

/// A transfer, over.
struct Recording: Sendable {
    var events: [TransportEvent]
    var violations: [String]

    var kinds: [TransportEvent.Kind] { events.map(\.kind) }

    var result: TransferResult? {
        if case .finished(let result)? = events.last?.kind { result } else { nil }
    }

    var error: NetworkError? { result?.error }

    var head: ResponseHead? {
        kinds.lazy.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
    }

    var status: Int? { head?.status.code }

    var body: Data {
        kinds.reduce(into: Data()) { data, kind in
            if case .body(let chunk, _, _) = kind { data += chunk }
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var connection: ConnectionInfo? {
        kinds.lazy.compactMap { if case .connectionAcquired(let info) = $0 { info } else { nil } }.first
    }

    var tls: TLSInfo? {
        kinds.lazy.compactMap { if case .tlsEnded(let info) = $0 { info } else { nil } }.first
    }

    var sentHead: String {
        kinds.reduce(into: "") { text, kind in
            if case .requestHeadSent(let data) = kind { text += String(decoding: data, as: UTF8.self) }
        }
    }

    /// The names of the events, pieces of the body and of progress once each.
    var story: [String] {
        kinds.reduce(into: []) { story, kind in
            let name = String(String(describing: kind).prefix { $0 != "(" })
            if name == story.last, name == "body" || name == "uploadProgress" { return }
            story.append(name)
        }
    }
}

extension CurlTransport {
    /// Sends a request and waits for the end; an event out of order fails the test.
    func perform(_ request: TransferRequest, sourceLocation: SourceLocation = #_sourceLocation) async -> Recording {
        let recorder = TransferRecorder()
        _ = start(request, receive: recorder.record)
        let recording = await recorder.finished()
        #expect(recording.violations == [], sourceLocation: sourceLocation)
        return recording
    }

    func get(
        _ url: some CustomStringConvertible, headers: HTTPFields = [:], sourceLocation: SourceLocation = #_sourceLocation,
        configure: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> Recording {
        var request = TransferRequest(request: Request(url: try #require(URL(string: "\(url)")), headers: headers))
        configure(&request)
        return await perform(request, sourceLocation: sourceLocation)
    }
}

/// The rules that every transfer's events keep.
struct EventOrder {
    private(set) var violations: [String] = []
    private(set) var isFinished = false

    private var lastTime = MonotonicTime.zero
    private var isResolving = false
    private var connecting: [String] = []
    private var connectingByQUIC: [String] = []
    private var isConnected = false
    private var isSecuring = false
    private var isAcquired = false
    private var isHeadSent = false
    private var isRequestSent = false
    private var hasHead = false
    private var received: Int64 = 0

    mutating func check(_ event: TransportEvent) {
        let name = String(describing: event.kind).prefix { $0 != "(" }
        require(!isFinished, "\(name) after finished")
        require(event.time >= lastTime, "\(name) is earlier than the event before it")
        lastTime = event.time
        switch event.kind {
        case .cache:
            require(false, "cache of a transport that has none")
        case .resolveStarted:
            require(!isResolving && !isAcquired && connecting.isEmpty, "resolveStarted out of place")
            isResolving = true
        case .resolveEnded:
            require(isResolving, "resolveEnded without a start")
            isResolving = false
        case .connectStarted(let address):
            require(!isResolving && !isAcquired && !isConnected, "connectStarted out of place")
            connecting.append(address)
        case .connectFailed(let address, let errno):
            require((connecting + connectingByQUIC).contains(address) && !isConnected, "connectFailed without a start")
            require(errno > 0, "connectFailed without a reason")
            connecting.removeAll { $0 == address }
            connectingByQUIC.removeAll { $0 == address }
        case .quicStarted(let address):
            require(!isResolving && !isAcquired, "quicStarted out of place")
            connectingByQUIC.append(address)
        case .connectEnded:
            require(connecting.count == 1 && !isConnected, "connectEnded with \(connecting.count) under way")
            isConnected = true
        case .tlsStarted:
            require(isConnected && !isAcquired, "tlsStarted out of place")
            isSecuring = true
        case .tlsEnded:
            // Alone on a reused connection.
            require(!isAcquired && (isSecuring || !isConnected), "tlsEnded out of place")
            isSecuring = false
            if !isConnected { isConnected = !connectingByQUIC.isEmpty }
        case .connectionAcquired(let info):
            require(!isAcquired && !isSecuring && !isResolving, "connectionAcquired out of place")
            require(info.isReused != isConnected, "connectionAcquired says the wrong thing about reuse")
            isAcquired = true
        case .leftoverDropped(let bytes):
            require(bytes > 0 && !isAcquired && !isConnected, "leftoverDropped out of place")
        case .resent:
            require(isAcquired && !hasHead, "resent out of place")
            self = EventOrder(violations: violations, lastTime: lastTime)
        case .authenticationStep(let head):
            require(isHeadSent && !hasHead, "authenticationStep out of place")
            require([401, 407, 417].contains(head.status.code), "authenticationStep with \(head.status.code)")
            self = EventOrder(violations: violations, lastTime: lastTime)
        case .requestHeadSent:
            require(isAcquired && !isHeadSent, "requestHeadSent out of place")
            isHeadSent = true
        case .uploadProgress:
            require(isHeadSent && !isRequestSent, "uploadProgress out of place")
        case .requestSent:
            require(isHeadSent && !isRequestSent, "requestSent out of place")
            isRequestSent = true
        case .informational(let head):
            require(isHeadSent && !hasHead, "informational out of place")
            require((100..<200).contains(head.status.code), "informational with \(head.status.code)")
        case .head(let head):
            require(isHeadSent && !hasHead, "head out of place")
            require(head.status.code >= 200, "head with \(head.status.code)")
            hasHead = true
        case .body(let data, let received, let expected):
            require(hasHead, "body before head")
            require(!data.isEmpty, "empty body event")
            require(received >= self.received, "received goes back")
            if let expected { require(received <= expected, "received \(received) of \(expected)") }
            self.received = received
        case .finished(let result):
            isFinished = true
            check(result.phases)
        }
    }

    private mutating func check(_ phases: Phases) {
        var last: MonotonicTime?
        for name in Phases.Name.allCases {
            guard let interval = phases[name] else { continue }
            require(interval.end >= interval.start, "\(name) ends before it starts")
            require(last.map { interval.start >= $0 } ?? true, "\(name) overlaps what comes before it")
            last = interval.end
        }
    }

    private mutating func require(_ condition: Bool, _ violation: String) {
        if !condition { violations.append(violation) }
    }

    init() {}

    private init(violations: [String], lastTime: MonotonicTime) {
        self.violations = violations
        self.lastTime = lastTime
    }
}
