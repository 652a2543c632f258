import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// What became of a run, judged as a whole: first its error, then what was expected of it, then its status.
enum Verdict: Hashable, Sendable {
    /// Every expectation held.
    case passed
    /// An answer came, and nothing was expected of it: not of its status, nor of so many errors of a query in GraphQL.
    case completed(status: Int?, errors: Int = 0)
    /// An expectation did not hold, or the answer lacks what a variable should get.
    case checkFailed
    case failed(FailureKind)
    /// Something that it needs failed: it was not sent.
    case stopped
    case cancelled

    /// Tells them apart without colours.
    var sign: String {
        switch self {
        case .passed: "✓"
        case .completed(_, let errors) where errors > 0: errors > 9 ? "!+" : "!\(errors)"
        case .completed(let status, _): Self.isBad(status) ? "!" : "✓"
        case .checkFailed, .failed: "✗"
        case .stopped: "×"
        case .cancelled: "■"
        }
    }

    var word: String {
        switch self {
        case .passed: "passed"
        case .completed(_, let errors): errors > 0 ? Figures.count(errors, "error") : "completed"
        case .checkFailed: "check failed"
        case .failed: "failed"
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        }
    }

    /// The status decides how a completed run looks: nobody has said what it should be.
    private static func isBad(_ status: Int?) -> Bool { status.map { $0 >= 400 } ?? false }

    /// Whether there is nothing that needs a look.
    var isGood: Bool {
        switch self {
        case .passed: true
        case .completed(let status, let errors): errors == 0 && !Self.isBad(status)
        case .checkFailed, .failed, .stopped, .cancelled: false
        }
    }

    /// - Parameter type: as ``NetworkError/type``, or ``ExpectationResult/errorType``; `nil`: it isn't known.
    init(failure type: String?) {
        self = type == ExpectationResult.errorType ? .checkFailed : .failed(type.map { FailureKind(type: $0) } ?? .other)
    }
}

extension OperationEntry {
    /// `nil` until it has ended, and what was expected of its answer has been looked at.
    var verdict: Verdict? {
        if let pastVerdict { return pastVerdict }
        if isStopped { return .stopped }
        switch state {
        case .cancelled: return .cancelled
        case .failed, .succeeded: break
        case .idle, .waiting, .preparing, .starting, .running, .waitingToRetry: return nil
        }
        // Unless it was expected to fail, and did so as expected.
        if state == .failed, report.map({ !$0.expectsError || !$0.isPassed }) ?? true {
            return .failed(metrics.error.map { FailureKind($0) } ?? .other)
        }
        if let report, !report.isPassed { return .checkFailed }
        let errors = report?.queryErrors ?? 0
        if errors == 0, let report, !report.expectations.isEmpty { return .passed }
        if report == nil, id.pastRun == nil, !sent.definition.expectations.isEmpty { return nil }
        return .completed(
            status: response?.info?.head.status.code ?? metrics.attempts.last?.head?.status.code, errors: errors)
    }
}

extension OperationEntry {
    /// ``Verdict/word``, or what of the answer is missing.
    var verdictWord: String? {
        guard verdict == .checkFailed, let report, let name = report.missing, report.metCount == report.expectations.count else {
            return verdict?.word
        }
        return "\(name) was not captured"
    }
}

extension RunReport {
    /// Whether an expectation is about the error.
    fileprivate var expectsError: Bool { expectations.contains { $0.subject == .error } }
}

extension PastRun {
    var verdict: Verdict {
        switch state {
        case .cancelled: .cancelled
        case .succeeded: .completed(status: status)
        default: Verdict(failure: errorType)
        }
    }
}

/// A verdict as it looks: a sign and a colour, so that it also holds where there are no colours.
enum VerdictText {
    static func role(_ verdict: Verdict) -> ThemeRole {
        switch verdict {
        case .passed: .stateSucceeded
        case .completed(_, let errors) where errors > 0: .warning
        case .completed(let status, _): verdict.isGood ? .stateSucceeded : StatusText.role(status ?? 0)
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
