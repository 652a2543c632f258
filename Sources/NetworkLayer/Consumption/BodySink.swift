import Base
import Synchronization

/// Where the body of a response is kept: in memory, in a file, or first here and then there.
///
/// Written by the thread that performs an operation's effects, closed by whoever asks for the response first.
final class BodySink: Sendable {
    private let storage: Mutex<Storage>
    /// Whether ``write(_:at:)`` wants to know when: of what has no length, so that a stream's events have their times.
    let notesArrivals: Bool

    struct Storage: ~Copyable {
        /// The most bytes to keep in memory.
        let memory: Int
        let directory: String?
        /// The path of the file that the whole body replaces.
        let destination: String?
        var data = Data()
        var writer: TemporaryFileWriter?
        var closed: ResponseBody?
        var arrivals: [BodyArrival] = []
        /// Bytes to reserve with the second piece; 0 afterwards.
        var expected: Int

        init(memory: Int, directory: String? = nil, destination: String? = nil, expected: Int64? = nil) {
            self.memory = memory
            self.directory = directory
            self.destination = destination
            self.expected = Int(min(expected ?? 0, Int64(memory), Self.mostReserved))
        }

        /// What a server announces is taken on trust up to here; the memory isn't touched before the bytes come.
        private static let mostReserved: Int64 = 1 << 27
    }

    /// - Parameters:
    ///   - expected: the length that the server announced, which saves growing; only a hint.
    ///   - isSuccess: whether the body is what was asked for; a page that says why not is no download.
    init(_ consumption: ResponseConsumption, expected: Int64? = nil, isSuccess: Bool = true, notesArrivals: Bool = false) {
        self.notesArrivals = notesArrivals
        storage =
            switch consumption {
            case .none, .stream: Mutex(Storage(memory: 0))
            case .memory(let spillOver): Mutex(Storage(memory: spillOver, expected: expected))
            case .file(let directory): Mutex(Storage(memory: -1, directory: directory))
            case .download(let path): Mutex(Storage(memory: -1, destination: isSuccess ? path : nil))
            }
    }

    /// After the end it does nothing.
    ///
    /// - Parameter time: when it came, where that is kept.
    func write(_ data: Data, at time: MonotonicTime? = nil) throws(NetworkError) {
        try storage.withLock { storage throws(NetworkError) in
            guard storage.closed == nil else { return }
            if let time { storage.note(data.count, at: time) }
            if storage.writer == nil {
                if storage.data.count + data.count <= storage.memory {
                    // The first piece, often the only one, is kept as it is.
                    if storage.data.isEmpty { storage.data = data } else { storage.collect(data) }
                    return
                }
                try storage.open()
            }
            try storage.writer?.append(data)
        }
    }

    /// The body is complete.
    func finish() throws(NetworkError) {
        try storage.withLock { storage throws(NetworkError) in
            guard storage.closed == nil else { return }
            if storage.memory < 0, storage.writer == nil { try storage.open() }
            let body = try storage.close()
            if let destination = storage.destination, case .file(let file) = body { try file.replace(destination) }
            storage.closed = body
        }
    }

    /// What is in memory so far; more may come.
    func peek() -> ResponseBody {
        storage.withLock { $0.closed ?? ($0.writer == nil && !$0.data.isEmpty ? .data($0.data) : .none) }
    }

    /// What has come so far, also when it is in a file by now; more may come.
    func look() -> ResponseBody {
        storage.withLock { storage in
            if let closed = storage.closed { return closed }
            guard storage.writer != nil else { return storage.data.isEmpty ? .none : .data(storage.data) }
            return storage.writer?.snapshot().map { .file($0) } ?? .none
        }
    }

    /// When each part of the body arrived, in order.
    var arrivals: [BodyArrival] { storage.withLock { $0.arrivals } }

    /// What was kept: the whole body, or as much of it as came before the operation ended.
    func close() -> ResponseBody {
        storage.withLock { storage in
            if let closed = storage.closed { return closed }
            let body = (try? storage.close()) ?? .none
            storage.closed = body
            return body
        }
    }
}

extension BodySink.Storage {
    /// When there are more pieces, the older half is forgotten.
    private static let mostArrivals = 1 << 17

    fileprivate mutating func note(_ count: Int, at time: MonotonicTime) {
        if arrivals.count == Self.mostArrivals { arrivals.removeFirst(Self.mostArrivals / 2) }
        arrivals.append(BodyArrival(end: (arrivals.last?.end ?? 0) + count, time: time))
    }

    fileprivate mutating func collect(_ piece: Data) {
        if expected > data.count {
            var whole = Data(capacity: expected)
            whole.append(data)
            data = whole
        }
        expected = 0
        data.append(piece)
    }

    fileprivate mutating func open() throws(NetworkError) {
        var writer = try makeWriter()
        if !data.isEmpty { try writer.append(data) }
        data = Data()
        self.writer = consume writer
    }

    private func makeWriter() throws(NetworkError) -> TemporaryFileWriter {
        guard let destination else { return try TemporaryFileWriter(directory: directory) }
        return try TemporaryFileWriter(beside: destination)
    }

    fileprivate mutating func close() throws(NetworkError) -> ResponseBody {
        guard let writer = writer.take() else { return data.isEmpty && memory <= 0 ? .none : .data(data) }
        return .file(try writer.finish())
    }
}

package struct BodyArrival: Hashable, Sendable {
    /// The bytes of the decoded body up to its last one.
    package var end: Int
    package var time: MonotonicTime

    package init(end: Int, time: MonotonicTime) {
        self.end = end
        self.time = time
    }
}
