import Dispatch
import Foundation
package import Glibc
package import TerminalUI

/// A program in a pseudo-terminal, as a user would run it: keys go in, a screen comes out, and what it does to the terminal's
/// settings can be looked at.
///
/// Waiting is waiting for output: every chunk is fed to the screen, and the conditions of those who wait are tried again.
/// The deadline is for programs that hang, not for slow machines.
///
/// Safe to share: what changes is guarded by `lock`, everything else is set once.
package final class PseudoTerminal: @unchecked Sendable {
    private let lock = NSLock()
    private var screenState: VirtualScreen
    private var output: [UInt8] = []
    private var exit: Exit?
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0
    /// As the program left them; `nil` while it runs.
    private var lastSettings: [UInt8]?

    package let process: pid_t
    private let control: Int32
    /// Kept open while the program runs, so that its terminal's settings can be read.
    private let slave: Int32
    private let patience: Duration
    private let readerIsDone = DispatchSemaphore(value: 0)

    package enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    private struct Waiter {
        var condition: @Sendable (VirtualScreen) -> Bool
        var continuation: CheckedContinuation<Outcome, Never>
    }

    private enum Outcome {
        case met, ended, late
    }

    /// Starts a program on a terminal of its own.
    ///
    /// - Parameters:
    ///   - environment: added to a small one: PATH, HOME, and a UTF-8 locale.
    package init(
        _ arguments: [String], size: Size = Size(columns: 120, rows: 40), term: String = "xterm-256color",
        environment: [String: String] = [:], directory: String? = nil, patience: Duration = .seconds(30)
    ) throws {
        self.patience = patience
        screenState = VirtualScreen(size: size)
        let line = try PseudoTerminal.open(size)
        (control, slave) = (line.control, line.slave)
        var variables = ["TERM": term, "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor"]
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] { variables[name] = ProcessInfo.processInfo.environment[name] }
        variables.merge(environment) { _, new in new }
        process = try PseudoTerminal.spawn(arguments, on: line.name, variables, directory)
        Thread.detachNewThread { [self] in readOutput() }
        Thread.detachNewThread { [self] in awaitExit() }
    }

    deinit {
        if exit == nil { kill(process, SIGKILL) }
        close(control)
    }

    /// Ends the program if it still runs. For the end of a test.
    package func stop() {
        if lock.withLock({ exit == nil }) { kill(process, SIGKILL) }
    }

    // MARK: Looking

    package var screen: VirtualScreen { lock.withLock { screenState } }
    /// Everything that the program has written.
    package var written: [UInt8] { lock.withLock { output } }

    /// The terminal's settings now, as bytes that can be compared.
    package var settings: [UInt8] { lock.withLock { lastSettings ?? PseudoTerminal.settings(of: slave) } }

    package static func settings(of terminal: Int32) -> [UInt8] {
        var modes = termios()
        tcgetattr(terminal, &modes)
        return withUnsafeBytes(of: &modes) { Array($0) }
    }

    // MARK: Doing

    /// Types text, and keys by their names in angle brackets: `<enter> <esc> <tab> <s-tab> <up> <c-r> <f5> <a-x> <lt>`.
    package func type(_ keys: String) {
        send(TypedKeys.bytes(keys))
    }

    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(control, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    package func resize(_ size: Size) {
        lock.withLock { screenState.resize(size) }
        var window = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(control, UInt(TIOCSWINSZ), &window)
    }

    package func signal(_ number: Int32) {
        kill(process, number)
    }

    // MARK: Waiting

    /// Until the screen is as wanted.
    ///
    /// - Throws: `TimedOut` with the screen, when it doesn't get so, or the program ends.
    package func wait(for what: String, until condition: @escaping @Sendable (VirtualScreen) -> Bool) async throws {
        // Not looked at again afterwards: the screen may have gone on since.
        guard await wait(until: condition) != .met else { return }
        let (screen, exit) = lock.withLock { (screenState, self.exit) }
        throw TimedOut(waitingFor: what, exit: exit, screen: screen.text)
    }

    /// Until this text stands somewhere on the screen.
    package func wait(for text: String) async throws {
        try await wait(for: "“\(text)”") { $0.contains(text) }
    }

    /// Until the program has ended and all that it wrote has been read.
    package func waitForExit() async throws -> Exit {
        _ = await wait { _ in false }
        let (screen, exit) = lock.withLock { (screenState, self.exit) }
        guard let exit else { throw TimedOut(waitingFor: "the program's end", exit: nil, screen: screen.text) }
        return exit
    }

    package struct TimedOut: Error, CustomStringConvertible {
        package var waitingFor: String
        package var exit: Exit?
        package var screen: String

        package var description: String {
            "\(exit.map { "the program ended (\($0))" } ?? "time is over") waiting for \(waitingFor); the screen:\n\(screen)"
        }
    }

    private func wait(until condition: @escaping @Sendable (VirtualScreen) -> Bool) async -> Outcome {
        await withCheckedContinuation { continuation in
            let (outcome, id) = lock.withLock { () -> (Outcome?, Int) in
                if condition(screenState) { return (.met, 0) }
                if exit != nil { return (.ended, 0) }
                nextWaiter += 1
                waiters[nextWaiter] = Waiter(condition: condition, continuation: continuation)
                return (nil, nextWaiter)
            }
            if let outcome { return continuation.resume(returning: outcome) }
            Task { [self, patience] in
                try? await Task.sleep(for: patience)
                let waiter = lock.withLock { waiters.removeValue(forKey: id) }
                waiter?.continuation.resume(returning: .late)
            }
        }
    }

    /// - Parameter change: with the lock held.
    private func update(_ change: () -> Void) {
        let done = lock.withLock {
            change()
            var done: [(Waiter, Outcome)] = []
            for (id, waiter) in waiters {
                let outcome: Outcome? = waiter.condition(screenState) ? .met : exit != nil ? .ended : nil
                guard let outcome else { continue }
                done.append((waiter, outcome))
                waiters.removeValue(forKey: id)
            }
            return done
        }
        for (waiter, outcome) in done { waiter.continuation.resume(returning: outcome) }
    }

    private func readOutput() {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(control, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                readerIsDone.signal()
                return
            }
            update {
                screenState.feed(bytes[..<count])
                output += bytes[..<count]
            }
        }
    }

    /// The program's end is told when everything that it wrote has been read: our own end is closed, so that the reader comes
    /// to the end of the line.
    private func awaitExit() {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        lock.withLock {
            lastSettings = PseudoTerminal.settings(of: slave)
            close(slave)
        }
        readerIsDone.wait()
        let low = status & 0x7F
        update { exit = low == 0 ? .status((status >> 8) & 0xFF) : .signal(low) }
    }
}
