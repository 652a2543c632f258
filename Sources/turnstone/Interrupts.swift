import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM as calls, while it lives; where none lives they end the program, as usual.
final class Interrupts: Sendable {
    private let number: Int

    init(_ handler: @escaping @Sendable () -> Void) { number = Signals.shared.add(handler) }

    deinit { Signals.shared.remove(number) }
}

/// The sources of both signals, from the first handler to the program's end: once one was cancelled, libdispatch on Linux tells no other
/// one of its signal, and a second request of one command could not be interrupted.
///
/// Unchecked: a dispatch source may be used from any thread, though its type doesn't say so.
private final class Signals: @unchecked Sendable {
    static let shared = Signals()

    private let sources: [any DispatchSourceSignal]
    private let handlers = Mutex(Handlers())

    private struct Handlers {
        var last = 0
        var all: [Int: @Sendable () -> Void] = [:]
    }

    private init() {
        let queue = DispatchQueue(label: "turnstone.signals", qos: .userInitiated)
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for source in sources {
            let number = Int32(source.handle)
            source.setEventHandler { [unowned self] in handle(number) }
            source.resume()
        }
    }

    func add(_ handler: @escaping @Sendable () -> Void) -> Int {
        handlers.withLock { handlers in
            handlers.last += 1
            handlers.all[handlers.last] = handler
            return handlers.last
        }
    }

    func remove(_ number: Int) { handlers.withLock { _ = $0.all.removeValue(forKey: number) } }

    private func handle(_ number: Int32) {
        let all = handlers.withLock { $0.all.sorted { $0.key < $1.key }.map(\.value) }
        for handler in all { handler() }
        guard all.isEmpty else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}
