import Base
import NetworkLayer

/// Texts by number, which are put in any order and read afterwards. Short ones stay in memory; more go to a temporary file.
///
/// A place of a plan that has several items has a text for each: the number of the place, and that with the number of all places added
/// again and again.
final class PartSpool {
    private var starts: [Int]
    /// How many bytes each place has; -1 where nothing was put.
    private var counts: [Int32]
    /// Where the texts of the items after the first of each place lie.
    private var more: [Int: (start: Int, count: Int)] = [:]
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

    /// The numbers of those that were put, in the order of their places.
    var indices: [Int] {
        let items = Dictionary(grouping: more.keys) { $0 % counts.count }
        return counts.indices.flatMap { place in (counts[place] >= 0 ? [place] : []) + (items[place]?.sorted() ?? []) }
    }

    func put(_ text: String, at index: Int) throws {
        if index < counts.count {
            starts[index] = count
            counts[index] = Int32(clamping: text.utf8.count)
        } else {
            more[index] = (count, text.utf8.count)
        }
        memory += text.utf8
        count += text.utf8.count
        guard memory.count > Self.mostInMemory else { return }
        if writer == nil { writer = try TemporaryFileWriter(directory: nil) }
        try writer?.append(Data(memory))
        memory.removeAll(keepingCapacity: true)
    }

    /// Reads a text back. Nothing can be added after the first call.
    func text(at index: Int) throws -> String {
        if let writer = writer.take() { try open(writer) }
        let (start, count) = more[index] ?? (starts[index], Int(counts[index]))
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
