package import NetworkLayer
import Synchronization

/// A transport that does what a test says: by a script for every transfer, or step by step through ``ScriptedTransfer``.
///
///     let transport = ScriptedTransport { request in .respond(status: 200, body: Data("hello".utf8)) }
package final class ScriptedTransport: Transport {
    private let script: @Sendable (TransferRequest) -> Script
    private let time: any TimeSource
    private let hears: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var transfers: [ScriptedTransfer] = []
        var waiters: [(index: Int, continuation: CheckedContinuation<ScriptedTransfer, Never>)] = []
    }

    /// - Parameters:
    ///   - script: what each transfer does by itself, inside of `start`; `nothing` leaves all of it to the test.
    ///   - hears: hears of starts and cancels, before they do anything.
    package init(
        time: any TimeSource = ManualTimeSource(),
        script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing },
        hears: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.time = time
        self.hears = hears
        self.script = script
    }

    package func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        hears("transfer starts")
        let (transfer, waiters) = state.withLock { state in
            let transfer = ScriptedTransfer(
                number: state.transfers.count + 1, request: request, time: time, hears: hears, receive: receive)
            state.transfers.append(transfer)
            let isFor = { (waiter: (index: Int, continuation: CheckedContinuation<ScriptedTransfer, Never>)) in
                waiter.index < state.transfers.count
            }
            let waiters = state.waiters.filter(isFor)
            state.waiters.removeAll(where: isFor)
            return (transfer, waiters.map(\.continuation))
        }
        for kind in script(request).steps { transfer.send(kind) }
        for waiter in waiters { waiter.resume(returning: transfer) }
        return transfer
    }

    /// Every transfer so far.
    package var transfers: [ScriptedTransfer] { state.withLock { $0.transfers } }

    /// The requests of all transfers so far.
    package var requests: [Request] { transfers.map(\.request.request) }

    /// The transfer with this index, from 0; waits until it is started.
    package func transfer(_ index: Int) async -> ScriptedTransfer {
        await withCheckedContinuation { continuation in
            let transfer = state.withLock { state -> ScriptedTransfer? in
                if index < state.transfers.count { return state.transfers[index] }
                state.waiters.append((index, continuation))
                return nil
            }
            if let transfer { continuation.resume(returning: transfer) }
        }
    }
}
