package import NetworkLayer
package import TerminalUI

/// What a run wants of the person before it goes on. Answered by ``ExplorerEffect/answer(_:_:)``.
package struct Question: Hashable, Sendable, Identifiable {
    package let id: Int
    /// The question in words.
    package var message: String
    /// Lines below it, which is about something that can't be undone: then it takes no key in its first moment.
    package var details: [String]
    package var form: Form

    package enum Form: Hashable, Sendable {
        /// - Parameter isSecret: what is typed isn't shown.
        case text(proposal: String, isSecret: Bool)
        case choice(options: [String], proposal: String?)
        /// Something to do elsewhere: the lines below the message. It goes away by itself, or is declined.
        case signIn(lines: [String], url: String)
    }

    package init(id: Int, message: String, details: [String] = [], form: Form) {
        self.id = id
        self.message = message
        self.details = details
        self.form = form
    }
}

/// What the person says to a ``Question``.
package enum QuestionAnswer: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    case text(String)
    case declined

    /// The answer isn't described, since it may be a secret.
    package var description: String {
        switch self {
        case .text: "text(…)"
        case .declined: "declined"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: ["answer": description]) }
}

/// A question on the screen, while it is being answered.
package struct QuestionForm: Hashable, Sendable {
    package var question: Question
    package var line: LineEditor
    package var list: ListState
    /// When it came up.
    package var shown: MonotonicTime?

    /// How long a question about something that can't be undone takes no key: what is typed then was meant for something else.
    package static let pause: Duration = .milliseconds(300)

    /// Whether it takes no key yet.
    func isPaused(at time: MonotonicTime) -> Bool {
        !question.details.isEmpty && shown.map { time - $0 < Self.pause } ?? false
    }

    package init(_ question: Question, at shown: MonotonicTime? = nil) {
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
    package var shownLine: LineEditor {
        guard case .text(_, isSecret: true) = question.form else { return line }
        return LineEditor(String(repeating: "•", count: line.text.count))
    }

    package var hint: String {
        switch question.form {
        case .text: "Enter answers, Esc declines"
        case .choice: "Enter takes it, Esc declines"
        case .signIn: "c copies the address, Esc gives up"
        }
    }
}
