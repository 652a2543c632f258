import NetworkLayer
import Presentation
import TerminalUI

/// A question on the screen, while it is being answered.
struct QuestionForm: Hashable, Sendable {
    var question: Question
    var line: LineEditor
    var list: ListState
    /// When it came up.
    var shown: MonotonicTime?

    /// How long a question about something that can't be undone takes no key: what is typed then was meant for something else.
    static let pause: Duration = .milliseconds(300)

    /// Whether it takes no key yet.
    func isPaused(at time: MonotonicTime) -> Bool {
        !question.details.isEmpty && shown.map { time - $0 < Self.pause } ?? false
    }

    init(_ question: Question, at shown: MonotonicTime? = nil) {
        self.question = question
        self.shown = shown
        switch question.form {
        case .text(let proposal, let isSecret):
            line = LineEditor(isSecret ? "" : proposal)
            list = ListState(count: 0)
        case .choice(let options, let proposal):
            line = LineEditor()
            list = ListState(
                count: options.count, selected: proposal.flatMap { options.firstIndex(of: $0) } ?? 0, height: options.count)
        case .signIn:
            line = LineEditor()
            list = ListState(count: 0)
        }
    }

    /// What is drawn of the text: a secret is as many dots.
    var shownLine: LineEditor {
        if case .text(_, isSecret: true) = question.form { line.masked } else { line }
    }

    var hint: String {
        switch question.form {
        case .text: "Enter answers, Esc declines"
        case .choice: "Enter takes it, Esc declines"
        case .signIn: "c copies the address, Esc gives up"
        }
    }
}

extension QuestionForm: ListedOverlay {
    var overlay: Overlay { .question(self) }
    var title: String { "Before it is sent" }

    func area(in screen: Rect) -> Rect {
        let columns = min(72, screen.columns)
        let field =
            switch question.form {
            case .text: 2
            case .choice(let options, _): options.count + 1
            case .signIn: 0
            }
        return screen.centered(Size(columns: columns, rows: lines(columns: columns - 4).count + field + 4))
    }

    func listArea(in inner: Rect) -> Rect {
        inner.splitTop(min(inner.rows, lines(columns: inner.columns - 2).count + 1)).rest.splitBottom(2).rest
    }

    /// The text of the question, above its field.
    func lines(columns: Int) -> [String] {
        var lines = [question.message] + question.details
        if case .signIn(let more, _) = question.form { lines += more }
        return lines.flatMap { $0.isEmpty ? [""] : LineWrapping.lines(of: SafeText.line($0), columns: columns) }
    }

    var isTypedInto: Bool { true }
    var typedLine: LineEditor? {
        get { if case .text(_, isSecret: false) = question.form { line } else { nil } }
        set { if let newValue { line = newValue } }
    }
    func typedField(in inner: Rect) -> Rect? {
        if case .text = question.form { listArea(in: inner).line(0).inset(columns: 1) } else { nil }
    }
    /// It isn't declined by accident.
    var closesOutside: Bool { false }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        if isPaused(at: state.now) { return .stays() }
        if key.key == .escape { return answered(.declined) }
        switch question.form {
        case .text(let proposal, let isSecret):
            if key.key == .enter { return answered(.text(isSecret && line.isEmpty ? proposal : line.text)) }
            // A secret never gets into the clipboard.
            var none = ""
            if isSecret { _ = line.handle(key, clipboard: &none) } else { _ = line.handle(key, clipboard: &clipboard) }
        case .choice(let options, _):
            if key.key == .enter || key.key == .character(" ") {
                return options.indices.contains(list.selected) ? answered(.text(options[list.selected])) : .stays()
            }
            _ = list.handle(key)
        case .signIn(_, let url): if key.key == .character("c") { return .stays([.copy(url, what: "address")]) }
        }
        return .stays()
    }

    private func answered(_ answer: QuestionAnswer) -> OverlayStep { .closes([.answer(question.id, answer)]) }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        if case .text = question.form, !isPaused(at: state.now) { _ = line.paste(text) }
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool {
        // Not even the row that a click has chosen counts.
        guard case .choice = question.form, !isPaused(at: state.now) else { return false }
        return select(atRow: row)
    }
}
