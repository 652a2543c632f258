import FoundationEssentials
import Testing

@testable import NetworkLayer

/// CON-1, CON-2.
@Suite struct BodySinkTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: [
        ([], "data 0"), ([5], "data 5"), ([5, 5], "data 10"), ([5, 6], "file 11"), ([11], "file 11"),
        ([5, 6, 100_000], "file 100011"),
    ])
    func `CON-1 memory keeps up to its limit, and moves what is longer to a file`(sizes: [Int], kept: String) throws {
        let sink = BodySink(.memory(spillOver: 10))
        var all = Data()
        for (index, size) in sizes.enumerated() {
            let piece = Data(repeating: UInt8(index), count: size)
            all.append(piece)
            try sink.write(piece)
        }
        try sink.finish()
        let body = sink.close()
        #expect(body.word == kept)
        #expect(try body.contents() == all)
    }

    @Test func `what has come can be read while more comes, in memory and in a file`() throws {
        let sink = BodySink(.memory(spillOver: 10))
        #expect(sink.look().word == "none")
        try sink.write(Data("hello".utf8))
        #expect(sink.look().word == "data 5")
        try sink.write(Data(" world, hello".utf8))
        let early = sink.look()
        #expect(early.word == "file 18")
        try sink.write(Data(repeating: 0x2E, count: 1 << 20))
        let late = sink.look()
        try sink.finish()
        #expect(try early.contents() == Data("hello world, hello".utf8))
        #expect(try late.contents() == Data("hello world, hello".utf8) + Data(repeating: 0x2E, count: 1 << 20))
        #expect(sink.look().word == "file \(18 + (1 << 20))")
    }

    @Test func `pieces have their times where these are asked for`() throws {
        let sink = BodySink(.memory(spillOver: 10), notesArrivals: true)
        try sink.write(Data("hello".utf8), at: MonotonicTime(nanoseconds: 5))
        try sink.write(Data(" world".utf8), at: MonotonicTime(nanoseconds: 9))
        try sink.finish()
        #expect(
            sink.arrivals == [
                BodyArrival(end: 5, time: MonotonicTime(nanoseconds: 5)), BodyArrival(end: 11, time: MonotonicTime(nanoseconds: 9)),
            ])
    }

    @Test func `CON-1 a file is made also for a body without bytes`() throws {
        let sink = BodySink(.file(directory: directory.path))
        try sink.finish()
        #expect(sink.close().word == "file 0")
    }

    @Test func `CON-2 a file lies in the directory that was asked for`() throws {
        let sink = BodySink(.file(directory: directory.path))
        try sink.write(Data("hello".utf8))
        try sink.finish()
        let body = sink.close()
        guard case .file(let file) = body else {
            Issue.record("the body is no file")
            return
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path).hasPrefix(directory.path))
        #expect(try body.contents() == Data("hello".utf8))
    }

    @Test func `CON-1 closed early it gives what came so far, and takes no more`() throws {
        let sink = BodySink(.file(directory: directory.path))
        try sink.write(Data("hello".utf8))
        let body = sink.close()
        try sink.write(Data(" world".utf8))
        try sink.finish()
        #expect(try body.contents() == Data("hello".utf8))
        #expect(sink.close().word == "file 5")
    }

    @Test func `CON-1 without a single byte there is no body to keep`() {
        #expect(BodySink(.file(directory: nil)).close().word == "none")
    }
}

extension ResponseBody {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .data(let data): "data \(data.count)"
        case .file(let file): "file \(file.count)"
        }
    }
}
