import Base
import CollectionRunner
import Dispatch
import RequestCollections

/// Asks at the terminal, whatever standard input and output are.
final class TerminalPrompter: Prompter {
    private let context: CommandLineContext
    private let screen: RunScreen?
    /// One question at a time, since several requests may ask at once. It waits on a thread of its own: tasks have only as many as there are
    /// processors, and would all stand still.
    private let turn = DispatchQueue(label: "turnstone.questions")
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

    /// Ends the question that is open, and all that would come. A signal alone doesn't: a thread that waits for a line sleeps through it.
    ///
    /// Returns once the terminal is as it was: the program may end next.
    func interrupt() {
        var byte: UInt8 = 0
        _ = write(ending.writer, &byte, 1)
        turn.sync {}
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
        let typed = TypedLine.read(STDIN_FILENO, echo: hides ? .off : .on, ending: ending.reader, asking: question) {
            try? context.standardError.show(Data($0.utf8))
        }
        guard case .text(let text) = typed else { throw PromptError("nobody answered `\(question.prefix { !$0.isNewline })`") }
        return text
    }
}

/// Asks at the terminal for a line that is typed after the question was seen.
package enum TerminalLine {
    /// - Returns: `nil` when there is no terminal, or nobody answered.
    @Sendable package static func ask(_ question: String) -> String? {
        TypedLine.onTerminal { ask(question, on: $0) }
    }

    /// What was typed ahead was no answer to this, nor was what comes before anybody can have read it: the rest of what was pasted.
    ///
    /// - Parameter pause: waits for as long as it takes at least to read what is asked about. The question itself is shown after it:
    ///   what is typed from then on counts.
    static func ask(_ question: String, on terminal: Int32, pause: () -> Void = { usleep(300_000) }) -> String? {
        guard isatty(terminal) == 1 else { return nil }
        pause()
        tcflush(terminal, TCIFLUSH)
        let typed = TypedLine.read(terminal, echo: .on, asking: question) { TypedLine.write($0, to: terminal) }
        if case .text(let text) = typed { return text }
        return nil
    }
}

/// Asks at the terminal, whatever standard input and output are, and shows nothing of what is typed.
package enum TerminalSecret {
    /// - Returns: `nil` when there is no terminal, or nothing was typed and Ctrl-D ended it.
    /// - Throws: a failure with the status for what was cancelled, on Ctrl-C.
    @Sendable package static func ask(_ question: String) throws -> String? {
        try TypedLine.onTerminal { try ask(question, on: $0) }
    }

    static func ask(_ question: String, on terminal: Int32) throws -> String? {
        guard isatty(terminal) == 1 else { return nil }
        let typed = TypedLine.read(terminal, echo: .offWithoutSignals, asking: question) { TypedLine.write($0, to: terminal) }
        switch typed {
        case .text(let text): return text
        case .none: return nil
        case .cancelled: throw CommandFailure(.cancelled, "Cancelled, and nothing was sent.")
        }
    }
}

/// A line that somebody types at a terminal, which lets it be mended before it ends.
enum TypedLine {
    case text(String)
    /// Ctrl-C, where it sends no signal.
    case cancelled
    /// The input has ended, or nobody is to be asked any more.
    case none

    enum Echo {
        case on, off
        /// The terminal sends no signals meanwhile: a program that ended here would leave it without echo.
        case offWithoutSignals
    }

    private static let cancel: UInt8 = 0x03

    /// - Parameters:
    ///   - ending: readable once nobody is to be asked any more.
    ///   - show: writes the question, and the line break that isn't echoed.
    static func read(
        _ terminal: Int32, echo: Echo, ending: Int32 = -1, asking question: String, show: (String) -> Void
    ) -> TypedLine {
        var before = termios()
        let isSilenced = echo != .on && tcgetattr(terminal, &before) == 0
        if isSilenced {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            if echo == .offWithoutSignals {
                silent.c_lflag &= ~tcflag_t(ISIG)
                // It ends the line instead.
                withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL2)] = cancel }
            }
            tcsetattr(terminal, TCSAFLUSH, &silent)
        }
        defer {
            if isSilenced {
                tcsetattr(terminal, TCSAFLUSH, &before)
                show("\n")
            }
        }
        // Asked only once the echo is off: an answer that is typed at once must be neither shown nor lost.
        show(question)
        var typed: [UInt8] = []
        while typed.count < 4096 {
            var readable = [ending, terminal].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&readable, 2, -1) < 0, errno == EINTR { continue }
            if readable[0].revents != 0 {
                if !isSilenced { show("\n") }
                return .none
            }
            var byte: UInt8 = 0
            let count = Glibc.read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return typed.isEmpty ? .none : .text(String(decoding: typed, as: UTF8.self)) }
            if byte == 0x0A { return .text(String(decoding: typed, as: UTF8.self)) }
            if byte == cancel, echo == .offWithoutSignals { return .cancelled }
            typed.append(byte)
        }
        return .none
    }

    static func onTerminal<Answer>(_ ask: (Int32) throws -> Answer?) rethrows -> Answer? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return try ask(terminal)
    }

    static func write(_ text: String, to terminal: Int32) {
        _ = Array(TerminalFilter.safe(text).utf8).withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
    }
}
