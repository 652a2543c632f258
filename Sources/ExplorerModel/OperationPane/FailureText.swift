package import NetworkLayer
import Presentation
package import TerminalUI

/// What went wrong with an operation, in words.
package enum FailureText {
    /// The sentence, where it happened, what was behind it; broken into rows. Nothing for what went well.
    package static func lines(of metrics: OperationMetrics, columns: Int) -> [StyledLine] {
        guard let error = metrics.error else { return [] }
        // Where it stood says nothing about somebody's wish.
        if error.code == .cancelled || error.type == OperationEntry.needType {
            return sentence(error).wrapped(columns: columns, indent: 2)
        }
        return ErrorText.lines(error).enumerated().flatMap { index, line in
            var marked = index == 0 ? sign(error) : StyledLine("  ")
            marked.spans += line.spans
            return marked.wrapped(columns: columns, indent: 2)
        }
    }

    /// In one line, however long.
    package static func sentence(_ error: NetworkError) -> StyledLine {
        var line = sign(error)
        if error.code == .cancelled, let source = error.cancelSource {
            line.append("cancelled by \(SafeText.line(source.localizedDescription ?? source.description))", .stateCancelled)
        } else {
            line.append(SafeText.line(error.message), error.code == .cancelled ? .stateCancelled : .error)
        }
        return line
    }

    private static func sign(_ error: NetworkError) -> StyledLine {
        error.code == .cancelled ? StyledLine("■ ", .stateCancelled) : StyledLine("✗ ", .error)
    }

    /// Where in the explorer to look, and what to press.
    package static func nextStep(after error: NetworkError) -> String {
        if error.type == OperationEntry.needType {
            return "What it needs has its own row in the tree and the history, and says why."
        }
        return switch error.code {
        case .cancelled: "r sends it again."
        case .operationTimedOut, .attemptTimedOut, .idleTimedOut, .connectTimedOut:
            "The timing tab shows where the time went; timeouts are in the request's policy tab. r sends it again."
        case .certificateRejected, .tlsFailed, .pinMismatch, .clientCertificateFailed:
            "The tls tab shows the chain; what is trusted is in the request's policy tab."
        case .nameNotResolved, .proxyNotResolved: "Is the host's name right, and the environment (v)? r sends it again."
        case .cannotConnect: "Does the server listen there? r sends it again."
        case .limitExceeded where error.isBodyTooLong:
            "How long the body may be is in the request's policy tab. r sends it again."
        case .tooManyRedirects, .redirectFailed:
            "The hops tab shows the way; the limit is in the request's policy tab."
        default: "The events tab shows what came until then. r sends it again."
        }
    }
}
