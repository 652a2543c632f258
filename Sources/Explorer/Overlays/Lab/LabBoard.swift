import Presentation
import RequestCollections
import TerminalUI

/// The latency lab: a request sent again and again, phase by phase.
struct LabBoard: Sendable, Hashable {
    var request: RequestReference
    /// `GET https://api.example.org/orders`, without secrets.
    var target = ""
    /// What ``target`` and ``contrasts`` follow from.
    struct Basis: Hashable {
        var definition: RequestDefinition
        var workspaceRevision: Int
    }
    var basis: Basis?
    var phase = Phase.setup
    var fields: [Field]
    var selected = 0
    var contrasts = [Contrast.none]
    var contrast = 0
    /// Why it can't be started with these values.
    var complaint: String?

    /// What was begun last.
    var order: LabOrder?
    var figures: [LoadFigures] = []
    /// The figures of the last ten seconds.
    var recent: [LoadFigures] = []
    var showsRecent = false
    var axis: LoadAxis?
    /// Somebody has ended it before its time.
    var isStopped = false
    /// The variant whose table is shown.
    var shownVariant = 0
    /// Kept with `b`, to be compared with what comes next.
    var baseline: Baseline?

    enum Phase: Sendable, Hashable {
        case setup
        /// The lab asks first, since it would be a load or may change something; these sentences say so.
        case asking([String])
        case running(isPaused: Bool, isStopping: Bool)
        case over(failure: String?)
    }

    struct Field: Sendable, Hashable {
        var label: String
        var note: String
        var line: LineEditor
    }

    /// What is held against each other in one run.
    enum Contrast: Sendable, Hashable {
        case none, http, connections
        case environments(String?, String)

        var title: String {
            switch self {
            case .none: "one way only"
            case .http: "HTTP/1.1 and HTTP/2"
            case .connections: "warm and cold connections"
            case .environments(let first, let second): "\(first ?? "no environment") and \(second)"
            }
        }
    }

    struct Baseline: Sendable, Hashable {
        var title: String
        var figures: LoadFigures
    }

    static let labels = ["requests", "for", "rate", "at once"]

    init(_ request: RequestReference) {
        self.request = request
        let notes = [
            "in all; empty: as many as there is time for", "such as 30s; empty: until all are sent",
            "a second; empty: the next when one is over", "at most",
        ]
        let texts = ["\(LoadPlan.standard.count ?? 100)", "", "", "\(LoadPlan.standard.atOnce)"]
        fields = zip(zip(Self.labels, notes), texts).map { Field(label: $0.0, note: $0.1, line: LineEditor($1)) }
        for index in fields.indices { fields[index].line.selectAll() }
    }

    /// The row below the fields: what is compared.
    var isOnContrast: Bool { selected == fields.count }
    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// How it goes, or what became of it: green is only what passed, all of it.
    var sign: (text: String, role: ThemeRole) {
        switch phase {
        case .running(true, _): return ("‖ paused  ", .warning)
        case .running(_, true): return ("■ stops  ", .warning)
        case .running, .setup, .asking: return ("▶ ", .stateRunning)
        case .over(let failure):
            let passed = figures.reduce(0) { $0 + $1.passed }
            let failed = figures.reduce(0) { $0 + $1.failed }
            if failure != nil || passed == 0 && failed > 0 { return ("✗ ", .error) }
            if failed > 0 { return ("! ", .warning) }
            return isStopped || passed == 0 ? ("■ ", .stateCancelled) : ("✓ ", .success)
        }
    }

    /// What the fields say; a sentence when they say nothing that can be.
    func plan() throws(LabProblem) -> LoadPlan {
        func text(_ index: Int) -> String { String(fields[index].line.text.filter { $0 != " " && $0 != "," }) }
        var plan = LoadPlan()
        if !text(0).isEmpty {
            guard let count = Int(text(0)), (1...10_000_000).contains(count) else {
                throw LabProblem("requests: a number from 1 to 10,000,000")
            }
            plan.count = count
        }
        if !text(1).isEmpty {
            guard let duration = DurationText.parse(text(1)), duration > .zero, duration <= .seconds(24 * 3600) else {
                throw LabProblem("for: a time such as 30s or 2m, a day at most")
            }
            plan.duration = duration
        }
        if !text(2).isEmpty {
            guard let rate = Double(text(2)), LoadPlan.rates.contains(rate) else {
                throw LabProblem("rate: requests a second, 100,000 at most")
            }
            plan.rate = rate
        }
        guard let atOnce = Int(text(3)), (1...1000).contains(atOnce) else { throw LabProblem("at once: a number from 1 to 1,000") }
        plan.atOnce = atOnce
        guard plan.count != nil || plan.duration != nil else {
            throw LabProblem("it needs an end: a number of requests, or a time")
        }
        return plan
    }

    /// What the table is about; `nil`: nothing has come.
    var shownFigures: LoadFigures? {
        let all = showsRecent && recent.count == figures.count ? recent : figures
        return all.indices.contains(shownVariant) ? all[shownVariant] : nil
    }

    /// A against B, or this run against the one that was kept.
    var comparison: (titles: [String], pair: [LoadFigures])? {
        if figures.count == 2, let order { return (order.variants.map(\.title), figures) }
        if let baseline, let figures = figures.first, figures.count > 0 {
            return (["baseline", "now"], [baseline.figures, figures])
        }
        return nil
    }
}

struct LabProblem: Error {
    var message: String
    init(_ message: String) { self.message = message }
}

extension LabBoard: OverlayContent {
    var overlay: Overlay { .lab(self) }
    var title: String { "Lab: \(request.id)" }

    func area(in screen: Rect) -> Rect {
        // It is as large while it is set up as while it runs.
        screen.centered(Size(columns: 132, rows: figures.count > 1 || baseline != nil ? 22 : 20))
    }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let variants: [ExplorerState.Hint] = figures.count > 1 ? [.init(key: "Tab", word: "A, B")] : []
        let recent = ExplorerState.Hint(key: "{ }", word: "last 10 s")
        return switch phase {
        case .setup:
            [
                .init(key: "Enter", word: "start"), .init(key: "↑ ↓", word: "rows"), .init(key: "← →", word: "what to compare"),
                .init(key: "Esc", word: "back"),
            ]
        case .asking: [.init(key: "y", word: "send it"), .init(key: "Esc", word: "don't")]
        case .running(_, true):
            [.init(key: "x", word: "again cancels what is under way"), .init(key: "Esc", word: "goes on behind")]
        case .running(let isPaused, _):
            [.init(key: "Space", word: isPaused ? "go on" : "pause"), .init(key: "x", word: "stop, keep")] + variants
                + [recent, .init(key: "Esc", word: "goes on behind")]
        case .over:
            [.init(key: "Enter", word: "change"), .init(key: "A", word: "compare"), .init(key: "b", word: "baseline")] + variants
                + [.init(key: "y", word: "copy"), .init(key: "o", word: "file"), recent, .init(key: "Esc", word: "back")]
        }
    }

    var isTypedInto: Bool { phase == .setup }
    var typedLine: LineEditor? {
        get { phase == .setup && !isOnContrast ? fields[selected].line : nil }
        set { if let newValue, !isOnContrast { fields[selected].line = newValue } }
    }

    func typedField(in inner: Rect) -> Rect? {
        typedLine.map { _ in place(ofField: selected, in: inner.inset(columns: 1)) }
    }

    /// Each has a row of its own.
    ///
    /// - Parameter rect: what the board is drawn in.
    func place(ofField index: Int, in rect: Rect) -> Rect {
        Rect(
            column: rect.column + 12, row: rect.row + Self.firstRow(of: rect.rows) + index,
            columns: min(12, max(1, rect.columns - 13)), rows: 1)
    }

    static func firstRow(of rows: Int) -> Int { rows > 8 ? 2 : 1 }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let step = handle(key, clipboard: &clipboard)
        let board = self
        switch step {
        case .stays: return .stays()
        case .close:
            return .closes {
                $0.lab.board = board
                if board.isRunning { $0.notice = Notice(.info, "the lab goes on; \($0.keyName(.lab)) shows it") }
                return []
            }
        case .start: return .stays { $0.start(board) }
        case .keptBaseline: return .stays(saying: "kept as the baseline of the next run")
        case .perform(let effect): return .stays([effect])
        }
    }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        guard phase == .setup, !isOnContrast else { return .stays() }
        _ = fields[selected].line.paste(text)
        complaint = nil
        return .stays()
    }

    /// Until it begins it says what it would send now.
    mutating func fit(in state: ExplorerState) -> Bool {
        switch phase {
        case .setup, .asking:
            guard let definition = state.definition(of: request) else { break }
            let basis = Basis(definition: definition, workspaceRevision: state.workspaceRevision)
            guard basis != self.basis else { break }
            self.basis = basis
            let facts = state.labFacts(of: definition, request)
            let chosen = contrasts[contrast]
            (target, contrasts) = facts
            contrast = contrasts.firstIndex(of: chosen) ?? 0
        case .running, .over: break
        }
        return true
    }
}

extension LabBoard {
    /// What follows from a key beyond the board.
    private enum Step {
        case stays, close, start, keptBaseline
        case perform(ExplorerEffect)
    }

    private mutating func handle(_ key: KeyPress, clipboard: inout String) -> Step {
        switch phase {
        case .setup: setUp(key, clipboard: &clipboard)
        case .asking: answer(key)
        case .running: control(key)
        case .over: look(key)
        }
    }

    private mutating func setUp(_ key: KeyPress, clipboard: inout String) -> Step {
        let rows = fields.count + 1
        switch key.key {
        case .escape:
            return .close
        case .enter: return .start
        case .down: selected = selected.stepped(by: 1, of: rows)
        case .up: selected = selected.stepped(by: -1, of: rows)
        case .tab: selected = selected.stepped(by: key.modifiers.contains(.shift) ? -1 : 1, of: rows)
        case .left where isOnContrast: contrast = contrast.stepped(by: -1, of: contrasts.count)
        case .right where isOnContrast, .character(" ") where isOnContrast:
            contrast = contrast.stepped(by: 1, of: contrasts.count)
        case .character("q") where isOnContrast: return .close
        default:
            guard !isOnContrast else { return .stays }
            _ = fields[selected].line.handle(key, clipboard: &clipboard)
            complaint = nil
        }
        return .stays
    }

    private mutating func answer(_ key: KeyPress) -> Step {
        switch key.key {
        case .character("y"): return .start
        case .escape, .character("n"), .character("q"): phase = .setup
        // Enter began the question; pressed twice it is no answer.
        default: break
        }
        return .stays
    }

    private mutating func control(_ key: KeyPress) -> Step {
        guard case .running(let isPaused, let isStopping) = phase else { return .stays }
        switch key.key {
        case .escape, .character("q"): return .close
        case .character(" ") where !isStopping:
            phase = .running(isPaused: !isPaused, isStopping: false)
            return .perform(.pauseLab(!isPaused))
        case .character("x"):
            phase = .running(isPaused: false, isStopping: true)
            isStopped = true
            return .perform(.stopLab)
        case .tab: showNextWay()
        case .character("{"), .character("}"): showsRecent.toggle()
        default: break
        }
        return .stays
    }

    private mutating func look(_ key: KeyPress) -> Step {
        switch key.key {
        case .escape, .character("q"): return .close
        case .enter, .character("e"): phase = .setup
        case .tab: showNextWay()
        case .character("A"):
            contrast = contrast.stepped(by: 1, of: contrasts.count)
            selected = fields.count
            phase = .setup
        case .character("b"):
            guard figures.indices.contains(shownVariant), let order = order else { return .stays }
            baseline = Baseline(title: order.plan.title, figures: figures[shownVariant])
            return .keptBaseline
        case .character("{"), .character("}"): showsRecent.toggle()
        case .character("o"):
            guard figures.indices.contains(shownVariant) else { return .stays }
            // No name of a folder leads elsewhere.
            let name = request.id.rawValue.split(separator: "/").last.map { SafeText.line(String($0)) } ?? "lab"
            return .perform(.writeText(HistogramText.text(of: figures[shownVariant][.total]), to: "\(name).hgrm"))
        case .character("y"): return .perform(.copy(LabText.text(of: self), what: "figures"))
        default: break
        }
        return .stays
    }

    private mutating func showNextWay() {
        if figures.count > 1 { shownVariant = shownVariant.stepped(by: 1, of: figures.count) }
    }

    /// It begins: what the run before has shown goes.
    mutating func begin(_ order: LabOrder) {
        self.order = order
        figures = order.variants.map { _ in LoadFigures() }
        axis = nil
        shownVariant = 0
        isStopped = false
        (recent, showsRecent) = ([], false)
        complaint = nil
        phase = .running(isPaused: false, isStopping: false)
    }
}
