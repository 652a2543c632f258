import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// The tabs that there are: `checks` only when something was checked, or when it is being looked at.
    var responsePaneTabs: [ResponsePaneState.Tab] {
        let hasChecks = panes.response.tab == .checks || shownOperation?.report != nil
        return ResponsePaneState.Tab.allCases.filter { $0 != .checks || hasChecks }
    }

    /// What was expected and captured, what isn't right first in its own colour, each with its place.
    func checks(_ subject: ResponseSubject, columns: Int) -> ResponseContent {
        guard let report = subject.entry.report else {
            return .nothing([subject.entry.state.isFinal ? "This run had nothing to check." : "Nothing has been checked yet."])
        }
        var lines: [StyledLine] = []
        if let failure = report.failure {
            lines += StyledLine([.init("✗ ", .error), .init(SafeText.line(failure), .text)]).wrapped(columns: columns, indent: 2)
        }
        if report.unseen > 0 { lines.append(StyledLine("· \(report.tallies[0]): no answer came", .dim)) }
        for result in report.expectations {
            lines += line(of: result).wrapped(columns: columns, indent: 2)
        }
        if !report.captured.isEmpty, !lines.isEmpty { lines.append(StyledLine()) }
        for captured in report.captured {
            lines += StyledLine([
                .init("→ ", .info), .init(SafeText.line(captured.name), .strong),
                .init(" = " + SafeText.line(captured.text), .text),
            ]).wrapped(columns: columns, indent: 2)
        }
        return .lines(lines)
    }

    /// What was expected, and what was found in its place.
    func line(of result: ExpectationResult) -> StyledLine {
        var line = StyledLine(result.isMet ? "✓ " : "✗ ", result.isMet ? .success : .error)
        line.append(SafeText.line("\(result.what) "), .strong)
        line.append(SafeText.line(result.expected), .text)
        if !result.isMet { line.append(", found " + SafeText.line(result.found), .warning) }
        line.append("  \(SafeText.line("\(result.location)"))", .dim)
        return line
    }
}
