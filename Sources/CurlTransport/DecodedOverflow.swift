import Base
import NetworkLayer

/// What a decoder has made of a piece of a body while nobody took it: first in memory, then in a file without a name.
///
/// libcurl decodes what it has received to the end, whoever pauses meanwhile, and 3 KB of zstd may be 100 MB. What it has to keep for
/// a transfer that is paused it keeps in memory, up to 64 MiB, and then it gives up (“Out of memory”; seen with 7.88.1 to 8.x).
struct DecodedOverflow: ~Copyable {
    private var pieces: [Data] = []
    private var next = 0
    private var bytesInMemory = 0
    private var file: Int32 = -1
    private var written: Int64 = 0
    private var read: Int64 = 0

    /// Bytes.
    private static let memory = 1 << 20

    init() {}

    deinit {
        if file >= 0 { close(file) }
    }

    var isEmpty: Bool { next == pieces.count && read == written }

    /// Bytes.
    var count: Int64 { Int64(bytesInMemory) + written - read }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        // Behind what is in the file.
        guard read < written || bytesInMemory + bytes.count > Self.memory else {
            pieces.append(Data(bytes))
            bytesInMemory += bytes.count
            return
        }
        if file < 0 { file = try Self.open() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = pwrite(file, part.baseAddress, part.count, off_t(written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("can't be written", errno) }
            written += Int64(count)
            rest = rest.dropFirst(count)
        }
    }

    /// The next piece; `nil` when there is none.
    mutating func pop(atMost limit: Int) throws(NetworkError) -> Data? {
        if next < pieces.count {
            let piece = pieces[next]
            pieces[next] = Data()
            next += 1
            bytesInMemory -= piece.count
            if next == pieces.count { (pieces, next) = ([], 0) }
            return piece
        }
        guard read < written else { return nil }
        var piece = Data(count: Int(min(Int64(limit), written - read)))
        let count = piece.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(read)) }
        guard count > 0 else { throw Self.failure("can't be read", count < 0 ? errno : EIO) }
        read += Int64(count)
        if read == written {
            (read, written) = (0, 0)
            ftruncate(file, 0)
        }
        return piece.prefix(count)
    }

    private static func open() throws(NetworkError) -> Int32 {
        guard let file = UnnamedFile.open() else { throw failure("can't be made", errno) }
        return file
    }

    private static func failure(_ what: String, _ number: Int32) -> NetworkError {
        NetworkError(
            .fileFailed, phase: .body, type: "unknown",
            message: "A temporary file for the decoded body \(what) in \(UnnamedFile.directory): \(SystemError.text(number)).",
            systemErrno: number)
    }
}
