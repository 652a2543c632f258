import CollectionRunner
import Presentation
import RequestCollections
import TerminalUI

/// `run --plan`: what would be sent, in which order, and why.
enum RunPlanLines {
    /// `2  POST  orders/create  after login (token)`
    static func lines(of plan: RunPlan) -> [StyledLine] {
        // The plan of one row is that of each.
        let rows = plan.round.compactMap(\.row).reduce(into: [RunIteration]()) { rows, row in
            if rows.last != row { rows.append(row) }
        }
        let nodes = plan.round.filter { rows.isEmpty || $0.row == rows[0] }.enumerated()
        let digits = "\(plan.round.count / max(rows.count, 1))".count
        let methods = nodes.map(\.element.job.definition.method.count).max() ?? 0
        var lines = nodes.map { line($0 + 1, $1, in: plan, digits: digits, methods: methods) }
        if !rows.isEmpty {
            let names = rows.prefix(3).map { SafeText.line($0.name) } + (rows.count > 3 ? ["…"] : [])
            lines.append(
                StyledLine("all of it for \(Figures.count(rows.count, "row")): \(names.joined(separator: ", "))", .dim))
        }
        if plan.rounds > 1, !lines.isEmpty { lines.append(StyledLine("all of it \(Figures.count(plan.rounds)) times", .dim)) }
        return lines.isEmpty ? [StyledLine("nothing to send", .warning)] : lines
    }

    /// - Parameters:
    ///   - digits: the columns of the longest number.
    ///   - methods: those of the longest method.
    static func line(_ number: Int, _ node: RunPlan.Node, in plan: RunPlan, digits: Int, methods: Int) -> StyledLine {
        var line = StyledLine(Figures.right("\(number)", digits) + "  ", .dim)
        let method = SafeText.line(node.job.definition.method)
        line.append(method + String(repeating: " ", count: max(0, methods - method.count)) + "  ")
        line.append(SafeText.line(node.job.title), .strong)
        // Tear-downs go one after the other, and after all the rest.
        let earlier = node.step == .tearDown ? [] : node.edges.map { reason($0, in: plan) }
        if !earlier.isEmpty { line.append("  after \(earlier.joined(separator: ", "))", .dim) }
        if !node.isSelected { line.append("  \(role(of: node, in: plan))", .dim) }
        if let age = node.allowedAge {
            line.append("  unless it was answered less than \(DurationText.format(age)) ago", .dim)
        }
        let conditions = node.job.collection.conditions(of: node.job.definition).map(\.when.description)
        if !conditions.isEmpty { line.append("  when \(SafeText.line(conditions.joined(separator: ", ")))", .dim) }
        if let loop = node.job.definition.forEach, loop.source != nil {
            line.append("  for \(SafeText.line(loop.description))", .dim)
        }
        if let until = node.job.definition.until { line.append("  until \(SafeText.line(until.description))", .dim) }
        if let failure = node.failure { line.append("  can't be sent: \(SafeText.line(failure.description))", .error) }
        return line
    }

    /// Why it is there, though nobody asked for it: `needed`, or `tear-down of orders/create`.
    private static func role(of node: RunPlan.Node, in plan: RunPlan) -> String {
        guard let step = node.step else { return "needed" }
        guard node.undoes.count == 1 else { return step.rawValue }
        let what = node.undoesItems ? "each item of " : ""
        let undone = "\(step.rawValue) of \(what)\(SafeText.line(plan.nodes[node.undoes[0]].job.title))"
        return node.twin == nil ? undone : undone + ", unless it is sent before"
    }

    /// `login (token)`
    private static func reason(_ edge: RunPlan.Edge, in plan: RunPlan) -> String {
        let names = edge.reasons.compactMap { if case .capture(let name) = $0 { name } else { nil } }.sorted()
        return SafeText.line(plan.nodes[edge.node].job.title + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"))
    }
}

extension RunPlan.Node {
    /// The row of `--data`.
    fileprivate var row: RunIteration? { job.iterations.first { $0.scope == .data } }
}
