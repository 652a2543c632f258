import Base
import CZlib

/// Takes the codings of a `Content-Encoding` off a body (RFC 9110, section 8.4), a piece at a time.
///
/// libcurl could, but how it takes a coding that it doesn't know, a body that is cut, and gzip of several members depends on its version.
/// zlib is linked; brotli and zstd are there where libcurl brings them.
final class ContentDecoder {
    struct Failure: Error {
        var text: String
    }

    /// In lower case, `x-gzip` left out.
    static let codings = ["deflate", "gzip"] + (Brotli.isPresent ? ["br"] : []) + (Zstandard.isPresent ? ["zstd"] : [])

    /// As many as libcurl takes; each has its memory.
    private static let limit = 5

    /// The last coding was put on last, and comes off first.
    private let stages: [any DecodingStage]
    private let buffers: [UnsafeMutableRawBufferPointer]

    /// - Parameter fields: the values of `Content-Encoding`, in their order.
    /// - Returns: `nil` when there is nothing to take off, or a coding that isn't known: the body is handed out as it comes then.
    init?(_ fields: [String]) {
        let names = fields.flatMap { $0.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }
            .filter { !["identity", "none"].contains($0) }
        let stages = names.count <= Self.limit ? names.reversed().compactMap(Self.stage) : []
        guard !stages.isEmpty, stages.count == names.count else { return nil }
        self.stages = stages
        buffers = stages.map { _ in .allocate(byteCount: 32 << 10, alignment: 16) }
    }

    deinit {
        for buffer in buffers { buffer.deallocate() }
    }

    private static func stage(_ name: Substring) -> (any DecodingStage)? {
        switch name {
        case "gzip", "x-gzip": Inflate(isGzip: true)
        case "deflate": Inflate(isGzip: false)
        case "br": Brotli()
        case "zstd": Zstandard()
        default: nil
        }
    }

    /// Whether the body may end here.
    var isWhole: Bool { stages.allSatisfy(\.isWhole) }

    /// - Parameter take: is handed the pieces of the body, and says whether it wants more.
    /// - Returns: what `take` said last.
    func decode(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
        try run(bytes, from: 0, take)
    }

    private func run(
        _ bytes: UnsafeRawBufferPointer, from index: Int, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) -> Bool {
        guard index < stages.count else { return take(bytes) }
        let buffer = buffers[index]
        var rest = bytes
        var count = 0
        repeat {
            count = try stages[index].step(&rest, into: buffer)
            if count > 0 {
                guard try run(.init(rebasing: buffer[..<count]), from: index + 1, take) else { return false }
            }
        } while !rest.isEmpty || count == buffer.count
        return true
    }
}

private protocol DecodingStage: AnyObject {
    /// Whether the data may end here.
    var isWhole: Bool { get }

    /// Decodes what there is room for, and takes what it has used off the input; uses or makes something if there is input.
    ///
    /// - Returns: how many bytes it made.
    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(ContentDecoder.Failure)
        -> Int
}

extension ContentDecoder.Failure {
    fileprivate static let excess = Self(text: "it goes on behind its compressed data")
}

/// gzip (RFC 1952) of any number of members, and `deflate`: the frame of zlib (RFC 1950), which many servers leave out.
private final class Inflate: DecodingStage {
    private let isGzip: Bool
    // zlib remembers where its stream is.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// What `deflate` begins with, until two bytes tell whether there is a frame.
    private var beginning: [UInt8] = []
    private(set) var isWhole = false

    init?(isGzip: Bool) {
        self.isGzip = isGzip
        stream.initialize(to: z_stream())
        guard turnstone_inflate_init(stream, isGzip ? 31 : 15) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(ContentDecoder.Failure)
        -> Int
    {
        if isGzip || beginning.count == 2 { return try inflate(&input, into: output) }
        while beginning.count < 2, let byte = input.first {
            beginning.append(byte)
            input = .init(rebasing: input.dropFirst())
        }
        guard beginning.count == 2 else { return 0 }
        let isFramed = beginning[0] & 0xf == 8 && (Int(beginning[0]) << 8 | Int(beginning[1])) % 31 == 0
        inflateReset2(stream, isFramed ? 15 : -15)
        let first = (beginning[0], beginning[1])
        return try withUnsafeBytes(of: first) { bytes throws(ContentDecoder.Failure) in
            var bytes = bytes
            return try inflate(&bytes, into: output)
        }
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecoder.Failure) -> Int {
        if !input.isEmpty {
            guard isGzip || !isWhole else { throw .excess }
            isWhole = false
        }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        input = .init(rebasing: input.suffix(Int(stream.pointee.avail_in)))
        let count = output.count - Int(stream.pointee.avail_out)
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isWhole = true
            // Another member may follow.
            if isGzip { inflateReset(stream) }
        default: throw .init(text: stream.pointee.msg.map { String(cString: $0) } ?? "zlib's error \(status)")
        }
        return count
    }
}

/// A function of a library that libcurl brings.
private func find<Function>(_ name: String) -> Function? {
    dlsym(dlopen(nil, RTLD_LAZY), name).map { unsafeBitCast($0, to: Function.self) }
}

private typealias Pointer = UnsafeMutableRawPointer

private final class Brotli: DecodingStage {
    private typealias Make = @convention(c) (Pointer?, Pointer?, Pointer?) -> Pointer?
    private typealias Free = @convention(c) (Pointer) -> Void
    private typealias Decode =
        @convention(c) (
            Pointer, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>,
            UnsafeMutablePointer<Pointer?>, UnsafeMutablePointer<Int>?
        ) -> Int32

    private static let make: Make? = find("BrotliDecoderCreateInstance")
    private static let free: Free? = find("BrotliDecoderDestroyInstance")
    private static let decode: Decode? = find("BrotliDecoderDecompressStream")
    static var isPresent: Bool { make != nil && decode != nil }

    private let state: Pointer
    private(set) var isWhole = false

    init?() {
        guard let state = Self.make?(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        Self.free?(state)
    }

    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(ContentDecoder.Failure)
        -> Int
    {
        guard !isWhole || input.isEmpty else { throw .excess }
        var left = input.count
        var next = input.baseAddress
        var room = output.count
        var place = output.baseAddress
        // 0 stands for an error, and 1 for the end.
        let status = Self.decode?(state, &left, &next, &room, &place, nil) ?? 0
        guard status != 0 else { throw .init(text: "it is no br") }
        isWhole = status == 1
        input = .init(rebasing: input.suffix(left))
        return output.count - room
    }
}

/// RFC 8878: any number of frames.
private final class Zstandard: DecodingStage {
    private typealias Make = @convention(c) () -> Pointer?
    private typealias Free = @convention(c) (Pointer) -> Int
    private typealias Decode = @convention(c) (Pointer, Pointer, Pointer) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32

    private static let make: Make? = find("ZSTD_createDStream")
    private static let free: Free? = find("ZSTD_freeDStream")
    private static let decode: Decode? = find("ZSTD_decompressStream")
    private static let isError: IsError? = find("ZSTD_isError")
    static var isPresent: Bool { make != nil && decode != nil }

    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
    private struct Piece {
        var start: UnsafeRawPointer?
        var size: Int
        var position = 0
    }

    private let stream: Pointer
    private(set) var isWhole = false

    init?() {
        guard let stream = Self.make?() else { return nil }
        self.stream = stream
    }

    deinit {
        _ = Self.free?(stream)
    }

    func step(_ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(ContentDecoder.Failure)
        -> Int
    {
        // Behind the end of a frame another call begins the next.
        guard !isWhole || !input.isEmpty else { return 0 }
        var from = Piece(start: input.baseAddress, size: input.count)
        var to = Piece(start: UnsafeRawPointer(output.baseAddress), size: output.count)
        guard let hint = Self.decode?(stream, &to, &from), Self.isError?(hint) == 0 else {
            throw .init(text: "it is no zstd, or needs too large a window")
        }
        isWhole = hint == 0
        input = .init(rebasing: input.dropFirst(from.position))
        return to.position
    }
}
