import Base

/// Asks at the terminal for a line that is typed after the question was seen.
package enum TerminalLine {
    /// - Returns: `nil` when there is no terminal, or nobody answered.
    @Sendable package static func ask(_ question: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return ask(question, on: terminal)
    }

    /// What was typed ahead was no answer to this, nor was what comes before anybody can have read it: the rest of what was pasted.
    ///
    /// - Parameter pause: waits for as long as it takes at least to read what is asked about. The question itself is shown after it:
    ///   what is typed from then on counts.
    static func ask(_ question: String, on terminal: Int32, pause: () -> Void = { usleep(300_000) }) -> String? {
        guard isatty(terminal) == 1 else { return nil }
        pause()
        tcflush(terminal, TCIFLUSH)
        _ = Array(TerminalFilter.safe(question).utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}
