import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// What differs between a run and the one before it, in one line: `same body · +1.2 ms (12 runs) · x-version 41 → 42`.
struct RunChange: Hashable, Sendable {
    let line: StyledLine

    /// - Parameter usual: how long the request's runs take; `nil`: too few are known.
    init(_ old: ComparedRun, _ new: ComparedRun, usual: UsualTime?) {
        var parts = [Self.body(old, new)]
        let codes = [old, new].map { $0.response.info.map { "\($0.head.status.code)" } ?? "no answer" }
        if codes[0] != codes[1] { parts.insert(StyledLine("\(codes[0]) → \(codes[1])", .warning), at: 0) }
        if let time = Self.time(old.response.metrics, new.response.metrics, usual) { parts.append(time) }
        parts += Self.headers(old.response, new.response)
        line = parts.dropFirst().reduce(into: parts[0]) { line, part in
            line.append(" · ", .dim)
            line.spans += part.spans
        }
    }

    private static func body(_ old: ComparedRun, _ new: ComparedRun) -> StyledLine {
        guard let before = old.body, let after = new.body else {
            return StyledLine(old.body == nil && new.body == nil && old.bodyNote == nil ? "no body" : "body not compared", .dim)
        }
        if before == after { return StyledLine("same body", .dim) }
        if let old = old.json, let new = new.json {
            let difference = JSONDifference(old, new)
            if difference.changes.isEmpty { return StyledLine("same values", .dim) }
            return StyledLine(
                "body: \(Figures.count(difference.differing)) of \(Figures.count(difference.total, "value"))", .warning)
        }
        let difference = LineDifference(before, after)
        return StyledLine("body: +\(Figures.count(difference.added)) -\(Figures.count(difference.removed, "line"))", .warning)
    }

    /// Against the median of the runs that are known, else against the run before. A usual time is dim.
    private static func time(_ old: OperationMetrics, _ new: OperationMetrics, _ usual: UsualTime?) -> StyledLine? {
        guard let total = new.total, let before = usual?.median ?? old.total else { return nil }
        let isSlower = total >= before
        let text = (isSlower ? "+" : "-") + Figures.duration(isSlower ? total - before : before - total)
        guard let usual else { return StyledLine(text, .dim) }
        let role: ThemeRole = usual.range.contains(total) ? .dim : isSlower ? .warning : .success
        return StyledLine("\(text) (\(usual.runs) runs)", role)
    }

    /// Fields that differ in each answer, or follow from the body.
    private static let volatile: Set<String> = [
        "date", "age", "expires", "last-modified", "etag", "content-length", "set-cookie", "server-timing", "traceparent", "cf-ray",
        "x-request-id", "x-correlation-id", "x-trace-id", "x-runtime", "x-response-time",
    ]

    /// The first field that changed, and the number of further ones.
    private static func headers(_ old: Response, _ new: Response) -> [StyledLine] {
        let (before, after) = (old.info?.head.headers ?? [:], new.info?.head.headers ?? [:])
        var names: [HTTPField.Name] = []
        for field in Array(before) + Array(after)
        where !names.contains(field.name) && before[values: field.name] != after[values: field.name] {
            if !volatile.contains(field.name.canonicalName) { names.append(field.name) }
        }
        guard let first = names.first else { return [] }
        func value(_ fields: HTTPFields) -> String {
            fields[first].map { String(HeaderText.value($0, of: first.rawName).text.prefix(24)) } ?? "none"
        }
        let line = StyledLine("\(first.canonicalName) \(value(before)) → \(value(after))", .warning)
        return [line] + (names.count > 1 ? [StyledLine("\(names.count - 1) more headers", .warning)] : [])
    }
}

extension ExplorerState {
    /// Asks what differs between the shown run and the one before it, if there is one.
    func askForChange(of id: OperationID) -> [ExplorerEffect] {
        guard operations.selected == id, let entry = operations[id], entry.sent.isPlain, let info = entry.response?.info,
            info.body.count <= ComparedRun.limit, let before = runBefore(id)
        else { return [] }
        return [.findChange(before, id)]
    }

    /// The run of the same request in the same environment that was answered before.
    func runBefore(_ id: OperationID) -> OperationID? {
        let rows = historyRows
        guard let index = rows.firstIndex(of: id) else { return nil }
        let environment = operations[id]?.environment ?? pastRuns[id]?.environment
        return rows[(index + 1)...].first { other in
            guard request(of: other) == request(of: id) else { return false }
            if let run = operations[other] {
                return run.environment == environment && run.response?.info != nil && run.sent.isPlain && !run.isReleased
            }
            return pastRuns[other].map { $0.environment == environment && $0.status != nil && $0.note == nil } ?? false
        }
    }
}
