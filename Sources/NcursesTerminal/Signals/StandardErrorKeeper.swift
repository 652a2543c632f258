import Base

/// Keeps what is written to standard error while the screen is ours: there it would be drawn over, and the last words of a
/// crash would vanish with the screen. Afterwards it is written where it belongs.
///
/// Only when standard error is the terminal; one that goes to a file goes there.
@MainActor
enum StandardErrorKeeper {
    private static var usual: Int32 = -1
    private static var file: Int32 = -1

    static func begin() {
        guard usual < 0, isatty(STDERR_FILENO) == 1 else { return }
        if file < 0 {
            var name = Array("/tmp/turnstone-errors-XXXXXX".utf8CString)
            file = mkstemp(&name)
            guard file >= 0 else { return }
            unlink(name)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
        usual = dup(STDERR_FILENO)
        _ = fcntl(usual, F_SETFD, FD_CLOEXEC)
        dup2(file, STDERR_FILENO)
        TerminalSignals.shared.pointee.usualError = usual
        TerminalSignals.shared.pointee.keptError = file
    }

    static func end() {
        guard usual >= 0 else { return }
        TerminalSignals.shared.pointee.usualError = -1
        TerminalSignals.writeKeptError(from: file, to: usual)
        ftruncate(file, 0)
        lseek(file, 0, SEEK_SET)
        close(usual)
        usual = -1
    }
}
