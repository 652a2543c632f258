import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// What `run` says of a request, and of all of them.
enum RunLines {
    /// `✓ orders/create  201 Created  143 ms`, and below it why, where it isn't passed.
    ///
    /// - Parameter isWhole: also what was sent and answered.
    static func lines(of entry: RunOutcome.Entry, isWhole: Bool = false) -> [StyledLine] {
        var line: StyledLine
        switch entry.verdict {
        case .passed where entry.isDoubtful: line = StyledLine("⚠ ", .warning)
        case .passed: line = StyledLine("✓ ", .success)
        case .failed: line = StyledLine("✗ ", .error)
        case .broken, .stopped: line = StyledLine("! ", .error)
        case .blocked, .skipped, .notSent: line = StyledLine("- ", .dim)
        }
        line.append(SafeText.line(entry.title), .strong)
        if let status = entry.status {
            line.append("  ")
            line.spans.append(StatusText.span(status))
        }
        if let errors = entry.queryErrorsSentence { line.append("  " + SafeText.line(errors), .warning) }
        if let close = entry.result?.response?.metrics.attempts.last?.session?.close {
            line.append(close.code == 1006 ? "  not closed" : "  closed \(close.code)", .dim)
        }
        if let duration = entry.duration { line.append("  " + Figures.duration(duration), .dim) }
        let attempts = entry.result?.response?.metrics.attempts.count ?? 0
        if attempts > 1 { line.append("  \(attempts) attempts", .dim) }
        if let polling = entry.result?.polling, polling.polls.count > 1 { line.append("  \(polling.times)", .dim) }
        if let path = entry.result?.savedPath { line.append("  → \(SafeText.line(path))", .dim) }
        if entry.isNeeded { line.append("  \(entry.step?.rawValue ?? "needed")", .dim) }
        guard entry.verdict != .passed || isWhole else { return [line] }
        let story = FailureStory(entry)
        return [line]
            + (isWhole ? story.lines : story.shortLines).map { StyledLine($0.isEmpty ? "" : "    " + SafeText.line($0), .text) }
    }

    /// `12 passed, 2 failed, 1 broken in 1.34 s`
    static func summary(of outcome: RunOutcome) -> StyledLine {
        let counts = outcome.counts
        var line = StyledLine()
        for (verdict, word, role) in [
            (RunOutcome.Verdict.passed, "passed", ThemeRole.success), (.failed, "failed", .error), (.broken, "broken", .error),
            (.stopped, "cancelled", .error), (.blocked, "blocked", .warning), (.skipped, "skipped", .dim),
            (.notSent, "not sent", .warning),
        ] {
            guard let count = counts[verdict], count > 0 else { continue }
            if !line.spans.isEmpty { line.append(", ") }
            line.append("\(Figures.count(count)) \(word)", role)
            guard verdict == .passed else { continue }
            let doubts = [(outcome.doubtful.statuses, "a status of 400 or more"), (outcome.doubtful.errors, "errors of GraphQL")]
                .filter { $0.0 > 0 }.map { "\(Figures.count($0)) with \($1)" }
            if !doubts.isEmpty { line.append(" (\(doubts.joined(separator: ", ")))", .warning) }
        }
        if line.spans.isEmpty { line.append("nothing to send", .warning) }
        line.append(" in \(Figures.duration(outcome.duration))", .dim)
        return line
    }
}

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
                var sources = TemplateEnvironment(processEnvironment: environment, mode: .show)
                sources.showsUnknownAddresses = true
                let resolved = try node.job.collection.resolve(
                    node.job.definition, environment: node.job.environment, variables: node.job.variables, with: sources)
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

extension RunPlan {
    /// What is selected of some collections, and what that needs.
    ///
    /// - Parameter rows: all of it is sent once for each.
    init(
        _ collections: [RequestCollection], _ selection: RequestSelection, environment: String? = nil,
        variables: [String: JSONValue] = [:], rows: [RunIteration]? = nil, repeats: Int = 1, shard: Shard? = nil
    ) {
        var jobs: [RunJob] = []
        for collection in collections {
            // An environment that only some of several collections have is theirs alone.
            let own = environment.flatMap { !collection.environmentNames.contains($0) && collections.count > 1 ? nil : $0 }
            let steps = collection.hasSteps ? collection.stepIDs : []
            let requests = collection.sharedRequests {
                selection.includes($0) && (!steps.contains($0.id) || selection.names($0))
            }
            guard let first = requests.first else { continue }
            let job = RunJob(first.wrappedValue, in: collection, environment: own, variables: variables)
            jobs += requests.map(job.with)
        }
        if let rows {
            // A row's requests belong together.
            jobs = rows.filter { shard?.includes($0.index) ?? true }.flatMap { row in
                jobs.map { job in
                    var job = job
                    job.iterations = [row]
                    return job
                }
            }
        }
        var place = 0
        self.init(jobs, rounds: repeats) { job in
            guard selection.includes(itemOf: job) else { return false }
            defer { place += 1 }
            return rows != nil || shard?.includes(place) ?? true
        }
    }
}
