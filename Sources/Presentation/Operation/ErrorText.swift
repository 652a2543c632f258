package import NetworkLayer
package import TerminalUI

package enum ErrorText {
    /// The sentence; then phase and type; then the error behind it.
    package static func lines(_ error: NetworkError) -> [StyledLine] {
        var lines = [StyledLine(SafeText.line(error.message), error.code == .cancelled ? .stateCancelled : .error)]
        var details = StyledLine("\(phase(error.phase)), \(SafeText.line(error.type))", .dim)
        if let number = error.systemErrno { details.append(", errno \(number)", .dim) }
        if let source = error.cancelSource {
            details.append(", by \(SafeText.line(source.localizedDescription ?? source.description))", .dim)
        }
        lines.append(details)
        if let underlying = error.underlying?.error {
            lines.append(StyledLine("after: \(SafeText.line(underlying.message))", .dim))
        }
        return lines
    }

    /// When it happened: `while connecting`, `in the queue`.
    package static func phase(_ phase: NetworkError.Phase) -> String {
        switch phase {
        case .preparation: "while preparing"
        case .queue: "in the queue"
        case .dns: "while looking up the name"
        case .connection: "while connecting"
        case .tls: "in the TLS handshake"
        case .request: "while sending the request"
        case .response: "while waiting for the response"
        case .body: "while receiving the body"
        }
    }
}
