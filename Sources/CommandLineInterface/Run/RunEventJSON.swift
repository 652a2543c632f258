import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

/// Events of a run that no operation has, for `run --events jsonl`: lines beside those of ``EventJSON``.
///
/// | event     | members, beside `event`, `request`, `iteration`, `node` and `run_us` |
/// |-----------|---------|
/// | `plan`    | the first: `rounds`, and `nodes`: { `node`, `request`, `iteration`, `method`, `step`, `needed`, `after` } |
/// | `iteration_started` | none: what is sent for an item is sent for the first time |
/// | `delayed` | `delay_us`: it is sent after that |
/// | `poll`    | `number`, `status`, `unmet`, `next_us` until the next one, which is absent behind the last |
/// | `skipped`, `blocked` | `reason` |
/// | `set_up`, `tear_down`, `iteration_ended` | `verdict`, when it is over |
///
/// `node` counts the plan's nodes from 1, as `run --plan` does, round after round; `run_us` are microseconds since the run began.
struct RunEventJSON: Sendable {
    private let start: MonotonicTime

    init(start: MonotonicTime) { self.start = start }

    static func plan(_ plan: RunPlan) -> String {
        let nodes = plan.round.enumerated().map { index, node in
            var members: [JSONValue.Member] = [
                .init(name: "node", value: .number("\(index + 1)")), .init(name: "request", value: .string(node.id.rawValue)),
            ]
            if let name = node.job.iterationName { members.append(.init(name: "iteration", value: .string(name))) }
            members.append(.init(name: "method", value: .string(node.job.definition.method)))
            if let step = node.step { members.append(.init(name: "step", value: .string(step.word))) }
            if !node.isSelected { members.append(.init(name: "needed", value: .boolean(true))) }
            let after = node.edges.map { JSONValue.number("\($0.node + 1)") }
            if !after.isEmpty { members.append(.init(name: "after", value: .array(after))) }
            return JSONValue.object(members)
        }
        return JSONValue.object([
            .init(name: "event", value: .string("plan")), .init(name: "rounds", value: .number("\(plan.rounds)")),
            .init(name: "nodes", value: .array(nodes)),
        ]).text(pretty: false)
    }

    private func line(_ event: String, _ job: RunJob, at now: MonotonicTime, _ more: [(String, JSONValue?)]) -> String {
        let node = job.node.map { JSONValue.number("\($0 + 1)") }
        let members: [(String, JSONValue?)] =
            [
                ("event", .string(event)), ("request", .string(job.definition.id.rawValue)),
                ("iteration", job.iterationName.map(JSONValue.string)), ("node", node), ("run_us", Self.microseconds(now - start)),
            ] + more
        return JSONValue.object(members.compactMap { name, value in value.map { .init(name: name, value: $0) } }).text(
            pretty: false)
    }

    private static func microseconds(_ duration: Duration) -> JSONValue { .number("\(duration.wholeMicroseconds)") }

    /// Before a request is sent.
    func lines(before run: PreparedRun, at now: MonotonicTime) -> [String] {
        guard !run.isAgain else { return [] }
        let begins = run.job.iterationName == nil ? [] : [line("iteration_started", run.job, at: now, [])]
        return begins + (run.delay > .zero ? [line("delayed", run.job, at: now, [("delay_us", Self.microseconds(run.delay))])] : [])
    }

    func line(_ poll: Polling.Poll, number: Int, next pause: Duration?, of run: PreparedRun, at now: MonotonicTime) -> String {
        line(
            "poll", run.job, at: now,
            [
                ("number", .number("\(number)")), ("status", poll.status.map { .number("\($0.code)") }),
                ("unmet", poll.unmet.isEmpty && poll.error == nil ? nil : .string(poll.found)),
                ("next_us", pause.map(Self.microseconds)),
            ])
    }

    /// When a request is over.
    func lines(of entry: RunOutcome.Entry, at now: MonotonicTime) -> [String] {
        let verdict: [(String, JSONValue?)] = [("verdict", .string(entry.verdict.rawValue))]
        var lines: [String] = []
        if [.skipped, .blocked].contains(entry.verdict) {
            lines.append(line(entry.verdict.rawValue, entry.job, at: now, [("reason", entry.reasons.first.map(JSONValue.string))]))
        }
        if let step = entry.step { lines.append(line(step.word, entry.job, at: now, verdict)) }
        if entry.job.iterationName != nil { lines.append(line("iteration_ended", entry.job, at: now, verdict)) }
        return lines
    }
}

extension RunPlan.Step {
    /// As events have it.
    fileprivate var word: String { self == .setUp ? "set_up" : "tear_down" }
}
