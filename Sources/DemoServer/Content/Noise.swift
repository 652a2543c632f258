/// Bytes that look random, any of which can be made without those before it.
enum Noise {
    static func bytes(_ range: Range<Int>, seed: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            var word: UInt64 = 0
            var index = range.lowerBound
            while index < range.upperBound {
                if index % 8 == 0 || index == range.lowerBound { word = mixed(UInt64(index / 8) &+ seed &* 0x9E37_79B9_7F4A_7C15) }
                buffer[count] = UInt8(truncatingIfNeeded: word >> UInt64(index % 8 * 8))
                index += 1
                count += 1
            }
        }
    }

    /// The finalizer of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
