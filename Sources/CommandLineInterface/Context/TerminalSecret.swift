import Base

/// Asks at the terminal, whatever standard input and output are, and shows nothing of what is typed.
package enum TerminalSecret {
    /// - Returns: `nil` when there is no terminal, or nothing was typed and Ctrl-D ended it.
    /// - Throws: a failure with the status for what was cancelled, on Ctrl-C.
    @Sendable package static func ask(_ question: String) throws -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return try ask(question, on: terminal)
    }

    /// The terminal sends no signals meanwhile: a program that ended here would leave it without echo.
    static func ask(_ question: String, on terminal: Int32) throws -> String? {
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        write(question, to: terminal)
        defer { write("\n", to: terminal) }
        var line = SecretLine()
        var byte: UInt8 = 0
        while true {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch line.handle(byte) {
            case .more: continue
            case .done(let text): return text
            case .ended: return nil
            case .cancelled: throw CommandFailure(status: .cancelled, message: "Cancelled, and nothing was sent.")
            }
        }
    }

    private static func write(_ text: String, to terminal: Int32) {
        _ = Array(TerminalFilter.safe(text).utf8).withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
    }
}
