import Base
import CNcurses
import TerminalUI

/// Signals that concern the terminal.
///
///   WINCH TSTP CONT TERM HUP INT          written to a pipe, as a byte; the loop reads them when it comes round
///   SEGV BUS ILL TRAP FPE ABRT QUIT SYS   the handler itself gives the terminal back with write(2) and tcsetattr(3), both safe
///                                         in a handler, and lets the signal do what it would have done
///
/// All memory that a handler touches is allocated when the signals are taken and never freed.
enum TerminalSignals {
    static let told: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT]
    static let fatal: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS]

    /// What a handler needs. Written on the main thread before the handlers are there, or in one word at a time.
    struct Shared {
        var pipe: Int32 = -1
        var terminal: Int32 = -1
        /// What ncurses draws to, and a way into nothing to put in its place.
        var drawing: Int32 = -1
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        /// Whether there is something to give back now.
        var isTaken = false
        var modes = termios()
        var farewell: UnsafeMutablePointer<UInt8>?
        var farewellCount = 0
        /// See `StandardErrorKeeper`; -1: standard error is where it always was.
        var usualError: Int32 = -1
        var keptError: Int32 = -1
        /// By signal number.
        var previous: UnsafeMutablePointer<sigaction>
    }

    nonisolated(unsafe) static let shared: UnsafeMutablePointer<Shared> = {
        let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        previous.initialize(repeating: sigaction(), count: 65)
        let shared = UnsafeMutablePointer<Shared>.allocate(capacity: 1)
        shared.initialize(to: Shared(previous: previous))
        return shared
    }()

    /// - Parameters:
    ///   - farewell: what makes the terminal's screen what it was.
    ///   - modes: its settings before.
    /// - Returns: the end of the pipe to read.
    @MainActor
    static func install(terminal: Int32, modes: termios, farewell: [UInt8]) -> Int32 {
        let pipe = makePipe()
        shared.pointee.pipe = pipe.writing
        shared.pointee.terminal = terminal
        shared.pointee.modes = modes
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, farewell.count))
        bytes.update(from: farewell, count: farewell.count)
        shared.pointee.farewell = bytes
        shared.pointee.farewellCount = farewell.count
        installStack()
        for signal in told { set(signal, tell, flags: SA_RESTART) }
        for signal in fatal { set(signal, restore, flags: SA_ONSTACK) }
        return pipe.reading
    }

    /// Puts the handlers back that were there before.
    @MainActor
    static func release(reading end: Int32) {
        shared.pointee.isTaken = false
        for signal in told + fatal { sigaction(signal, shared.pointee.previous + Int(signal), nil) }
        close(end)
        close(shared.pointee.pipe)
        shared.pointee.pipe = -1
    }

    /// Stops the whole job, as the terminal's own Ctrl+Z would, and returns when it goes on.
    @MainActor
    static func stop() {
        var usual = sigaction()
        usual.__sigaction_handler.sa_handler = SIG_DFL
        let both = [SIGTSTP, SIGCONT]
        let ours = both.map { signal in
            var ours = sigaction()
            sigaction(signal, &usual, &ours)
            return ours
        }
        kill(0, SIGTSTP)
        for (signal, action) in zip(both, ours) {
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    /// While the terminal is somebody else's (`$EDITOR`), Ctrl+Z there stops us too, or the shell would wait for us.
    @MainActor
    static func setStopping(_ isUsual: Bool) {
        if isUsual {
            sigaction(SIGTSTP, shared.pointee.previous + Int(SIGTSTP), nil)
        } else {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = tell
            action.sa_flags = SA_RESTART
            sigaction(SIGTSTP, &action, nil)
        }
    }

    @MainActor
    private static func set(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void, flags: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = flags
        sigaction(signal, &action, shared.pointee.previous + Int(signal))
    }

    /// A stack for the handlers, so that the terminal is given back even when a recursion without end used up the other.
    @MainActor
    private static func installStack() {
        var present = stack_t()
        sigaltstack(nil, &present)
        guard present.ss_flags & Int32(SS_DISABLE) != 0 else { return }
        let size = 64 << 10
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }

    private static let tell: @convention(c) (Int32) -> Void = { signal in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        write(shared.pointee.pipe, &byte, 1)
        errno = saved
    }

    private static let restore: @convention(c) (Int32) -> Void = { signal in
        if shared.pointee.isTaken {
            shared.pointee.isTaken = false
            // The signal may have come to another thread while the main one goes on drawing.
            dup2(shared.pointee.nowhere, shared.pointee.drawing)
            write(shared.pointee.terminal, shared.pointee.farewell, shared.pointee.farewellCount)
            tcsetattr(shared.pointee.terminal, TCSANOW, &shared.pointee.modes)
            writeKeptError(from: shared.pointee.keptError, to: shared.pointee.usualError)
        }
        // It is pending until this returns, and then finds who was there before us, where it happened.
        sigaction(signal, shared.pointee.previous + Int(signal), nil)
        raise(signal)
    }

    /// Makes `usual` standard error again and copies to it what was kept. Only calls that a handler may make.
    static func writeKeptError(from file: Int32, to usual: Int32) {
        guard usual >= 0 else { return }
        dup2(usual, STDERR_FILENO)
        lseek(file, 0, SEEK_SET)
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            while true {
                let count = read(file, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                write(usual, buffer.baseAddress, count)
            }
        }
    }
}

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

/// A pipe that becomes readable when someone wakes; any number of wakes are one.
final class Waker: TerminalWaker {
    let descriptor: Int32
    private let end: Int32

    init() {
        (descriptor, end) = makePipe()
    }

    deinit {
        close(descriptor)
        close(end)
    }

    func wake() {
        var byte: UInt8 = 0
        // Full: it is readable already.
        write(end, &byte, 1)
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 1 << 10)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

/// A pipe that never blocks and that no child inherits.
func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
}
