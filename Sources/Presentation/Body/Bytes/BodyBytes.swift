package import Base
package import NetworkLayer
import Synchronization

/// The bytes of a body: in memory, or in a file that is mapped and never read as a whole.
package struct BodyBytes: Sendable {
    private let storage: Storage
    package let count: Int

    private enum Storage: Sendable {
        case data(Data)
        case mapped(MappedFile)
    }

    package init(_ data: Data) {
        storage = .data(data)
        count = data.count
    }

    /// Maps a file. Bytes that are appended later are not seen.
    ///
    /// The file must not become shorter as long as this value lives: a mapping has no way to report it but a signal.
    ///
    /// - Parameter limit: no more bytes than these, of a file that is being written.
    package init(mapping path: String, upTo limit: Int = .max) throws {
        let file = try MappedFile(path: path, limit: limit)
        storage = .mapped(file)
        count = file.count
    }

    private init(_ storage: Storage, count: Int) {
        self.storage = storage
        self.count = count
    }

    /// The lines that are whole: up to the last line end.
    package var wholeLines: BodyBytes {
        let end = withBytes { bytes in bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }
        switch storage {
        case .data(let data): return BodyBytes(Data(data.prefix(end)))
        case .mapped: return BodyBytes(storage, count: end)
        }
    }

    /// The bytes from `offset` on, at most `limit` of them, as a copy.
    package func prefix(_ limit: Int, from offset: Int = 0) -> [UInt8] {
        withBytes { bytes in
            let start = min(max(0, offset), bytes.count)
            return Array(bytes[start..<min(bytes.count, start + max(0, limit))])
        }
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        switch storage {
        case .data(let data): try data.withUnsafeBytes { try body($0.assumingMemoryBound(to: UInt8.self)) }
        case .mapped(let file): try body(UnsafeBufferPointer(rebasing: file.bytes[..<count]))
        }
    }

    /// Gives back the memory of what was scanned and won't be looked at soon, so that going through a large file once
    /// doesn't keep all of it resident. The bytes stay readable.
    func forget(_ range: Range<Int>) {
        if case .mapped(let file) = storage { file.forget(range) }
    }

    /// Says that about so many bytes were looked at somewhere, to draw them. What was looked at stays resident, with what the
    /// system maps around it, until it adds up; then all of it is given back, which costs less than one frame.
    func looked(at count: Int) {
        if case .mapped(let file) = storage { file.looked(at: count) }
    }
}

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

package struct BodyFileError: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var errno: Int32

    package var description: String {
        "can't read the body from \(path): \(String(cString: strerror(errno))); send the request again to fetch it anew"
    }
}

extension BodyBytes {
    /// Whether it is read in another form than the one that was sent, which is in memory then.
    package func isTranscoded(contentType: String?) -> Bool { BodyText.charset(prefix(1024), contentType: contentType) != nil }
}

extension ResponseBody {
    /// Those of a file are mapped; `nil`: there is none.
    package var bytes: BodyBytes? {
        get throws {
            switch self {
            case .none: nil
            case .data(let data): BodyBytes(data)
            case .file(let file): try BodyBytes(mapping: file.path, upTo: file.count)
            }
        }
    }
}
