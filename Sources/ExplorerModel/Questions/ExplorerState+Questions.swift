import NetworkLayer
import TerminalUI

extension ExplorerState {
    mutating func asked(_ question: Question) { questions.append(question) }

    /// Nobody waits for the answer any more.
    mutating func withdrawn(_ id: Int) {
        questions.removeAll { $0.id == id }
        if case .question(let form) = overlay, form.question.id == id { overlay = nil }
    }

    /// The next question comes up as soon as nothing else is being typed. Called after each event.
    mutating func settleQuestions() {
        guard overlay == nil, searchLine == nil, responsePane.savePrompt == nil, responsePane.filterLine == nil,
            requestPane.editing == nil, let next = questions.first
        else { return }
        overlay = .question(QuestionForm(next, at: now))
    }

    mutating func handle(_ form: QuestionForm, _ key: KeyPress) -> [ExplorerEffect] {
        if !form.question.details.isEmpty, let shown = form.shown, now - shown < QuestionForm.pause { return [] }
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
        case .errand(_, let url):
            if key.key == .character("c") { return [.copy(url, what: "address")] }
        }
        overlay = .question(form)
        return []
    }

    mutating func question(_ form: QuestionForm, paste text: String) {
        guard case .text = form.question.form else { return }
        var form = form
        _ = form.line.paste(text)
        overlay = .question(form)
    }

    private mutating func answer(_ form: QuestionForm, _ answer: QuestionAnswer) -> [ExplorerEffect] {
        withdrawn(form.question.id)
        return [.answer(form.question.id, answer)]
    }
}
