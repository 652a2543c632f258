import Base
import NetworkLayer
import Synchronization

/// A thread that sleeps in `poll` until a descriptor says that something changed, or it is to end. It wakes up for nothing
/// else, unless the last look came to nothing.
final class ChangeThread: Sendable {
    /// Owned by the thread, which closes it; below zero: none, and `poll` passes over it.
    private let changes: Int32
    /// A pipe that ends the thread; closed when nobody refers to this object any more, so that writing to it raises no SIGPIPE.
    private let end: (reader: Int32, writer: Int32)
    private let looksFirst: Bool
    private let onChange: @Sendable () -> Next

    enum Next {
        case wait
        /// Look again in a while, whatever happens.
        case lookAgain
    }

    /// A while, in milliseconds.
    private static let pause: Int32 = 5000

    /// - Parameters:
    ///   - changes: a descriptor that doesn't block, and is closed at the end or when this fails; `nil`: nothing ever changes.
    ///   - looksFirst: whether to call once before anything has changed.
    ///   - onChange: called on the thread, once for all that came since the last call.
    /// - Returns: `nil` when the machine has no descriptor or thread left.
    static func start(_ changes: Int32?, looksFirst: Bool = false, onChange: @escaping @Sendable () -> Next) -> ChangeThread? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            if let changes { close(changes) }
            return nil
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let owner = ChangeThread(changes: changes ?? -1, end: (ends[0], ends[1]), looksFirst: looksFirst, onChange: onChange)
        guard SystemThread.start({ owner.run() }) == 0 else {
            if let changes { close(changes) }
            return nil
        }
        return owner
    }

    private init(
        changes: Int32, end: (reader: Int32, writer: Int32), looksFirst: Bool, onChange: @escaping @Sendable () -> Next
    ) {
        self.changes = changes
        self.end = end
        self.looksFirst = looksFirst
        self.onChange = onChange
    }

    deinit {
        close(end.reader)
        close(end.writer)
    }

    /// Doesn't wait for the thread; a second time does nothing.
    func stop() {
        var byte: UInt8 = 0
        _ = write(end.writer, &byte, 1)
    }

    private func run() {
        defer { if changes >= 0 { close(changes) } }
        var next = looksFirst ? onChange() : .wait
        while true {
            var waits = [
                pollfd(fd: changes, events: Int16(POLLIN), revents: 0), pollfd(fd: end.reader, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waits, nfds_t(waits.count), next == .wait ? -1 : Self.pause)
            guard count >= 0 else {
                guard errno == EINTR else { return }
                continue
            }
            if waits[1].revents != 0 { return }
            if count > 0, !drain() { return }
            next = onChange()
        }
    }

    /// What the messages say is of no interest: the files are read as a whole. A socket that overran (`ENOBUFS`) lost some of
    /// them, which is a change, too.
    ///
    /// - Returns: `false` when nothing will ever come again.
    private func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 8) { buffer in
            while true {
                let count = read(changes, buffer.baseAddress, buffer.count)
                if count > 0 { continue }
                guard count < 0 else { return false }
                if errno == EAGAIN { return true }
                guard errno == EINTR || errno == ENOBUFS else { return false }
            }
        }
    }
}

/// A descriptor that becomes readable whenever the kernel changes a link, an address or a route (`rtnetlink(7)`).
enum NetlinkSocket {
    // From <linux/netlink.h> and <linux/rtnetlink.h>, which Glibc's module map leaves out.
    private static let family: UInt16 = 16
    private static let routeProtocol: Int32 = 0
    private static let linkGroup: UInt32 = 0x1
    private static let ipv4AddressGroup: UInt32 = 0x10
    private static let ipv4RouteGroup: UInt32 = 0x40
    private static let ipv6AddressGroup: UInt32 = 0x100
    private static let ipv6RouteGroup: UInt32 = 0x400

    /// `struct sockaddr_nl`, laid out by hand.
    private struct Address {
        var family: UInt16
        var padding: UInt16 = 0
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// For the network namespace of the calling thread; not blocking. `nil` where a sandbox refuses it.
    static func open() -> Int32? {
        let descriptor = SystemCall.socket(Int32(family), SystemCall.rawPackets, routeProtocol)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = Address(
            family: family,
            groups: linkGroup | ipv4AddressGroup | ipv6AddressGroup | ipv4RouteGroup | ipv6RouteGroup)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
