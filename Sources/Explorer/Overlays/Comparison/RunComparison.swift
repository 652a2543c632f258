import Base
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// One of two runs that are compared.
struct ComparedRun: Sendable {
    var title: String
    var date: Date?
    var response: Response
    /// Laid out as the body pane would; `nil` when there is none to be had.
    var body: String?
    /// Why there is none.
    var bodyNote: String?
    /// The body as a value; `nil`: it is no JSON.
    var json: JSONValue?
    /// What was different for this run alone: `HTTP 1.1`.
    var whatIf: String?

    init(
        title: String, date: Date?, response: Response, body: String?, bodyNote: String? = nil, json: JSONValue? = nil
    ) {
        self.json = json
        self.title = title
        self.date = date
        self.response = response
        self.body = body
        self.bodyNote = bodyNote
    }
}

/// What two runs have apart: status, times, headers, body. The older one is `-`, the newer one `+`.
struct RunComparison: Hashable, Sendable {
    private(set) var lines: [StyledLine] = []
    /// The lines about the times, for each moment at which the two can meet; the first of them stand in ``lines``.
    private(set) var alignments: [[StyledLine]] = []
    /// Where they stand.
    private(set) var waterfall = 0..<0

    /// - Parameter usual: what `wait` and `total` are measured by; absent: too little is known of the request.
    init(_ old: ComparedRun, _ new: ComparedRun, usual: [String: UsualTime] = [:]) {
        let isOnPurpose = old.whatIf != nil || new.whatIf != nil
        head(old, "-", .error, saysWhatIf: isOnPurpose)
        head(new, "+", .success, saysWhatIf: isOnPurpose)
        results(old.response, new.response)
        let metrics = (old.response.metrics, new.response.metrics)
        alignments = ComparedWaterfall.Alignment.allCases.map { Self.times(metrics.0, metrics.1, $0, usual) }
        waterfall = lines.count..<lines.count + alignments[0].count
        lines += alignments[0]
        headers(old.response, new.response)
        body(old, new)
    }

    private mutating func title(_ text: String, _ note: String = "") {
        lines.append(StyledLine())
        var line = StyledLine(text, .title)
        if !note.isEmpty { line.append("  " + note, .dim) }
        lines.append(line)
    }

    private mutating func head(_ run: ComparedRun, _ sign: String, _ role: ThemeRole, saysWhatIf: Bool) {
        var line = StyledLine(sign + " ", role)
        line.append(SafeText.line(run.title), .strong)
        if saysWhatIf {
            line.append(
                "  " + (run.whatIf.map { "what if: \(SafeText.line($0))" } ?? "as it is"), run.whatIf == nil ? .text : .unsaved)
        }
        if let date = run.date { line.append("  " + Figures.date(date), .dim) }
        lines.append(line)
    }

    // MARK: Status

    private mutating func results(_ old: Response, _ new: Response) {
        let (before, after) = (Self.result(old), Self.result(new))
        title("result", before == after ? "the same" : "")
        if before == after {
            lines.append(StyledLine("  " + before))
        } else {
            changed(before, after)
        }
        let (first, second) = (old.originalRequest, new.originalRequest)
        let requests = [first, second].map { "\($0.method.rawValue) \(URLText.line($0.url.absoluteString).text)" }
        if requests[0] != requests[1] {
            title("request")
            changed(requests[0], requests[1])
        }
    }

    private static func result(_ response: Response) -> String {
        if let error = response.error { return SafeText.line(error.message) }
        guard let status = response.info?.head.status else { return response.metrics.state.description }
        let attempts = response.metrics.attempts.count
        return StatusText.span(status).text + (attempts > 1 ? ", \(attempts) attempts" : "")
    }

    private mutating func changed(_ old: String, _ new: String) {
        lines.append(StyledLine("- " + old, .error))
        lines.append(StyledLine("+ " + new, .success))
    }

    // MARK: Times

    private static func times(
        _ old: OperationMetrics, _ new: OperationMetrics, _ alignment: ComparedWaterfall.Alignment,
        _ usual: [String: UsualTime]
    ) -> [StyledLine] {
        let axis = ComparedWaterfall(old, new, alignment)
        var title = StyledLine("time", .title)
        title.append("  █ the newer run, ░ the older one, \(alignment.words)", .dim)
        var lines = [StyledLine(), title]
        // Whose figures stand below.
        var heads = StyledLine(Figures.left("", 10))
        heads.append(Figures.right("-", 9), .error)
        heads.append(Figures.right("+", 10), .success)
        lines.append(heads)
        var rows: [(String, Duration?, Duration?)] = Phases.Name.allCases.map {
            ($0.rawValue, sum($0, old), sum($0, new))
        }
        rows.append(("total", old.total, new.total))
        var notes: [StyledLine] = []
        for (name, before, after) in rows where before != nil || after != nil {
            var line = StyledLine("  " + Figures.left(name, 8), .dim)
            line.append(Figures.right(before.map(Figures.duration) ?? "-", 9))
            line.append(Figures.right(after.map(Figures.duration) ?? "-", 10))
            if let before, let after, before != after {
                let isSlower = after > before
                let text = (isSlower ? "+" : "-") + Figures.duration(isSlower ? after - before : before - after)
                let range = usual[name].flatMap { $0.range.contains(before) && $0.range.contains(after) ? $0 : nil }
                line.append(Figures.right(text, 11), range != nil ? .dim : isSlower ? .warning : .success)
                if let range { notes.append(StyledLine("  " + range.words(about: name), .info)) }
            } else {
                line.append(Figures.right("", 11))
            }
            line.spans += axis.bar(name).spans
            lines.append(line)
        }
        if let why = axis.why { lines.append(StyledLine("  " + why, .info)) }
        return lines + notes
    }

    private static func sum(_ name: Phases.Name, _ metrics: OperationMetrics) -> Duration? {
        let durations = metrics.attempts.compactMap { $0.phases[name]?.duration }
        return durations.isEmpty ? nil : durations.reduce(.zero, +)
    }

    // MARK: Headers

    private mutating func headers(_ old: Response, _ new: Response) {
        let before = Self.fields(old)
        let after = Self.fields(new)
        let gone = before.filter { !after.contains($0) }
        let come = after.filter { !before.contains($0) }
        let same = before.count - gone.count
        title("headers", gone.isEmpty && come.isEmpty ? "the same" : same > 0 ? "\(same) the same" : "")
        // A header that has another value has both below each other.
        for field in gone {
            lines.append(StyledLine("- \(field.name): \(field.value)", .error))
            lines += come.filter { $0.name == field.name }.map { StyledLine("+ \($0.name): \($0.value)", .success) }
        }
        for field in come where !gone.contains(where: { $0.name == field.name }) {
            lines.append(StyledLine("+ \(field.name): \(field.value)", .success))
        }
    }

    private struct Field: Equatable {
        var name: String
        var value: String
    }

    private static func fields(_ response: Response) -> [Field] {
        (response.info?.head.headers ?? [:]).map {
            Field(name: $0.name.canonicalName, value: HeaderText.value($0.value, of: $0.name.rawName).text)
        }
    }

    // MARK: Body

    private mutating func body(_ old: ComparedRun, _ new: ComparedRun) {
        guard let before = old.body, let after = new.body else {
            title(
                "body",
                [old.body == nil ? old.bodyNote : nil, new.body == nil ? new.bodyNote : nil].compactMap { $0 }.first ?? "none")
            return
        }
        guard before != after else { return title("body", "the same") }
        if let old = old.json, let new = new.json { return structure(old, new) }
        let difference = LineDifference(before, after)
        title("body", "\(Figures.count(difference.removed, "line")) gone, \(Figures.count(difference.added)) new")
        for piece in difference.pieces {
            switch piece {
            case .same(let text): lines.append(StyledLine("  " + SafeText.line(text), .dim))
            case .removed(let text): lines.append(StyledLine("- " + SafeText.line(text), .error))
            case .added(let text): lines.append(StyledLine("+ " + SafeText.line(text), .success))
            case .skipped(let count): lines.append(StyledLine("  … \(Figures.count(count, "line")) the same", .stale))
            case .unknown(let old, let new):
                lines.append(
                    StyledLine(
                        "  too different to be shown line by line: \(Figures.count(old)) and \(Figures.count(new)) lines", .dim))
            }
        }
    }

    /// More tell nothing.
    private static let mostChanges = 200
    /// How wide a value may be that is shown in one line.
    private static let columns = 200

    private mutating func structure(_ old: JSONValue, _ new: JSONValue) {
        let difference = JSONDifference(old, new)
        guard !difference.changes.isEmpty else { return title("body", "the same values, in another order or layout") }
        title("body", "\(Figures.count(difference.differing)) of \(Figures.count(difference.total, "value")) differ")
        func begin(_ sign: String, _ path: String, _ role: ThemeRole) -> StyledLine {
            StyledLine([.init(sign + " ", role), .init(SafeText.line(path), .syntaxKey), .init("  ", .text)])
        }
        func glance(_ value: JSONValue) -> [StyledLine.Span] {
            JSONGlance.line(value.text(pretty: false), columns: Self.columns).spans
        }
        for change in difference.changes.prefix(Self.mostChanges) {
            switch change {
            case .removed(let path, let value):
                var line = begin("-", path, .error)
                line.spans += glance(value)
                lines.append(line)
            case .added(let path, let value):
                var line = begin("+", path, .success)
                line.spans += glance(value)
                lines.append(line)
            case .changed(let path, let before, let after):
                var line = begin("≠", path, .warning)
                line.spans += glance(before)
                line.append(" → ", .dim)
                line.spans += glance(after)
                lines.append(line)
            }
        }
        let more = difference.changes.count - Self.mostChanges
        if more > 0 { lines.append(StyledLine("  … and \(Figures.count(more)) more", .stale)) }
    }
}

/// The phases of two runs on one axis, moved so that they meet at one moment.
struct ComparedWaterfall {
    private let old: OperationMetrics
    private let new: OperationMetrics
    /// How much later each of them begins, so that they meet.
    private let oldDelay: Duration
    private let newDelay: Duration
    private let whole: Duration

    private static let columns = 28

    /// Where two runs meet.
    enum Alignment: CaseIterable {
        case start, send, firstByte

        var words: String {
            switch self {
            case .start: "from the start"
            case .send: "meeting where they send"
            case .firstByte: "meeting at the first byte"
            }
        }
    }

    init(_ old: OperationMetrics, _ new: OperationMetrics, _ alignment: Alignment = .start) {
        self.old = old
        self.new = new
        let lead = [old, new].map { Self.lead($0, alignment) }
        let latest = max(lead[0], lead[1])
        (oldDelay, newDelay) = (latest - lead[0], latest - lead[1])
        let ends = [Self.length(old).map { $0 + latest - lead[0] }, Self.length(new).map { $0 + latest - lead[1] }]
        whole = max(.microseconds(1), ends.compactMap(\.self).max() ?? .zero)
    }

    private static func length(_ metrics: OperationMetrics) -> Duration? {
        guard let start = metrics.attempts.first?.start, let end = metrics.completed else { return nil }
        return end - start
    }

    /// From the start to where they meet, of the last attempt; 0 when it never came to that.
    private static func lead(_ metrics: OperationMetrics, _ alignment: Alignment) -> Duration {
        guard let start = metrics.attempts.first?.start, let last = metrics.attempts.last else { return .zero }
        let moment: MonotonicTime? =
            switch alignment {
            case .start: nil
            case .send: last.phases[.send]?.start
            case .firstByte: last.phases[.wait]?.end
            }
        return moment.map { max(.zero, $0 - start) } ?? .zero
    }

    /// A cell is the newer run's where that has something, else the older one's.
    func bar(_ name: String) -> StyledLine {
        let phase = Phases.Name(rawValue: name)
        let before = cells(of: old, phase, after: oldDelay)
        let after = cells(of: new, phase, after: newDelay)
        var line = StyledLine("  ")
        for column in 0..<Self.columns {
            if after[column] {
                line.append("█", phase.map(PhaseText.role) ?? .accent)
            } else {
                line.append(before[column] ? "░" : " ", .dim)
            }
        }
        return line
    }

    /// - Parameter phase: `nil`: from its begin to its end.
    private func cells(of metrics: OperationMetrics, _ phase: Phases.Name?, after delay: Duration) -> [Bool] {
        var cells = [Bool](repeating: false, count: Self.columns)
        guard let start = metrics.attempts.first?.start else { return cells }
        let spans: [(MonotonicTime, MonotonicTime)] =
            if let phase {
                metrics.attempts.compactMap { attempt in attempt.phases[phase].map { ($0.start, $0.end) } }
            } else {
                metrics.completed.map { [(start, $0)] } ?? []
            }
        for (from, to) in spans {
            let (begin, end) = ((from - start + delay) / whole, (to - start + delay) / whole)
            let first = min(Self.columns - 1, max(0, Int(begin * Double(Self.columns))))
            let last = min(Self.columns, max(first + 1, Int((end * Double(Self.columns)).rounded())))
            for column in first..<last { cells[column] = true }
        }
        return cells
    }

    /// What explains phases that only one of them has.
    var why: String? {
        guard let before = old.attempts.first?.connection, let after = new.attempts.first?.connection,
            before.isReused != after.isReused
        else { return nil }
        return after.isReused
            ? "The newer run used a connection that was there: no dns, connect and tls."
            : "The newer run made a connection of its own: dns, connect and tls are its price."
    }
}
