/// What a run wants of the person before it goes on. Answered by ``ExplorerEffect/answer(_:_:)``.
struct Question: Hashable, Sendable, Identifiable {
    let id: Int
    /// The question in words.
    var message: String
    /// Lines below it, which is about something that can't be undone: then it takes no key in its first moment.
    var details: [String]
    var form: Form

    enum Form: Hashable, Sendable {
        /// - Parameter isSecret: what is typed isn't shown.
        case text(proposal: String, isSecret: Bool)
        case choice(options: [String], proposal: String?)
        /// Something to do elsewhere: the lines below the message. It goes away by itself, or is declined.
        case signIn(lines: [String], url: String)
    }

    init(id: Int, message: String, details: [String] = [], form: Form) {
        self.id = id
        self.message = message
        self.details = details
        self.form = form
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
