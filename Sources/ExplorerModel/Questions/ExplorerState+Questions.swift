import NetworkLayer
import TerminalUI

extension ExplorerState {
    mutating func asked(_ question: Question) { arrive(.question(QuestionForm(question))) }

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
        if form.isPaused(at: now) { return [] }
        if key.key == .escape { return answer(form, .declined) }
        var form = form
        switch form.question.form {
        case .text(let proposal, let isSecret):
            if key.key == .enter {
                let text = form.line.text
                return answer(form, .text(isSecret && text.isEmpty ? proposal : text))
            }
            // A secret never gets into the clipboard.
            var none = ""
            if isSecret { _ = form.line.handle(key, clipboard: &none) } else { _ = form.line.handle(key, clipboard: &clipboard) }
        case .choice(let options, _):
            if key.key == .enter || key.key == .character(" ") {
                return options.indices.contains(form.list.selected) ? answer(form, .text(options[form.list.selected])) : []
            }
            _ = form.list.handle(key)
        case .signIn(_, let url):
            if key.key == .character("c") { return [.copy(url, what: "address")] }
        }
        overlay = .question(form)
        return []
    }

    mutating func question(_ form: QuestionForm, paste text: String) {
        guard case .text = form.question.form, !form.isPaused(at: now) else { return }
        var form = form
        _ = form.line.paste(text)
        overlay = .question(form)
    }

    private mutating func answer(_ form: QuestionForm, _ answer: QuestionAnswer) -> [ExplorerEffect] {
        overlay = nil
        return [.answer(form.question.id, answer)]
    }
}
