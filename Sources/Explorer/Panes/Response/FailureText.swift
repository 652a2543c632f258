import NetworkLayer
import Presentation
import TerminalUI

/// What went wrong with an operation, in words.
enum FailureText {
    /// The sentence, where it happened, what was behind it; broken into rows. Nothing for what went well.
    static func lines(of metrics: OperationMetrics, columns: Int) -> [StyledLine] {
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

    /// In one line, however long it becomes.
    static func sentence(_ error: NetworkError) -> StyledLine {
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
}
