import Base
import Synchronization

/// A file as memory, read only.
///
/// `@unchecked Sendable` because the mapping is never written, never moved, and lives as long as this object.
final class MappedFile: @unchecked Sendable {
    let bytes: UnsafeBufferPointer<UInt8>
    var count: Int { bytes.count }
    private let looked = Atomic<Int>(0)
    /// The system maps up to about this much around a byte that is read (measured on Linux 6.18, whose page cache has large folios).
    private static let faultAround = 1 << 19
    private static let patience = 16 << 20

    init(path: String, limit: Int = .max) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BodyFileError(path: path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw BodyFileError(path: path, errno: errno) }
        let length = min(limit, Int(status.st_size))
        guard length > 0 else {
            bytes = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw BodyFileError(path: path, errno: errno)
        }
        bytes = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: length)
    }

    deinit {
        guard let start = bytes.baseAddress else { return }
        munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }

    func looked(at count: Int) {
        let sum = looked.add(count + Self.faultAround, ordering: .relaxed).newValue
        guard sum > Self.patience else { return }
        looked.store(0, ordering: .relaxed)
        forget(0..<self.count)
    }

    func forget(_ range: Range<Int>) {
        guard let start = bytes.baseAddress else { return }
        let page = 4096
        let first = range.lowerBound / page * page
        guard first < range.upperBound else { return }
        madvise(UnsafeMutableRawPointer(mutating: start + first), range.upperBound - first, MADV_DONTNEED)
    }
}

/// The file of a body could not be opened.
package struct BodyFileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var errno: Int32

    package var description: String {
        "can't read the body from \(path): \(String(cString: strerror(errno))); send the request again to fetch it anew"
    }
}
