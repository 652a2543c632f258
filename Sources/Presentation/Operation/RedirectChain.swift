import Base
import HTTPTypes
package import NetworkLayer
package import TerminalUI

/// What a redirect led to.
package enum RedirectChain {
    /// Where it leads, what changed on the way, and warnings.
    package static func notes(_ hop: RedirectHop, _ attempt: AttemptMetrics) -> [StyledLine] {
        var notes: [StyledLine] = []
        var target = StyledLine("→ ", .dim)
        target.spans += URLText.line(hop.location).spans
        notes.append(target)
        if let method = hop.newMethod {
            var line = StyledLine("method ", .dim)
            line.spans.append(MethodText.span(attempt.request.method.rawValue))
            line.append(" → ", .dim)
            line.spans.append(MethodText.span(method))
            notes.append(line)
        }
        if !hop.otherDroppedHeaders.isEmpty {
            var line = StyledLine("dropped ", .warning)
            line.append(hop.otherDroppedHeaders.map { SafeText.line($0) }.joined(separator: ", "), .headerName)
            notes.append(line)
        }
        for withheld in hop.withheld {
            var line = StyledLine("withheld ", .warning)
            line.append(SafeText.line(withheld.part), .headerName)
            if !withheld.secrets.isEmpty {
                line.append(
                    SafeText.line(
                        ": \(withheld.secrets.joined(separator: ", ")) is for \(withheld.origins.joined(separator: ", "))"),
                    .warning)
            }
            notes.append(line)
        }
        if hop.decision == .followed, !hop.withheld.isEmpty {
            notes.append(StyledLine("redirects.keep-auth: always would send it along", .dim))
        }
        if hop.isDowngrade {
            notes.append(StyledLine("from https to http: what follows can be read by anyone on the way", .warning))
        }
        switch hop.decision {
        case .followed: break
        case .refusedByPolicy: notes.append(StyledLine("not followed: the redirect policy of this request says so", .info))
        case .refusedByDelegate: notes.append(StyledLine("not followed: the program decided so", .info))
        case .failed:
            notes.append(StyledLine("not followed: \(SafeText.line(attempt.error?.message ?? "it can't be"))", .error))
        }
        return notes
    }
}
