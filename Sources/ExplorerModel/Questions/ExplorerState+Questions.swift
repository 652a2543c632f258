import NetworkLayer
import TerminalUI

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
    mutating func settleArrivals() {
        guard overlay == nil, !isTyping, !arrivals.isEmpty else { return }
        switch arrivals.removeFirst() {
        case .question(let form): overlay = .question(QuestionForm(form.question, at: now))
        case let other: overlay = other
        }
        keyboard.changedHands(at: now)
    }

    mutating func handle(_ form: QuestionForm, _ key: KeyPress) -> [ExplorerEffect] {
        // Not even the row that a click has chosen counts.
        if form.isPaused(at: now) { return [] }
        var form = form
        let step = form.handle(key, clipboard: &clipboard)
        if case .answer(let answer) = step {
            overlay = nil
            return [.answer(form.question.id, answer)]
        }
        overlay = .question(form)
        return if case .copy(let address) = step { [.copy(address, what: "address")] } else { [] }
    }
}

extension QuestionForm {
    /// What follows from a key beyond the form.
    enum Step {
        case stays
        case answer(QuestionAnswer)
        case copy(String)
    }

    mutating func handle(_ key: KeyPress, clipboard: inout String) -> Step {
        if key.key == .escape { return .answer(.declined) }
        switch question.form {
        case .text(let proposal, let isSecret):
            if key.key == .enter { return .answer(.text(isSecret && line.isEmpty ? proposal : line.text)) }
            // A secret never gets into the clipboard.
            var none = ""
            if isSecret { _ = line.handle(key, clipboard: &none) } else { _ = line.handle(key, clipboard: &clipboard) }
        case .choice(let options, _):
            if key.key == .enter || key.key == .character(" ") {
                return options.indices.contains(list.selected) ? .answer(.text(options[list.selected])) : .stays
            }
            _ = list.handle(key)
        case .signIn(_, let url):
            if key.key == .character("c") { return .copy(url) }
        }
        return .stays
    }

    mutating func paste(_ text: String, at time: MonotonicTime) {
        guard case .text = question.form, !isPaused(at: time) else { return }
        _ = line.paste(text)
    }
}
