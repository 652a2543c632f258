package import Base

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
