package import NetworkLayer
package import TerminalUI

/// The states of an operation as text.
package enum StateText {
    package static func span(_ state: RequestOperation.State) -> StyledLine.Span {
        StyledLine.Span(word(state), role(state))
    }

    /// One word or two, and what it waits for: `running`, `waiting to retry`, `waiting: queue paused`.
    package static func word(_ state: RequestOperation.State) -> String {
        switch state {
        case .waiting(let reason): "waiting: \(Self.reason(reason))"
        case .waitingToRetry: "waiting to retry"
        default: state.description
        }
    }

    /// Short, for lifelines and lists.
    package static func short(_ state: RequestOperation.State) -> String {
        switch state {
        case .idle: "idle"
        case .waiting(let reason): Self.reason(reason)
        case .preparing: "prep"
        case .starting: "start"
        case .running: "run"
        case .waitingToRetry: "retry"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .succeeded: "succeeded"
        }
    }

    private static func reason(_ reason: RequestOperation.WaitReason) -> String {
        switch reason {
        case .queueSuspended: "queue paused"
        case .dependency: "dependency"
        case .concurrencyLimit: "limit"
        case .backoff: "backing off"
        case .connectivity: "offline"
        }
    }

    package static func role(_ state: RequestOperation.State) -> ThemeRole {
        switch state {
        case .idle, .waiting: .stateWaiting
        case .preparing: .statePreparing
        case .starting: .stateStarting
        case .running: .stateRunning
        case .waitingToRetry: .stateWaitingToRetry
        case .cancelled: .stateCancelled
        case .failed: .stateFailed
        case .succeeded: .stateSucceeded
        }
    }
}
