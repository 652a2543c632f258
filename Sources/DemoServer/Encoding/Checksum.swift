/// The checksums of gzip, PNG and zlib.
enum Checksum {
    /// CRC-32 (ISO 3309), going on from `start`.
    static func crc32(_ bytes: some Sequence<UInt8>, from start: UInt32 = 0) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            ~bytes.reduce(~start) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
        }
    }

    /// Adler-32 (RFC 1950, section 8.2).
    static func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
}
