import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// A verdict as it looks: a sign and a colour, so that it also holds where there are no colours.
enum VerdictText {
    static func role(_ verdict: Verdict) -> ThemeRole {
        switch verdict {
        case .passed: .stateSucceeded
        case .completed(let status): verdict.isGood ? .stateSucceeded : StatusText.role(status ?? 0)
        case .checkFailed, .failed: .stateFailed
        case .stopped: .warning
        case .cancelled: .stateCancelled
        }
    }

    /// `✓ 200`, `✗ tls`, `× need`, `■`: a sign, and the status or what stands in its place.
    static func short(_ verdict: Verdict, status: Int?, separator: String = " ") -> StyledLine.Span {
        let text: String? =
            switch verdict {
            case .passed, .completed, .checkFailed: status.map(String.init) ?? "ok"
            case .failed(let kind): kind.short
            case .stopped: "need"
            case .cancelled: nil
            }
        return .init(verdict.sign + (text.map { separator + $0 } ?? ""), role(verdict))
    }
}

extension FailureKind {
    /// At most four letters: the beginning of the format's word for it.
    fileprivate var short: String {
        switch self {
        case .timeout: "time"
        case .dns, .tls: rawValue
        case .connection: "conn"
        case .protocol: "prot"
        case .limit: "lim"
        case .authentication: "auth"
        case .cancelled: "canc"
        case .other: "err"
        }
    }
}

extension OperationEntry {
    var status: Int? { response?.info?.head.status.code ?? metrics.attempts.last?.head?.status.code }
}
