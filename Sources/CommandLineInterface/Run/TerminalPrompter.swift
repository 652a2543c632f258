import Base
import CollectionRunner
import RequestCollections
import Threads

/// Asks at the terminal, whatever standard input and output are.
final class TerminalPrompter: Prompter {
    private let context: CommandLineContext
    private let screen: RunScreen?
    /// One question at a time, since several requests may ask at once. It waits on a thread of its own: tasks have only as many as there are
    /// processors, and would all stand still.
    private let turn = SerialQueue()
    /// Readable once nobody is to be asked any more.
    private let ending: (reader: Int32, writer: Int32)

    /// - Parameter screen: what is drawn on the same terminal; it waits while a question is open.
    /// - Returns: `nil` when nobody sits there.
    init?(_ context: CommandLineContext, beside screen: RunScreen? = nil) {
        guard context.standardInput.isTerminal, context.standardError.isTerminal else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        self.context = context
        self.screen = screen
        ending = (ends[0], ends[1])
    }

    deinit {
        close(ending.reader)
        close(ending.writer)
    }

    /// Ends the question that is open, and all that would come. A signal alone doesn't: whoever waits for a line sleeps through it.
    func interrupt() {
        var byte: UInt8 = 0
        _ = write(ending.writer, &byte, 1)
    }

    func ask(_ prompt: PromptRequirement) async throws(PromptError) -> String {
        let suffix = prompt.defaultText.map { " [\($0)]" } ?? ""
        let answer = try await line("\(prompt.message)\(suffix): ", hides: prompt.isSecret)
        return answer.isEmpty ? prompt.defaultText ?? "" : answer
    }

    func choose(_ select: SelectRequirement) async throws(PromptError) -> String {
        var question = select.message + "\n"
        for (index, option) in select.options.enumerated() { question += "  \(index + 1)  \(option)\n" }
        let suffix = select.defaultText.map { " [\($0)]" } ?? ""
        while true {
            let answer = try await line("\(question)number or text\(suffix): ", hides: false)
            if answer.isEmpty, let text = select.defaultText { return text }
            if select.options.contains(answer) { return answer }
            if let number = Int(answer), select.options.indices.contains(number - 1) { return select.options[number - 1] }
        }
    }

    /// A person who gives up interrupts the program.
    func show(_ notice: SignInNotice, decline: @escaping @Sendable () -> Void) async throws(PromptError) {
        try? context.standardError.print(notice.lines.joined(separator: "\n"))
    }

    private func line(_ question: String, hides: Bool) async throws(PromptError) -> String {
        let answer = await withCheckedContinuation { continuation in
            turn.async { [self] in
                screen?.hold()
                let answer = Result { () throws(PromptError) in try ask(question, hides: hides) }
                screen?.release()
                continuation.resume(returning: answer)
            }
        }
        return try answer.get()
    }

    private func ask(_ question: String, hides: Bool) throws(PromptError) -> String {
        var before = termios()
        let isSilenced = hides && tcgetattr(STDIN_FILENO, &before) == 0
        if isSilenced {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer {
            if isSilenced {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
                try? context.standardError.write(Data("\n".utf8))
            }
        }
        // Asked only once the echo is off: an answer that is typed at once must be neither shown nor lost.
        try? context.standardError.show(Data(question.utf8))
        let nobody = PromptError("nobody answered `\(question.prefix { !$0.isNewline })`")
        var typed: [UInt8] = []
        while true {
            var readable = [ending.reader, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&readable, 2, -1) < 0, errno == EINTR { continue }
            if readable[0].revents != 0 {
                if !isSilenced { try? context.standardError.write(Data("\n".utf8)) }
                throw nobody
            }
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count == 1, byte != 0x0A {
                typed.append(byte)
                continue
            }
            guard count == 1 || !typed.isEmpty else { throw nobody }
            return String(decoding: typed, as: UTF8.self)
        }
    }
}
