import CollectionRunner
import Foundation
import RequestCollections

/// Asks at the terminal, whatever standard input and output are.
struct TerminalPrompter: Prompter {
    private let context: CommandLineContext

    /// - Returns: `nil` when nobody sits there.
    init?(_ context: CommandLineContext) {
        guard context.standardInput.isTerminal, context.standardError.isTerminal else { return nil }
        self.context = context
    }

    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String {
        let suffix = prompt.defaultText.map { " [\($0)]" } ?? ""
        let answer = try line("\(prompt.message)\(suffix): ", hides: prompt.isSecret)
        return answer.isEmpty ? prompt.defaultText ?? "" : answer
    }

    func choose(_ select: SelectRequirement) async throws(PromptError) -> String {
        var question = select.message + "\n"
        for (index, option) in select.options.enumerated() { question += "  \(index + 1)  \(option)\n" }
        let suffix = select.defaultText.map { " [\($0)]" } ?? ""
        while true {
            let answer = try line("\(question)number or text\(suffix): ", hides: false)
            if answer.isEmpty, let text = select.defaultText { return text }
            if select.options.contains(answer) { return answer }
            if let number = Int(answer), select.options.indices.contains(number - 1) { return select.options[number - 1] }
        }
    }

    /// Whoever gives up interrupts the program.
    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        try? context.standardError.write(Data((notice.lines.joined(separator: "\n") + "\n").utf8))
    }

    /// One at a time: several requests may ask at once.
    private static let turn = NSLock()

    private func line(_ question: String, hides: Bool) throws(PromptError) -> String {
        Self.turn.lock()
        defer { Self.turn.unlock() }
        var before = termios()
        let isSilenced = hides && tcgetattr(STDIN_FILENO, &before) == 0
        if isSilenced {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        // After the echo is off: whoever answers at once isn't to see it, nor to lose it.
        try? context.standardError.write(Data(question.utf8))
        let answer = readLine(strippingNewline: true)
        if isSilenced {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            try? context.standardError.write(Data("\n".utf8))
        }
        guard let answer else { throw PromptError("nobody answered `\(question.prefix { !$0.isNewline })`") }
        return answer
    }
}
