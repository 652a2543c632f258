public import Base
import Synchronization

/// A file that is deleted with its last owner, and with the program however that ends, unless it was moved (TMP-1). Only its user can
/// read it. It has no name where the system allows that: then nothing is left behind even when the program is killed.
public final class TemporaryFile: Sendable {
    /// Bytes.
    public let count: Int
    private let place: Mutex<Place>

    private enum Place {
        /// Open, without a name.
        case unnamed(Int32)
        case named(String)
        case moved(String)
    }

    package init(adopting path: String) throws(NetworkError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .file("can't be read", path: path, errno: errno) }
        count = Int(status.st_size)
        place = Mutex(.named(path))
    }

    init(path: String, count: Int) {
        self.count = count
        place = Mutex(.named(path))
    }

    /// Takes over an open file that has no name.
    init(unnamed file: Int32, count: Int) {
        self.count = count
        place = Mutex(.unnamed(file))
    }

    deinit {
        place.withLock { Self.giveUp($0) }
    }

    /// A path at which this program, and those it starts, can open the file as long as this object exists; after ``move(to:)`` its new
    /// place.
    public var path: String { place.withLock { Self.path(of: $0) } }

    private static func path(of place: Place) -> String {
        switch place {
        case .unnamed(let file): UnnamedFile.path(file)
        case .named(let path), .moved(let path): path
        }
    }

    /// Moves the file to a place where it stays. This works once, and never replaces an existing file. Within a file system it is one
    /// step; between two the file is copied.
    public func move(to destination: String) throws(NetworkError) {
        try place.withLock { place throws(NetworkError) in
            let path = Self.path(of: place)
            if case .moved = place {
                throw .file("was moved to \(path) before; copy it from there", path: destination, errno: EBUSY)
            }
            let isLinked =
                switch place {
                case .unnamed(let file): UnnamedFile.link(file, to: destination)
                default: link(path, destination) == 0
                }
            // ENOENT: a file whose name was taken away gets no other one.
            let isUnnamed = if case .unnamed = place { true } else { false }
            if !isLinked {
                guard errno == EXDEV || errno == EPERM || errno == ENOENT && isUnnamed && Self.hasDirectory(destination) else {
                    throw .file("can't be made from \(path)", path: destination, errno: errno)
                }
                try Self.copy(path, to: destination)
            }
            Self.giveUp(place)
            place = .moved(destination)
        }
    }

    /// Moves the file to the place that it was made for, in one step, replacing what is there.
    func replace(_ destination: String) throws(NetworkError) {
        try place.withLock { place throws(NetworkError) in
            var path = Self.path(of: place)
            if case .unnamed(let file) = place {
                // A file gets a name that nothing has, and with that it can take the place of another.
                path = TemporaryFileWriter.nameBeside(destination)
                guard UnnamedFile.link(file, to: path) else { throw .downloadCannotBeSaved(destination, errno: errno) }
            }
            guard rename(path, destination) == 0 else {
                let error = NetworkError.downloadCannotBeSaved(destination, errno: errno)
                if case .unnamed = place { _ = unlink(path) }
                throw error
            }
            if case .unnamed(let file) = place { close(file) }
            place = .moved(destination)
        }
    }

    private static func giveUp(_ place: Place) {
        switch place {
        case .unnamed(let file): close(file)
        case .named(let path): _ = unlink(path)
        case .moved: break
        }
    }

    private static func hasDirectory(_ path: String) -> Bool {
        access(path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", F_OK) == 0
    }

    /// The bytes, mapped: pages are read when they are touched, and stay valid when the file goes away.
    ///
    /// A program that makes the file shorter while they are in use ends this one with SIGBUS. Nobody has a reason to: only its user
    /// can open the file, which has no name, or one that can't be guessed, until it is moved.
    public func contents() throws(NetworkError) -> Data {
        try place.withLock { place throws(NetworkError) in
            let path = Self.path(of: place)
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw .file("can't be opened", path: path, errno: errno) }
            defer { close(file) }
            guard count > 0 else { return Data() }
            guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), address != MAP_FAILED else {
                throw .file("can't be mapped", path: path, errno: errno)
            }
            return Data(bytesNoCopy: address, count: count, deallocator: .custom { address, count in munmap(address, count) })
        }
    }

    private static func copy(_ source: String, to destination: String) throws(NetworkError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .file("can't be opened", path: source, errno: errno) }
        defer { close(input) }
        let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw .file("can't be made", path: destination, errno: errno) }
        defer { close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(input, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0, writeAll(buffer.baseAddress!, count: count, to: output) else {
                let error = NetworkError.file("can't be written", path: destination, errno: errno)
                _ = unlink(destination)
                throw error
            }
        }
    }

    /// - Returns: `false` with `errno` set when it failed.
    package static func writeAll(_ bytes: UnsafeRawPointer, count: Int, to file: Int32) -> Bool {
        var offset = 0
        while offset < count {
            let written = write(file, bytes + offset, count - offset)
            if written < 0 {
                if errno == EINTR { continue }
                return false
            }
            offset += written
        }
        return true
    }
}

extension NetworkError {
    /// TermiNetwork's `downloadedFileCannotBeSaved`.
    static func downloadCannotBeSaved(_ path: String, errno: Int32) -> NetworkError {
        .file("can't be saved; choose another place", path: path, errno: errno, code: .downloadedFileCannotBeSaved)
    }

    /// Code 209, or 210 where bytes were to be added (CON-2).
    static func file(_ problem: String, path: String, errno: Int32, code: Code = .fileFailed) -> NetworkError {
        NetworkError(
            code, phase: .body, type: "file.failed", message: "\(path) \(problem): \(String(cString: strerror(errno))).",
            systemErrno: errno)
    }
}
