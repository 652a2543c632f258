import Base
import NetworkLayer
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as calls, while it lives; where none lives they end the program, as usual. Letting go of it waits for a call
/// that is under way: the program may end next, and the call may give a terminal its echo back.
///
/// A terminal that is closed sends SIGHUP, often twice: from the shell, and from the system when the shell has ended. No person has lost
/// patience by that, so it calls nobody for a second time, and once it was obeyed, another one doesn't end the program either. Who starts
/// the program with SIGHUP ignored, as nohup(1) does, wants it to go on.
final class Interrupts: Sendable {
    private let number: Int

    /// Whether the terminal was closed while there was something to be interrupted.
    static var haveHungUp: Bool { Signals.hangUps.load(ordering: .relaxed) }

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

    /// Outside of the one instance, which would take the signals by being asked.
    static let hangUps = Atomic(false)

    private let handlers = Mutex(Handlers())
    /// Held while handlers are called, on the thread whose number stands beside it.
    private let calling = Mutex(())
    private let listener = Atomic<UInt>(0)

    private struct Handlers {
        var last = 0
        var all: [Int: Handler] = [:]
    }

    private struct Handler {
        var call: @Sendable () -> Void
        var wasCalled = false
    }

    /// Where there is no pipe left, the signals end the program, as usual.
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
        for number in Self.taken { sigaction(number, &action, nil) }
    }

    private static let taken: [Int32] = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    func add(_ handler: @escaping @Sendable () -> Void) -> Int {
        handlers.withLock { handlers in
            handlers.last += 1
            handlers.all[handlers.last] = Handler(call: handler)
            return handlers.last
        }
    }

    func remove(_ number: Int) {
        handlers.withLock { _ = $0.all.removeValue(forKey: number) }
        if listener.load(ordering: .relaxed) != SystemThread.current { calling.withLock { _ in } }
    }

    private func listen(to reader: Int32) {
        listener.store(SystemThread.current, ordering: .relaxed)
        // All other threads may block them: then they meet this one.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in Self.taken { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        while true {
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 { handle(Int32(byte)) }
        }
    }

    private func handle(_ number: Int32) {
        let isHangUp = number == SIGHUP
        let isAlone = calling.withLock { _ in
            let (isAlone, calls) = handlers.withLock { handlers in
                let numbers = handlers.all.keys.sorted().filter { !isHangUp || handlers.all[$0]?.wasCalled == false }
                for number in numbers { handlers.all[number]?.wasCalled = true }
                return (handlers.all.isEmpty, numbers.compactMap { handlers.all[$0]?.call })
            }
            if isHangUp, !isAlone { Self.hangUps.store(true, ordering: .relaxed) }
            for call in calls { call() }
            return isAlone
        }
        guard isAlone, !isHangUp || !Self.hangUps.load(ordering: .relaxed) else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
