import Base
import CollectionRunner
import HTTPTypes
import History
import NetworkLayer
import Presentation
import RequestCollections
import Synchronization
import TerminalUI

/// What `run` says while it runs: a line for each request that is over, and with `--watch`, below them, one for each that isn't.
final class RunScreen: RunObserver, NetworkObserver {
    private let options: Run
    private let planned: Int
    private let context: CommandLineContext
    private let output: any ByteOutput
    private let lines: LinePrinter
    private let isLive: Bool
    /// What is a secret whoever is asked for it.
    private let secrets: Redactor
    private let state: Mutex<State>

    private struct State {
        var board = WatchBoard()
        var events: EventJSON
        let runEvents: RunEventJSON
        var runs: [OperationID: PreparedRun] = [:]
        var redactors: [OperationID: Redactor] = [:]
        /// What the last answer lacked of a request that is sent until its answer is as it should be, by its place in the plan.
        var polls: [Int: String] = [:]
        /// Lines below the ones that stay, to be drawn over.
        var liveLines = 0
        /// Whether a question is open on the terminal, and what is to be drawn after it.
        var isHeld = false
        var held: [StyledLine] = []
        /// Events that are shown on the terminal where the question is.
        var heldEvents = ""
        /// Drawn below everything, in place of the board.
        var progress: (@Sendable () -> [StyledLine])?
        /// The first one. The run goes on, and its end says it.
        var outputFailure: OutputFailure?
        /// Why a run isn't kept; the first one.
        var historyProblem: String?

        /// Writes, unless it has failed before: what comes after a gap isn't what it seems.
        mutating func write(_ text: String, to output: any ByteOutput) {
            guard outputFailure == nil, !text.isEmpty else { return }
            do throws(OutputFailure) { try output.write(Data(text.utf8)) } catch { outputFailure = error }
        }

        /// Each attempt may bring a new token, and each head new cookies, so the redactor grows with the events.
        mutating func redactor(for event: NetworkEvent) -> Redactor {
            let known = redactors[event.operation]
            guard let run = runs[event.operation] else { return known ?? Redactor() }
            let found: Redactor
            switch event.kind {
            case .requestHeadSent(let head): found = run.redactor(afterSending: head)
            case .authenticationStep(let head), .informational(let head), .head(let head): found = run.redactor(after: head)
            case .attemptStarted, .preparationFailed, .completed: found = run.redactor
            default:
                if let known { return known }
                found = run.redactor
            }
            let all = known.map { $0.union(found) } ?? found
            redactors[event.operation] = all
            return all
        }
    }

    init(_ options: Run, planned: Int, hiding secrets: Redactor = Redactor(), _ context: CommandLineContext) {
        self.options = options
        self.secrets = secrets
        self.planned = planned
        self.context = context
        // Events or a report are what the output is for; then messages go elsewhere.
        output = options.wantsOutput ? context.standardError : context.standardOutput
        lines = LinePrinter(context, to: output)
        isLive = options.watch && output.isTerminal
        state = Mutex(State(events: EventJSON(), runEvents: RunEventJSON(start: context.time.now)))
    }

    /// Whether it shows what happens to a request on its way, of which it is told some twenty times.
    var followsEvents: Bool { isLive || options.events != nil }

    // MARK: What happens

    func willSend(_ run: PreparedRun) {
        state.withLock { state in
            if options.events != nil {
                state.runs[run.id] = run
                write(state.runEvents.lines(before: run, at: context.time.now), hiding: run.redactor, &state)
            }
            guard isLive else { return }
            let note = run.isAgain ? run.job.node.flatMap { state.polls[$0] } : nil
            state.board.add(run.id, run.redactor.text(run.job.title), note: note)
        }
    }

    func didPoll(_ run: PreparedRun, _ poll: Polling.Poll, number: Int, next pause: Duration?, hiding redactor: Redactor) {
        state.withLock { state in
            if isLive, let node = run.job.node, let until = run.resolved.until {
                let elapsed = poll.start + (poll.duration ?? .zero)
                let times = "\(Figures.duration(elapsed)) of \(Figures.duration(until.limit))"
                state.polls[node] = redactor.text("poll \(number + 1), \(poll.found), \(times)")
            }
            guard options.events != nil else { return }
            let line = state.runEvents.line(poll, number: number, next: pause, of: run, at: context.time.now)
            write([line], hiding: redactor, &state)
        }
    }

    func tell(of plan: RunPlan) {
        guard options.events != nil else { return }
        state.withLock { write([RunEventJSON.plan(plan)], hiding: Redactor(), &$0) }
    }

    func tell(of entry: RunOutcome.Entry) {
        guard options.events != nil else { return }
        state.withLock { state in
            write(state.runEvents.lines(of: entry, at: context.time.now), hiding: entry.result?.redactor ?? Redactor(), &state)
        }
    }

    private func write(_ lines: [String], hiding redactor: Redactor, _ state: inout State) {
        guard !lines.isEmpty else { return }
        var text = lines.map { secrets.text(redactor.text($0)) + "\n" }.joined()
        if context.standardOutput.isTerminal { text = TerminalFilter.safe(text) }
        if state.isHeld, context.standardOutput.isTerminal {
            state.heldEvents += text
        } else {
            state.write(text, to: context.standardOutput)
        }
    }

    func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        state.withLock { state in
            if isLive { state.board.apply(event) }
            guard options.events != nil else { return }
            let job = state.runs[event.operation]?.job
            let line = state.events.line(event, request: job?.definition.id.rawValue, iteration: job?.iterationName)
            write([line], hiding: state.redactor(for: event), &state)
        }
    }

    func didFinish(_ result: RunResult) {
        guard let id = result.operation else { return }
        state.withLock { state in
            if isLive { state.board.remove(id) }
            state.runs[id] = nil
            state.redactors[id] = nil
            if state.historyProblem == nil { state.historyProblem = result.historyProblem }
        }
    }

    /// The first problem counts.
    func note(_ problem: HistoryError) {
        state.withLock { $0.historyProblem = $0.historyProblem ?? problem.message }
    }

    /// Above what is drawn.
    func say(_ sentence: String) { draw(above: [StyledLine(sentence, .warning)]) }

    /// A planned run is over.
    func show(_ entry: RunOutcome.Entry) {
        guard !options.quiet || ![.passed, .skipped].contains(entry.verdict) else { return }
        draw(above: RunLines.lines(of: entry, isWhole: options.verbose))
    }

    // MARK: Drawing

    /// Ten times a second, as long as the task isn't cancelled.
    ///
    /// - Parameter progress: of a load, for a terminal; asked each time.
    func startDrawing(_ progress: @escaping @Sendable () -> [StyledLine] = { [] }) -> Task<Void, Never>? {
        let hasProgress = options.load.isPaced && output.isTerminal && !isLive
        guard isLive || hasProgress else { return nil }
        if hasProgress { state.withLock { $0.progress = progress } }
        return Task {
            while !Task.isCancelled {
                draw(above: [])
                try? await Task.sleep(for: .milliseconds(100))
            }
            state.withLock { state in
                state.board = WatchBoard()
                state.progress = nil
            }
            draw(above: [])
        }
    }

    /// Draws nothing until ``release()``: a person is being asked on the same terminal.
    func hold() {
        guard output.isTerminal else { return }
        state.withLock { state in
            if state.liveLines > 0 { state.write("\u{1B}[\(state.liveLines)A\u{1B}[J", to: output) }
            state.liveLines = 0
            state.isHeld = true
        }
    }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            state.write(state.heldEvents, to: context.standardOutput)
            state.heldEvents = ""
            defer { state.held = [] }
            return state.held
        }
        draw(above: held)
    }

    /// Writes lines that stay, and the live ones below them anew, in one piece.
    private func draw(above kept: [StyledLine]) {
        let columns = output.columns ?? 80
        let now = context.time.now
        let progress = state.withLock { $0.progress }?() ?? []
        state.withLock { state in
            guard !state.isHeld else {
                state.held += kept
                return
            }
            var text = state.liveLines > 0 ? "\u{1B}[\(state.liveLines)A\u{1B}[J" : ""
            for line in kept { text += lines.text(line) + "\n" }
            let live = isLive ? state.board.lines(now: now, columns: columns) : progress
            for line in live { text += lines.text(line) + "\n" }
            state.liveLines = live.count
            state.write(text, to: output)
        }
    }

    /// - Throws: also for what could not be written before.
    func conclude(_ outcome: RunOutcome) throws {
        let (failure, historyProblem) = state.withLock { ($0.outputFailure, $0.historyProblem) }
        if let historyProblem {
            try context.note("\(historyProblem); not every run is kept")
        }
        if let failure, options.events == nil { throw failure }
        try lines.print(LoadLines.tables(of: outcome, columns: output.isTerminal ? output.columns ?? 80 : 80))
        try lines.print([StyledLine(), RunLines.summary(of: outcome)])
        if outcome.isAllSkipped {
            try context.note("Everything was skipped: no `when` holds, so nothing was sent or checked.")
        }
        if let failure { throw failure }
    }
}

/// The operations under way, each as the fold of its events.
struct WatchBoard: Sendable {
    private var rows: [(id: OperationID, name: String, note: String?, metrics: OperationMetrics)] = []

    /// Requests beyond this number are counted, but not drawn.
    static let mostRows = 16

    /// - Parameter note: what became of it before.
    mutating func add(_ id: OperationID, _ name: String, note: String? = nil) {
        rows.append((id, name, note, OperationMetrics()))
    }

    mutating func apply(_ event: NetworkEvent) {
        guard let index = rows.firstIndex(where: { $0.id == event.operation }) else { return }
        rows[index].metrics.apply(event)
    }

    mutating func remove(_ id: OperationID) {
        // Not `removeAll`, which copies each row that stays.
        if let index = rows.firstIndex(where: { $0.id == id }) { rows.remove(at: index) }
    }

    /// `▸ orders/create  ┃tcp━┃wait 1.3 s ╌╌  40 %`
    func lines(now: MonotonicTime, columns: Int) -> [StyledLine] {
        let width = min(30, rows.prefix(Self.mostRows).map(\.name.count).max() ?? 0)
        var lines = rows.prefix(Self.mostRows).map { row in
            var line = StyledLine("▸ ", .stateRunning)
            let name = SafeText.line(String(row.name.prefix(width)))
            line.append(name + String(repeating: " ", count: max(0, width - name.count)) + "  ", .strong)
            let note = row.note.map { "  " + SafeText.line(String($0.prefix(max(0, columns - width - 16)))) }
            let progress = note ?? row.metrics.attempts.last.flatMap { Self.progress($0) } ?? ""
            let room = max(8, columns - width - 5 - progress.count)
            line.spans += PhaseStrip.line(row.metrics, now: now, width: min(room, 60)).spans
            if !progress.isEmpty { line.append(progress, .dim) }
            return line
        }
        if rows.count > Self.mostRows { lines.append(StyledLine("  and \(rows.count - Self.mostRows) more", .dim)) }
        return lines
    }

    private static func progress(_ attempt: AttemptMetrics) -> String? {
        let transfer = attempt.head == nil ? attempt.upload : attempt.download
        guard transfer.bytes > 0 else { return nil }
        guard let expected = transfer.expected, expected > 0 else { return "  \(Figures.bytes(transfer.bytes))" }
        return "  \(Figures.percent(Double(transfer.bytes) / Double(expected))) of \(Figures.bytes(expected))"
    }
}
