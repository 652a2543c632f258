package import Base

/// Fills a ``TemporaryFile``, in order. What comes in small pieces goes out in big ones, without copying it together.
package struct TemporaryFileWriter: ~Copyable, Sendable {
    private let file: Int32
    /// `nil`: it has none.
    private let name: String?
    /// Bytes taken in, written or not.
    private(set) var count = 0
    private var pending: [Data] = []
    private var pendingBytes = 0
    private var isOpen = true

    /// Bytes that are worth a system call, and the most pieces for one.
    private static let batchBytes = 1 << 18
    private static let batchPieces = 64

    /// - Parameter directory: the system's directory for temporary files (`TMPDIR`, else `/tmp`) when `nil`.
    package init(directory: String?) throws(NetworkError) {
        let directory = directory ?? UnnamedFile.directory
        if let file = UnnamedFile.open(in: directory, mode: 0o600) {
            self.init(file: file, name: nil)
            return
        }
        guard let (file, name) = UnnamedFile.openNamed(in: directory) else {
            throw .file("can't take a temporary file for the body; choose another directory", path: directory, errno: errno)
        }
        self.init(file: file, name: UnnamedFile.unname(name, of: file) ? nil : name)
    }

    /// A new file in the directory of `destination`, which may take its place in one step; where it needs a name until then, that is
    /// `DESTINATION.7f3a90c1.part`. Readable as any file that the user makes.
    init(beside destination: String) throws(NetworkError) {
        var status = stat()
        guard stat(destination, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
            throw .downloadCannotBeSaved(destination, errno: EISDIR)
        }
        let directory = destination.unicodeScalars.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
        if let file = UnnamedFile.open(in: directory, mode: 0o666) {
            self.init(file: file, name: nil)
            return
        }
        while true {
            let path = Self.nameBeside(destination)
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if file >= 0 {
                self.init(file: file, name: path)
                return
            }
            guard errno == EEXIST else { throw .downloadCannotBeSaved(destination, errno: errno) }
        }
    }

    static func nameBeside(_ destination: String) -> String {
        "\(destination).\(String(UInt32.random(in: 1 << 28 ... .max), radix: 16)).part"
    }

    /// Takes over an open file and its name.
    init(file: Int32, name: String?) {
        self.file = file
        self.name = name
    }

    private var path: String { name ?? UnnamedFile.path(file) }

    deinit {
        if isOpen {
            close(file)
            if let name { _ = unlink(name) }
        }
    }

    package mutating func append(_ data: Data) throws(NetworkError) {
        count += data.count
        pending.append(data)
        pendingBytes += data.count
        if pendingBytes >= Self.batchBytes || pending.count == Self.batchPieces { try flush() }
    }

    package consuming func finish() throws(NetworkError) -> TemporaryFile {
        try flush()
        guard let name else {
            isOpen = false
            return TemporaryFile(unnamed: file, count: count)
        }
        // Some file systems tell only now that the disk is full.
        guard close(file) == 0 else {
            isOpen = false
            let error = NetworkError.file("can't be closed", path: path, errno: errno)
            _ = unlink(name)
            throw error
        }
        isOpen = false
        return TemporaryFile(path: name, count: count)
    }

    /// What has been taken in so far, to be read while more comes; `nil` when that can't be.
    ///
    /// It is the same file, held open once more: what is written later lies behind the bytes that the snapshot counts.
    mutating func snapshot() -> TemporaryFile? {
        guard (try? flush()) != nil else { return nil }
        let copy = fcntl(file, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? TemporaryFile(unnamed: copy, count: count) : nil
    }

    private mutating func flush() throws(NetworkError) {
        guard !pending.isEmpty else { return }
        let isWritten =
            pending.count == 1
            ? pending[0].withUnsafeBytes { bytes in
                bytes.isEmpty || TemporaryFile.writeAll(bytes.baseAddress!, count: bytes.count, to: file)
            } : writeTogether()
        guard isWritten else { throw .file("can't be written", path: path, errno: errno, code: .appendFailed) }
        pending.removeAll(keepingCapacity: true)
        pendingBytes = 0
    }

    /// One `writev`; what it leaves goes out piece by piece.
    private func writeTogether() -> Bool {
        var vectors: [iovec] = []
        vectors.reserveCapacity(pending.count)
        return collect(from: 0, into: &vectors)
    }

    /// Recursive, because the pointer to a piece is only valid inside of its closure.
    private func collect(from index: Int, into vectors: inout [iovec]) -> Bool {
        guard index < pending.count else { return write(vectors) }
        return pending[index].withUnsafeBytes { bytes in
            if let start = bytes.baseAddress {
                vectors.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: bytes.count))
            }
            return collect(from: index + 1, into: &vectors)
        }
    }

    private func write(_ vectors: [iovec]) -> Bool {
        var written: Int
        repeat { written = writev(file, vectors, Int32(vectors.count)) } while written < 0 && errno == EINTR
        guard written >= 0 else { return false }
        for vector in vectors {
            guard let base = vector.iov_base else { continue }
            if written >= vector.iov_len {
                written -= vector.iov_len
                continue
            }
            if !TemporaryFile.writeAll(base + written, count: vector.iov_len - written, to: file) { return false }
            written = 0
        }
        return true
    }
}
