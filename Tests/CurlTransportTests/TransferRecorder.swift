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
        _ url: String, headers: HTTPFields = [:], sourceLocation: SourceLocation = #_sourceLocation,
        configure: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> Recording {
        var request = TransferRequest(request: Request(url: try #require(URL(string: url)), headers: headers))
        configure(&request)
        return await perform(request, sourceLocation: sourceLocation)
    }
}
