/// The deflate format (RFC 1951) and its two wrappers, zlib (RFC 1950) and gzip (RFC 1952).
///
/// One block with the fixed Huffman codes, matches found through a hash of three bytes: text shrinks to about a third, which is
/// all that a demo of compression needs, without linking zlib.
enum Deflate {
    /// What HTTP calls `gzip`.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        gzipHead + raw(bytes) + littleEndian(Checksum.crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// What HTTP calls `deflate` (RFC 9110, section 8.4.1.2).
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + raw(bytes) + littleEndian(Checksum.adler32(bytes)).reversed()
    }

    /// Without a wrapper: what some servers send as `deflate` by mistake.
    static func raw(_ bytes: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.block(bytes, isLast: true)
        return writer.finish()
    }

    static let gzipHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]

    /// A block that ends on a byte, so that it can be sent any number of times, one after the other.
    static func repeatable(_ bytes: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.block(bytes, isLast: false)
        writer.align()
        return writer.finish()
    }

    /// An empty last block.
    static let end: [UInt8] = [0x03, 0x00]

    static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

extension Deflate {
    /// Bits from the lowest of a byte upwards; Huffman codes come highest bit first, so they are turned around.
    fileprivate struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending: UInt64 = 0
        private var count = 0

        mutating func finish() -> [UInt8] {
            if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
            return bytes
        }

        private mutating func put(_ value: Int, bits: Int) {
            pending |= UInt64(value) << UInt64(count)
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        private mutating func putCode(_ code: Int, bits: Int) {
            var turned = 0
            for bit in 0..<bits where code & 1 << bit != 0 { turned |= 1 << (bits - 1 - bit) }
            put(turned, bits: bits)
        }

        /// A literal byte, the end of a block (256) or a length (257–285), in the fixed code of RFC 1951, section 3.2.6.
        private mutating func putSymbol(_ symbol: Int) {
            switch symbol {
            case ..<144: putCode(0x30 + symbol, bits: 8)
            case ..<256: putCode(0x190 + symbol - 144, bits: 9)
            case ..<280: putCode(symbol - 256, bits: 7)
            default: putCode(0xC0 + symbol - 280, bits: 8)
            }
        }

        mutating func block(_ input: [UInt8], isLast: Bool) {
            put(isLast ? 1 : 0, bits: 1)
            put(1, bits: 2)
            var latest = [Int](repeating: -1, count: 1 << 13)
            var index = 0
            while index < input.count {
                var length = 0
                var distance = 0
                if index + 3 <= input.count {
                    let key = (Int(input[index]) << 10 ^ Int(input[index + 1]) << 5 ^ Int(input[index + 2])) & 0x1FFF
                    let candidate = latest[key]
                    latest[key] = index
                    if candidate >= 0, index - candidate <= 32_768 {
                        distance = index - candidate
                        let limit = min(258, input.count - index)
                        while length < limit, input[candidate + length] == input[index + length] { length += 1 }
                    }
                }
                if length >= 3 {
                    putMatch(length: length, distance: distance)
                    index += length
                } else {
                    putSymbol(Int(input[index]))
                    index += 1
                }
            }
            putSymbol(256)
        }

        private mutating func putMatch(length: Int, distance: Int) {
            let lengthCode = Deflate.lengthBases.lastIndex { $0 <= length } ?? 0
            putSymbol(257 + lengthCode)
            put(length - Deflate.lengthBases[lengthCode], bits: Deflate.lengthBits[lengthCode])
            let distanceCode = Deflate.distanceBases.lastIndex { $0 <= distance } ?? 0
            putCode(distanceCode, bits: 5)
            put(distance - Deflate.distanceBases[distanceCode], bits: max(0, distanceCode / 2 - 1))
        }

        /// An empty stored block, which starts with zeros up to the next byte.
        mutating func align() {
            put(0, bits: 3)
            if count > 0 { put(0, bits: 8 - count) }
            bytes += [0, 0, 0xFF, 0xFF]
        }
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193,
        12289, 16385, 24577,
    ]
}
