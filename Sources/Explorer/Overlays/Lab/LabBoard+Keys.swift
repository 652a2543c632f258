import Presentation
import RequestCollections
import TerminalUI

extension LabBoard: OverlayContent {
    var overlay: Overlay { .lab(self) }
    var title: String { "Lab: \(request.id)" }

    func area(in screen: Rect) -> Rect {
        // It is as large while it is set up as while it runs.
        screen.centered(Size(columns: 132, rows: figures.count > 1 || baseline != nil ? 22 : 20))
    }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let ways: [ExplorerState.Hint] = figures.count > 1 ? [.init(key: "Tab", word: "A, B")] : []
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
            [.init(key: "Space", word: isPaused ? "go on" : "pause"), .init(key: "x", word: "stop, keep")] + ways
                + [recent, .init(key: "Esc", word: "goes on behind")]
        case .over:
            [.init(key: "Enter", word: "change"), .init(key: "A", word: "compare"), .init(key: "b", word: "baseline")] + ways
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
    mutating func settle(in state: ExplorerState) -> Bool {
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
            guard figures.indices.contains(shownWay), let order = order else { return .stays }
            baseline = Baseline(title: order.plan.title, figures: figures[shownWay])
            return .keptBaseline
        case .character("{"), .character("}"): showsRecent.toggle()
        case .character("o"):
            guard figures.indices.contains(shownWay) else { return .stays }
            // No name of a folder leads elsewhere.
            let name = request.id.rawValue.split(separator: "/").last.map { SafeText.line(String($0)) } ?? "lab"
            return .perform(.writeText(HistogramText.text(of: figures[shownWay][.total]), to: "\(name).hgrm"))
        case .character("y"): return .perform(.copy(LabText.text(of: self), what: "figures"))
        default: break
        }
        return .stays
    }

    private mutating func showNextWay() {
        if figures.count > 1 { shownWay = shownWay.stepped(by: 1, of: figures.count) }
    }

    /// It begins: what the run before has shown goes.
    mutating func begin(_ order: LabOrder) {
        self.order = order
        figures = order.ways.map { _ in LoadFigures() }
        axis = nil
        shownWay = 0
        isStopped = false
        (recent, showsRecent) = ([], false)
        complaint = nil
        phase = .running(isPaused: false, isStopping: false)
    }
}
