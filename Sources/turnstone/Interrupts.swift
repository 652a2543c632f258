import Glibc
import NetworkLayer
import Synchronization
import Threads

/// SIGINT and SIGTERM as calls, while it lives; where none lives they end the program, as usual.
final class Interrupts: Sendable {
    private let number: Int

    init(_ handler: @escaping @Sendable () -> Void) { number = Signals.shared.add(handler) }

    deinit { Signals.shared.remove(number) }
}

/// The thread that hears of both signals, from the first handler to the program's end: the system's handler, on whatever thread the signal
/// meets, only writes its number to a pipe, which is safe there.
private final class Signals: Sendable {
    static let shared = Signals()

    /// Allocated before the system's handler is there, and never freed.
    nonisolated(unsafe) private static let writer: UnsafeMutablePointer<Int32> = {
        let writer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        writer.initialize(to: -1)
        return writer
    }()

    private let handlers = Mutex(Handlers())

    private struct Handlers {
        var last = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }

    /// Where there is no pipe left, both signals end the program, as usual.
    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        Self.writer.pointee = ends[1]
        SystemThread.run { [self, reader = ends[0]] in listen(to: reader) }
        var action = sigaction()
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.writer.pointee, &byte, 1)
            errno = before
        }
        for number in [SIGINT, SIGTERM] { sigaction(number, &action, nil) }
    }

    func add(_ handler: @escaping @Sendable () -> Void) -> Int {
        handlers.withLock { handlers in
            handlers.last += 1
            handlers.all[handlers.last] = handler
            return handlers.last
        }
    }

    func remove(_ number: Int) { handlers.withLock { _ = $0.all.removeValue(forKey: number) } }

    private func listen(to reader: Int32) {
        // All other threads may block them: then they meet this one.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        while true {
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 { handle(Int32(byte)) }
        }
    }

    private func handle(_ number: Int32) {
        let all = handlers.withLock { $0.all.sorted { $0.key < $1.key }.map(\.value) }
        for handler in all { handler() }
        guard all.isEmpty else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
