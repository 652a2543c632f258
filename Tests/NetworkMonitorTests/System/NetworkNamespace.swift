import Glibc

@testable import NetworkMonitor

/// A network of a thread's own, so that a test changes nothing of the machine's. Only root may make one.
enum NetworkNamespace {
    /// Whether this machine lets us; found out by trying.
    static let isAllowed = run { _ in } != nil

    /// Calls `body` on a thread in a new namespace, with a socket that hears of its changes.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (_ changes: Int32) -> Value) -> Value? {
        let box = Box { () -> Value? in
            guard unshareNetwork(), let changes = NetlinkSocket.open() else { return nil }
            return body(changes)
        }
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().run()
                return nil
            }, Unmanaged<Work>.passUnretained(box).toOpaque())
        guard status == 0 else { return nil }
        pthread_join(thread, nil)
        return withExtendedLifetime(box) { box.value }
    }

    /// `unshare(CLONE_NEWNET)`, which Glibc's module doesn't show.
    private static func unshareNetwork() -> Bool {
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x4000_0000) == 0
    }

    /// Switches the loopback of this thread's namespace on, as `ip link set lo up`.
    static func switchOnLoopback() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        // struct ifreq: 16 bytes of name, then the flags.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: "lo".utf8)
        request[16] = 1
        return ioctl(descriptor, 0x8914, &request) == 0
    }

    private class Work {
        func run() {}
    }

    /// Only the thread touches it, until it was joined.
    private final class Box<Value>: Work {
        private let body: () -> Value?
        private(set) var value: Value?

        init(_ body: @escaping () -> Value?) {
            self.body = body
        }

        override func run() { value = body() }
    }
}
