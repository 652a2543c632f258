import CollectionRunner
import Presentation
import RequestCollections
import TerminalUI

/// `run --plan`: what would be sent, in which order, and why.
enum RunPlanLines {
    /// `2  POST  orders/create  after login (token)`
    static func lines(of plan: RunPlan) -> [StyledLine] {
        let nodes = plan.round.enumerated()
        let digits = "\(plan.round.count)".count
        let methods = nodes.map(\.element.job.definition.method.count).max() ?? 0
        var lines = nodes.map { index, node in
            var line = StyledLine(Figures.right("\(index + 1)", digits) + "  ", .dim)
            let method = SafeText.line(node.job.definition.method)
            line.append(method + String(repeating: " ", count: max(0, methods - method.count)) + "  ")
            line.append(SafeText.line(node.id.rawValue), .strong)
            let earlier = node.edges.map { reason($0, in: plan) }
            if !earlier.isEmpty { line.append("  after \(earlier.joined(separator: ", "))", .dim) }
            if !node.isSelected { line.append("  needed", .dim) }
            if let age = node.allowedAge {
                line.append("  unless it was answered less than \(DurationText.format(age)) ago", .dim)
            }
            if let until = node.job.definition.until { line.append("  until \(SafeText.line(until.description))", .dim) }
            if let failure = node.failure { line.append("  can't be sent: \(SafeText.line(failure.description))", .error) }
            return line
        }
        if plan.rounds > 1, !lines.isEmpty { lines.append(StyledLine("all of it \(Figures.count(plan.rounds)) times", .dim)) }
        return lines.isEmpty ? [StyledLine("nothing to send", .warning)] : lines
    }

    /// `login (token)`
    private static func reason(_ edge: RunPlan.Edge, in plan: RunPlan) -> String {
        let names = edge.reasons.compactMap { if case .capture(let name) = $0 { name } else { nil } }.sorted()
        return SafeText.line(plan.nodes[edge.node].id.rawValue + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"))
    }
}
