package import HTTPTypes
package import NetworkLayer
import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// One transfer of a ``ScriptedTransport``. What a real transport never does ends the test: see `check`.
package final class ScriptedTransfer: Transfer {
    /// Counts the transfers of the transport from 1.
    package let number: Int
    package let request: TransferRequest
    private let time: any TimeSource
    private let hears: @Sendable (String) -> Void
    private let receive: @Sendable (TransportEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        var calls: [Call] = []
        var hasHead = false
        var isFinished = false
        var received: Int64 = 0
    }

    /// What the operation asked of the transfer.
    package enum Call: Sendable, Hashable {
        case cancel, pauseReceiving, resumeReceiving
        case setPriority(Priority)
    }

    init(
        number: Int, request: TransferRequest, time: any TimeSource, hears: @escaping @Sendable (String) -> Void,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.number = number
        self.request = request
        self.time = time
        self.hears = hears
        self.receive = receive
    }

    // MARK: What happened to it

    package var calls: [Call] { state.withLock { $0.calls } }
    package var isCancelled: Bool { calls.contains(.cancel) }
    package var isPaused: Bool { calls.last { $0 == .pauseReceiving || $0 == .resumeReceiving } == .pauseReceiving }
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    // MARK: What it does

    /// Reports an event, at the time of the time source unless it is back-dated.
    package func send(_ kind: TransportEvent.Kind, at time: MonotonicTime? = nil) {
        state.withLock { Self.check(kind, &$0) }
        receive(TransportEvent(time: time ?? self.time.now, kind: kind))
    }

    /// As ``send(_:at:)``, but silent once the transfer is over: for scripts that race against a cancel.
    package func sendUnlessFinished(_ kind: TransportEvent.Kind) {
        let isOver = state.withLock { state in
            if !state.isFinished { Self.check(kind, &state) }
            return state.isFinished
        }
        if !isOver { receive(TransportEvent(time: time.now, kind: kind)) }
    }

    package func sendHead(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
        send(.head(ResponseHead(status: status, headers: headers)))
    }

    /// Bytes of the body, counted up.
    package func sendBody(_ data: Data, expected: Int64? = nil) {
        let received = state.withLock { state in
            state.received += Int64(data.count)
            return state.received
        }
        send(.body(data, received: received, expected: expected))
    }

    package func finish(_ error: NetworkError? = nil) {
        send(.finished(TransferResult(error: error)))
    }

    /// Head, body and end.
    package func respond(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Data = Data()) {
        sendHead(status, headers: headers)
        if !body.isEmpty { sendBody(body, expected: Int64(body.count)) }
        finish()
    }

    // MARK: Transfer

    /// Ends with code `cancelled`, as the protocol demands, unless it is over.
    package func cancel() {
        hears("transfer is cancelled")
        let finishes = state.withLock { state in
            state.calls.append(.cancel)
            return !state.isFinished
        }
        guard finishes else { return }
        finish(NetworkError(.cancelled, phase: .request, type: "abandoned", message: "The transfer was cancelled."))
    }

    package func pauseReceiving() { state.withLock { $0.calls.append(.pauseReceiving) } }

    package func resumeReceiving() { state.withLock { $0.calls.append(.resumeReceiving) } }

    package func setPriority(_ priority: Priority) { state.withLock { $0.calls.append(.setPriority(priority)) } }

    /// The rules of ``Transport/start(_:receive:)``.
    private static func check(_ kind: TransportEvent.Kind, _ state: inout State) {
        precondition(!state.isFinished, "A transfer reports nothing after finished; this one: \(kind)")
        switch kind {
        case .head(let head):
            precondition(!state.hasHead, "A transfer has one head; 1xx are informational")
            precondition(head.status.kind != .informational, "A 1xx is reported as informational, not as head")
            state.hasHead = true
        case .body:
            precondition(state.hasHead, "A body comes after a head")
        case .informational(let head):
            precondition(head.status.kind == .informational, "Only a 1xx is informational")
            precondition(!state.hasHead, "A 1xx comes before the head")
        case .finished:
            state.isFinished = true
        default:
            break
        }
    }
}
