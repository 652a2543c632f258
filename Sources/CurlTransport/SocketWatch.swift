import CCurl
import Glibc

/// The sockets that libcurl waits for, in an epoll set: looking costs what happens on them, not how many there are.
///
/// A connection that goes back to the pool stays in the set, since the next request waits for the same again; it is taken out when
/// something happens on it while nobody waits. Everything but ``wake()`` is used on the loop's thread only.
final class SocketWatch {
    /// Something happens on a socket.
    struct Sign {
        var socket: Int32
        /// Of `CURL_CSELECT_…`; 0 where libcurl must look itself.
        var mask: Int32
    }

    private struct Entry {
        /// Of `EPOLL…`: what libcurl wants to know, and what the set tells.
        var wanted: UInt32 = 0
        var watched: UInt32 = 0
    }

    private let set: Int32
    /// Rings for ``wake()``. It is watched for changes and so need never be read.
    private let bell: Int32
    /// By descriptor: the system gives out the smallest that is free.
    private var entries: [Entry] = []
    private let room = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

    private static let input = EPOLLIN.rawValue
    private static let output = EPOLLOUT.rawValue
    private static let trouble = EPOLLERR.rawValue | EPOLLHUP.rawValue

    init() {
        set = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard set >= 0, bell >= 0, control(EPOLL_CTL_ADD, bell, EPOLLIN.rawValue | EPOLLET.rawValue) else {
            preconditionFailure("no epoll set for the transport: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(set)
        close(bell)
        room.deallocate()
    }

    // MARK: Any thread

    /// Ends the present ``wait(milliseconds:_:)``, or the next one.
    func wake() {
        eventfd_write(bell, 1)
    }

    // MARK: The loop's thread

    /// Waits until something happens, the time is over (-1: never), or somebody wakes it.
    func wait(milliseconds: Int32, _ tell: (Sign) -> Void) {
        let count = epoll_wait(set, room.baseAddress, Int32(room.count), milliseconds)
        // -1 when a signal came.
        for event in room.prefix(max(0, Int(count))) where event.data.fd != bell {
            let socket = event.data.fd
            if entries[Int(socket)].wanted == 0 {
                remove(socket)
            } else {
                tell(Sign(socket: socket, mask: Self.mask(event.events)))
            }
        }
    }

    /// What went wrong with a socket libcurl finds out better from the socket.
    private static func mask(_ events: UInt32) -> Int32 {
        guard events & trouble == 0 else { return 0 }
        return (events & input == 0 ? 0 : CURL_CSELECT_IN) | (events & output == 0 ? 0 : CURL_CSELECT_OUT)
    }

    /// - Parameters:
    ///   - what: of `CURL_POLL_…`.
    ///   - isKept: whether ``forget(_:)`` will be called before the descriptor is closed.
    func listen(to socket: Int32, for what: Int32, isKept: Bool) {
        let events =
            switch what {
            case CURL_POLL_IN: Self.input
            case CURL_POLL_OUT: Self.output
            case CURL_POLL_INOUT: Self.input | Self.output
            default: UInt32(0)
            }
        while entries.count <= Int(socket) { entries.append(Entry()) }
        let watched = entries[Int(socket)].watched
        entries[Int(socket)].wanted = events
        if events == 0 {
            if !isKept { remove(socket) }
        } else if events != watched {
            entries[Int(socket)].watched = events
            _ = control(watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, events)
        }
    }

    /// The socket is about to be closed. The system would take it out by itself, but not while a child process that is being
    /// started still has it.
    func forget(_ socket: Int32) {
        guard Int(socket) < entries.count else { return }
        entries[Int(socket)].wanted = 0
        remove(socket)
    }

    private func remove(_ socket: Int32) {
        guard entries[Int(socket)].watched != 0 else { return }
        entries[Int(socket)].watched = 0
        _ = control(EPOLL_CTL_DEL, socket, 0)
    }

    private func control(_ operation: Int32, _ socket: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
        return epoll_ctl(set, operation, socket, &event) == 0
    }
}
