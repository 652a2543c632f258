import FoundationEssentials
import Glibc
import NetworkLayer

/// Texts by number, which are put in any order and read afterwards. Short ones stay in memory; more go to a temporary file.
final class PartSpool {
    private var starts: [Int]
    /// Of bytes; -1 where nothing was put.
    private var counts: [Int32]
    private var count = 0
    /// What isn't in the file yet.
    private var memory: [UInt8] = []
    private var writer: TemporaryFileWriter?
    private var file: (kept: TemporaryFile, descriptor: Int32)?

    private static let mostInMemory = 1 << 20

    init(count: Int) {
        starts = [Int](repeating: 0, count: count)
        counts = [Int32](repeating: -1, count: count)
    }

    deinit {
        if let file { close(file.descriptor) }
    }

    /// The numbers of those that were put.
    var indices: [Int] { counts.indices.filter { counts[$0] >= 0 } }

    func put(_ text: String, at index: Int) throws {
        starts[index] = count
        counts[index] = Int32(clamping: text.utf8.count)
        memory += text.utf8
        count += text.utf8.count
        guard memory.count > Self.mostInMemory else { return }
        if writer == nil { writer = try TemporaryFileWriter(directory: nil) }
        try writer?.append(Data(memory))
        memory.removeAll(keepingCapacity: true)
    }

    /// Nothing can be put afterwards.
    func text(at index: Int) throws -> String {
        if let writer = writer.take() { try open(writer) }
        let (start, count) = (starts[index], Int(counts[index]))
        guard let file else { return String(decoding: memory[start..<start + count], as: UTF8.self) }
        return try String(unsafeUninitializedCapacity: count) { buffer in
            guard pread(file.descriptor, buffer.baseAddress, count, start) == count else {
                throw OutputFailure(name: "the temporary file of a report", errno: errno)
            }
            return count
        }
    }

    private func open(_ writer: consuming TemporaryFileWriter) throws {
        try writer.append(Data(memory))
        memory = []
        let kept = try writer.finish()
        let descriptor = Glibc.open(kept.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw OutputFailure(name: "the temporary file of a report", errno: errno) }
        file = (kept, descriptor)
    }
}
