import CZlib

/// Data in the format of deflate (RFC 1951), by the system's zlib.
package enum Zlib {
    /// What stands around the data. The number is zlib's.
    package enum Frame: Int32, Sendable {
        case none = -15
        /// RFC 1950; what HTTP calls `deflate` (RFC 9110, section 8.4.1.2).
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
    }

    /// CRC-32 (ISO 3309), as gzip and PNG have it.
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
    }

    /// zlib counts in 32 bits.
    fileprivate static let mostAtOnce = 1 << 30
}

/// What data in the format of deflate stands for, as far as it could be read.
package struct Inflated: Sendable {
    package enum End: Sendable {
        /// All of it, and its checksum is right.
        case whole
        /// The input ends before the data do.
        case cut
        /// There is more than the limit allows.
        case full
        case wrongChecksum
        case broken
    }

    package private(set) var bytes: [UInt8] = []
    package private(set) var end = End.broken
    /// How much of the input was read: gzip may go on with another member.
    package private(set) var consumed = 0

    /// - Parameter limit: how many bytes may come of it. A few bytes may stand for a thousand times as many.
    package init(_ input: ArraySlice<UInt8>, in frame: Zlib.Frame, limit: Int) {
        // zlib remembers where its stream is.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard turnstone_inflate_init(stream, frame.rawValue) == Z_OK else { return }
        defer { inflateEnd(stream) }
        let limit = max(0, limit)
        input.withUnsafeBufferPointer { input in
            var status = Z_OK
            while status == Z_OK {
                let piece = min(input.count - consumed, Zlib.mostAtOnce)
                stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + consumed) }
                stream.pointee.avail_in = UInt32(piece)
                // One more than the limit shows that there is more.
                let room = min((1 << 16) - 1, limit - bytes.count) + 1
                bytes += [UInt8](unsafeUninitializedCapacity: room) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    status = inflate(stream, Z_NO_FLUSH)
                    count = room - Int(stream.pointee.avail_out)
                }
                consumed += piece - Int(stream.pointee.avail_in)
                if bytes.count > limit {
                    bytes.removeLast(bytes.count - limit)
                    return end = .full
                }
            }
            end = Self.end(status, stream.pointee.msg.map { String(cString: $0) })
        }
    }

    private static func end(_ status: Int32, _ message: String?) -> End {
        switch (status, message) {
        case (Z_STREAM_END, _): .whole
        case (Z_BUF_ERROR, _): .cut
        case (Z_DATA_ERROR, "incorrect data check"), (Z_DATA_ERROR, "incorrect length check"),
            (Z_DATA_ERROR, "header crc mismatch"):
            .wrongChecksum
        default: .broken
        }
    }
}

/// Writes data in the format of deflate, a piece at a time.
package final class Deflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    package init(_ frame: Zlib.Frame) {
        stream.initialize(to: z_stream())
        let status = turnstone_deflate_init(stream, frame.rawValue)
        precondition(status == Z_OK, "out of memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// - Returns: what can be sent by now. zlib keeps some back until the last piece.
    package func write(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var written: [UInt8] = []
        bytes.withUnsafeBufferPointer { input in
            var place = 0
            var status = Z_OK
            repeat {
                let piece = min(input.count - place, Zlib.mostAtOnce)
                stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + place) }
                stream.pointee.avail_in = UInt32(piece)
                written += [UInt8](unsafeUninitializedCapacity: 1 << 16) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    status = deflate(stream, isLast && piece == input.count - place ? Z_FINISH : Z_NO_FLUSH)
                    count = output.count - Int(stream.pointee.avail_out)
                }
                place += piece - Int(stream.pointee.avail_in)
            } while status == Z_OK && (isLast || place < input.count || stream.pointee.avail_out == 0)
        }
        return written
    }

    package static func whole(_ bytes: [UInt8], in frame: Zlib.Frame) -> [UInt8] {
        Deflater(frame).write(bytes, isLast: true)
    }
}
