package import NetworkLayer
package import TerminalUI

/// Errors as text.
package enum ErrorText {
    /// The sentence; then phase and type; then the error behind it.
    package static func lines(_ error: NetworkError) -> [StyledLine] {
        var lines = [StyledLine(SafeText.line(error.message), error.code == .cancelled ? .stateCancelled : .error)]
        var details = StyledLine("in \(phase(error.phase)), \(SafeText.line(error.type))", .dim)
        if let number = error.systemErrno { details.append(", errno \(number)", .dim) }
        if let source = error.cancelSource { details.append(", by \(SafeText.line(source.description))", .dim) }
        lines.append(details)
        if let underlying = error.underlying?.error {
            lines.append(StyledLine("after: \(SafeText.line(underlying.message))", .dim))
        }
        return lines
    }

    package static func phase(_ phase: NetworkError.Phase) -> String {
        switch phase {
        case .preparation: "preparing"
        case .queue: "the queue"
        case .dns: "looking up the name"
        case .connection: "connecting"
        case .tls: "TLS"
        case .request: "sending the request"
        case .response: "waiting for the response"
        case .body: "receiving the body"
        }
    }
}
