import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// `run --dry-run`: each request of a plan as it would be sent, as far as that can be known without sending anything.
struct DryRun {
    var plan: RunPlan
    /// The process's environment.
    var environment: [String: String]

    /// Each line of the plan with its request below it. No secret is read for it, and no command is run.
    ///
    /// - Parameter say: takes the lines of one request at a time.
    /// - Returns: whether all of them can be filled in, but for what only secrets and answers give.
    func forEach(_ say: ([StyledLine]) throws -> Void) rethrows -> Bool {
        var isWhole = true
        let digits = "\(plan.round.count)".count
        let methods = plan.round.map(\.job.definition.method.count).max() ?? 0
        let indent = String(repeating: " ", count: digits + 2)
        for (index, node) in plan.round.enumerated() where node.twin == nil {
            if let failure = node.failure, failure.reason != .condition { isWhole = false }
            var lines = [RunPlanLines.line(index + 1, node, in: plan, digits: digits, methods: methods)]
            do throws(ResolutionError) {
                let resolved = try node.job.collection.resolve(
                    node.job.definition, environment: node.job.environment, variables: node.job.variables,
                    with: TemplateEnvironment(processEnvironment: environment, showsPlaceholders: true))
                // A body is one entry of several lines.
                lines += ShownRequest(resolved).lines.flatMap(\.lines).map { StyledLine($0.isEmpty ? "" : indent + $0, .text) }
            } catch {
                isWhole = false
                // The plan's own failures stand in its line.
                if node.failure == nil { lines.append(StyledLine("\(indent)can't be sent: \(SafeText.line("\(error)"))", .error)) }
            }
            try say(index > 0 ? [StyledLine()] + lines : lines)
        }
        return isWhole
    }
}
