import Base
import Zlib

/// Why bytes can't be what they were before gzip compressed them.
struct GzipError: Error, Hashable, Sendable {
    /// What goes on behind `gunzip`.
    var message: String
}

/// The format of gzip (RFC 1952).
enum Gzip {
    /// A few bytes may stand for a thousand times as many: more than these are refused.
    static let mostBytes = 64 << 20

    /// All members, one after the other.
    static func plain(_ data: Data, limit: Int = mostBytes) throws(GzipError) -> Data {
        let bytes = [UInt8](data)
        var plain: [UInt8] = []
        var place = 0
        repeat {
            guard bytes[place...].starts(with: [0x1F, 0x8B, 8]) else {
                throw GzipError(
                    message: place == 0 ? "takes bytes in that format, and these are none" : "found other bytes behind the end")
            }
            let member = Inflated(bytes[place...], in: .gzip, limit: limit - plain.count)
            switch member.end {
            case .whole: break
            case .cut: throw GzipError(message: "comes to no end: some of the bytes are missing")
            case .full: throw GzipError(message: "would make more than \(limit >> 20) MiB")
            case .wrongChecksum: throw GzipError(message: "found a wrong checksum: some of the bytes have changed")
            case .broken: throw GzipError(message: "found bytes that are no compressed data")
            }
            plain += member.bytes
            place += member.consumed
            // Zeros behind the end fill up a block of a tape or disk, and say nothing.
        } while !bytes[place...].allSatisfy { $0 == 0 }
        return Data(plain)
    }
}
