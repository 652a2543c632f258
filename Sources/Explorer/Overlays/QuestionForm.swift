import NetworkLayer
import Presentation
import TerminalUI

/// What a run wants of the person before it goes on. Answered by ``ExplorerEffect/answer(_:_:)``.
struct Question: Hashable, Sendable, Identifiable {
    let id: Int
    /// The question in words.
    var message: String
    /// Lines below it, which is about something that can't be undone: then it takes no key in its first moment.
    var details: [String] = []
    var form: Form

    enum Form: Hashable, Sendable {
        /// - Parameter isSecret: what is typed isn't shown.
        case text(proposal: String, isSecret: Bool)
        case choice(options: [String], proposal: String?)
        /// Something to do elsewhere: the lines below the message. It goes away by itself, or is declined.
        case signIn(lines: [String], url: String)
    }
}

/// What the person says to a ``Question``.
enum QuestionAnswer: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    case text(String)
    case declined

    /// The answer isn't described, since it may be a secret.
    var description: String {
        switch self {
        case .text: "text(…)"
        case .declined: "declined"
        }
    }

    var customMirror: Mirror { Mirror(self, children: ["answer": description]) }
}

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

extension ExplorerState {
    /// Nobody waits for the answer any more. What was being typed as one must not become commands.
    mutating func withdrawn(_ id: Int) {
        arrivals.removeAll { $0.question?.id == id }
        guard case .question(let form) = overlay, form.question.id == id else { return }
        overlay = nil
        keyboard.changedHands(at: now)
        guard form.line.revision > 0 else { return }
        arrivals.insert(
            .dialog(
                Dialog(
                    title: "No answer is wanted any more",
                    lines: [form.question.message, "", "The run that asked has ended meanwhile; what you typed was not used."])),
            at: 0)
    }

    /// Something comes up by itself: as soon as nothing else has the keyboard.
    mutating func arrive(_ overlay: Overlay) { arrivals.append(overlay) }

    /// Called after each event.
    mutating func fitArrivals() {
        // A message may be what asks; with nothing typed behind it, its line is no place for the answer.
        let isFree = !isTyping || panes.response.message.isOpen && panes.response.message.editor.isEmpty
        guard overlay == nil, isFree, !arrivals.isEmpty, layout.shape != .tooSmall else { return }
        switch arrivals.removeFirst() {
        case .question(let form): overlay = .question(QuestionForm(form.question, at: now))
        case let other: overlay = other
        }
        keyboard.changedHands(at: now)
    }
}

/// Draws a question that a run asks.
extension QuestionForm: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner.inset(columns: 1)
        canvas.draw(in: inner) { canvas in
            for (row, line) in lines(columns: canvas.bounds.columns).enumerated() {
                canvas.text(line, .text, column: 0, row: row)
            }
            canvas.text(hint, .dim, column: 0, row: canvas.bounds.rows - 1, ellipsis: true)
        }
        switch question.form {
        case .text: if let field = layout.typedField { shownLine.draw(on: &canvas, in: field, isFocused: true) }
        case .choice(let options, _):
            canvas.list(list, in: layout.list) { canvas, index, row in
                canvas.text(SafeText.line(options[index]), .text, column: 2, row: row, ellipsis: true)
            }
        case .signIn: break
        }
    }
}
