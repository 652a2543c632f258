import Base
package import HTTPTypes
package import NetworkLayer
package import TerminalUI

package enum StatusText {
    /// `201 Created`, in the colour of its class. The phrase is the one that was sent, else the registered one.
    package static func span(_ status: HTTPResponse.Status) -> StyledLine.Span {
        StyledLine.Span(text(status), role(status.code))
    }

    package static func text(_ status: HTTPResponse.Status) -> String {
        let sent = SafeText.line(status.reasonPhrase)
        let phrase = sent.isEmpty ? phrase(status.code) ?? "" : sent
        return phrase.isEmpty ? "\(status.code)" : "\(status.code) \(phrase)"
    }

    package static func role(_ code: Int) -> ThemeRole {
        switch code {
        case 100..<200: .status1xx
        case 200..<300: .status2xx
        case 300..<400: .status3xx
        case 400..<500: .status4xx
        case 500..<600: .status5xx
        default: .statusError
        }
    }

    /// What an attempt came to, in a word: its status, `cancelled`, `timeout`, the end of its error's type (`refused`).
    package static func result(_ attempt: AttemptMetrics) -> StyledLine.Span? {
        if let error = attempt.error {
            if error.code == .cancelled { return StyledLine.Span("cancelled", .stateCancelled) }
            if error.code.isTimeout { return StyledLine.Span("timeout", .statusError) }
            let name = error.type.split(separator: ".").last.map { $0.replacing(scalars: "_", with: " ") } ?? "error"
            return StyledLine.Span(SafeText.line(name), .statusError)
        }
        guard let head = attempt.head else { return nil }
        return StyledLine.Span("\(head.status.code)", role(head.status.code))
    }

    package static func phrase(_ code: Int) -> String? { StatusPhrases.phrase(code) }
}
