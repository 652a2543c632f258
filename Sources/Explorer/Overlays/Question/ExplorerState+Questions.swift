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
        guard overlay == nil, !isTyping, !arrivals.isEmpty, layout.shape != .tooSmall else { return }
        switch arrivals.removeFirst() {
        case .question(let form): overlay = .question(QuestionForm(form.question, at: now))
        case let other: overlay = other
        }
        keyboard.changedHands(at: now)
    }
}
