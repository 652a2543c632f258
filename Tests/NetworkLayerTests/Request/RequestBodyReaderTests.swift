import FoundationEssentials
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite struct RequestBodyReaderTests {
    /// Reads to the end as a transport would, waiting where there is nothing yet.
    func readAll(_ reader: any RequestBodyReader, atMost limit: Int) async throws -> [Data] {
        var pieces: [Data] = []
        while true {
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
            switch try reader.read(atMost: limit, wake: { wake.finish() }) {
            case .bytes(let data):
                #expect(!data.isEmpty && data.count <= limit)
                pieces.append(data)
            case .later:
                for await _ in wakes {}
            case .end:
                reader.close()
                return pieces
            }
        }
    }

    @Test func `no body has no reader`() throws {
        #expect(try RequestBody.none.makeReader() == nil)
    }

    @Test func `data goes out in pieces`() async throws {
        let reader = try #require(try RequestBody.data(Data("hello world".utf8)).makeReader())
        #expect(reader.length == 11)
        #expect(try await readAll(reader, atMost: 4).map { String(decoding: $0, as: UTF8.self) } == ["hell", "o wo", "rld"])
    }

    @Test func `a file goes out as long as it was when it was opened`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.file("body", Data("hello world".utf8))
        let reader = try #require(try RequestBody.file(path: path).makeReader())
        #expect(reader.length == 11)
        try Data("hello world, and more".utf8).write(to: URL(fileURLWithPath: path))
        let sent = try await readAll(reader, atMost: 4).reduce(into: Data()) { $0.append($1) }
        #expect(sent == Data("hello world".utf8))
    }

    @Test func `a file that shrinks is an error, not a short body`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.file("body", Data("hello world".utf8))
        let reader = try #require(try RequestBody.file(path: path).makeReader())
        try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
        let error = await #expect(throws: NetworkError.self) { try await readAll(reader, atMost: 100) }
        #expect(error?.message == "\(path) became shorter while it was sent: 6 bytes are missing.")
        #expect(error?.code == .bodyReadFailed)
    }

    @Test func `a file that isn't there, or is none, is an error that names it`() throws {
        let missing = #expect(throws: NetworkError.self) { try RequestBody.file(path: "/nowhere/body").makeReader() }
        #expect(missing?.message == "The body's file /nowhere/body can't be opened: No such file or directory.")
        let directory = #expect(throws: NetworkError.self) { try RequestBody.file(path: "/").makeReader() }
        #expect(directory?.message == "/ isn't a file, so it has no bytes to send. Name a file.")
    }

    @Test func `an asynchronous sequence goes out piece by piece`() async throws {
        let source = AsyncStream<Data> { continuation in
            for word in ["hello", "", "world"] { continuation.yield(Data(word.utf8)) }
            continuation.finish()
        }
        let reader = try #require(try RequestBody.stream(RequestBodyStream(source)).makeReader())
        #expect(reader.length == nil)
        #expect(try await readAll(reader, atMost: 3).map { String(decoding: $0, as: UTF8.self) } == ["hel", "lo", "wor", "ld"])
    }

    @Test func `an asynchronous sequence is asked for no more than was sent`() async throws {
        let asked = Mutex(0)
        let source = AsyncStream<Data> {
            asked.withLock { $0 += 1 }
            return asked.withLock { $0 } <= 3 ? Data("piece".utf8) : nil
        }
        let reader = SequenceBodyReader(source, length: 15)
        #expect(reader.length == 15)
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        #expect(try reader.read(atMost: 100, wake: { wake.finish() }) == .later)
        for await _ in wakes {}
        #expect(asked.withLock { $0 } == 1)
        #expect(try reader.read(atMost: 2, wake: {}) == .bytes(Data("pi".utf8)))
        #expect(asked.withLock { $0 } == 1)
        _ = try await readAll(reader, atMost: 100)
        #expect(asked.withLock { $0 } == 4)
    }

    @Test func `the error of an asynchronous sequence ends the body`() async throws {
        let source = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("hello".utf8))
            continuation.finish(throwing: CancellationError())
        }
        let reader = SequenceBodyReader(source, length: nil)
        let error = await #expect(throws: NetworkError.self) { try await readAll(reader, atMost: 100) }
        #expect(error?.code == .bodyReadFailed)
    }

    @Test func `closing a reader ends the task that pulls`() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (source, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.onTermination = { _ in end.finish() }
        let reader = SequenceBodyReader(source, length: nil)
        #expect(try reader.read(atMost: 100, wake: {}) == .later)
        reader.close()
        for await _ in ended {}
    }
}
