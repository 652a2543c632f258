import Base
import Synchronization

/// Reads a file while it is sent. Its length is that at opening: bytes added later are left out, missing ones are an error.
final class FileBodyReader: RequestBodyReader {
    let length: Int64?
    private let path: String
    private let state: Mutex<State>

    private struct State {
        /// -1 when it is closed.
        var file: Int32
        var rest: Int64
    }

    convenience init(path: String) throws(NetworkError) { try self.init(BodyFile(path: path)) }

    init(_ body: BodyFile) throws(NetworkError) {
        let path = body.path
        let file = body.descriptor()
        guard file >= 0 else { throw Self.failure("can't be opened", path, errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Self.close(file)
            throw .bodyUnreadable("\(path) isn't a file, so it has no bytes to send. Name a file.")
        }
        self.path = path
        length = Int64(status.st_size)
        state = Mutex(State(file: file, rest: Int64(status.st_size)))
    }

    deinit { close() }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws(NetworkError) -> RequestBodyRead {
        try state.withLock { state throws(NetworkError) in
            let count = min(Int64(limit), state.rest)
            guard count > 0, state.file >= 0 else { return .end }
            guard let buffer = malloc(Int(count)) else { throw Self.failure("can't be read", path, ENOMEM) }
            let got = Self.read(state.file, buffer, Int(count))
            guard got > 0 else {
                let error = errno
                free(buffer)
                if got < 0 { throw Self.failure("can't be read", path, error) }
                throw .bodyUnreadable("\(path) became shorter while it was sent: \(state.rest) bytes are missing.")
            }
            state.rest -= Int64(got)
            return .bytes(Data(bytesNoCopy: buffer, count: got, deallocator: .free))
        }
    }

    func close() {
        state.withLock { state in
            if state.file >= 0 { Self.close(state.file) }
            state.file = -1
        }
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        SystemCall.read(file, buffer, count)
    }

    private static func close(_ file: Int32) {
        SystemCall.close(file)
    }

    private static func failure(_ problem: String, _ path: String, _ errno: Int32) -> NetworkError {
        .bodyUnreadable("The body's file \(path) \(problem): \(String(cString: strerror(errno))).", errno: errno)
    }
}
