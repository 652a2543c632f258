/// Finds a string of bytes in bytes.
///
/// Sixteen places at a time: a place is looked at only when both the first and the last byte of the needle stand where they
/// must (W. Muła's "generic SIMD" search). Where case is ignored, both cases of those two bytes count.
struct ByteSearch: Sendable, Hashable {
    private let needle: [UInt8]
    private let ignoresCase: Bool

    var count: Int { needle.count }

    /// - Parameter needle: not empty.
    init(_ needle: [UInt8], ignoresCase: Bool) {
        self.needle = ignoresCase ? needle.map(Self.lowercased) : needle
        self.ignoresCase = ignoresCase
    }

    /// The first place in `range` where the needle starts. It may end behind the range.
    func first(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Int? {
        needle.withUnsafeBufferPointer { needle in
            let bytes = buffer.baseAddress!
            // The place behind the last one at which the needle still fits.
            let stop = min(range.upperBound, buffer.count - needle.count + 1)
            let length = needle.count
            let firsts = cases(needle[0])
            let lasts = cases(needle[length - 1])
            let firstLower = SIMD16<UInt8>(repeating: firsts.0)
            let firstUpper = SIMD16<UInt8>(repeating: firsts.1)
            let lastLower = SIMD16<UInt8>(repeating: lasts.0)
            let lastUpper = SIMD16<UInt8>(repeating: lasts.1)
            var position = range.lowerBound
            while position &+ 16 <= stop {
                let start = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
                let end = UnsafeRawPointer(bytes + (position &+ length &- 1)).loadUnaligned(as: SIMD16<UInt8>.self)
                let found = ((start .== firstLower) .| (start .== firstUpper)) .& ((end .== lastLower) .| (end .== lastUpper))
                var halves = unsafeBitCast(found, to: SIMD2<UInt64>.self)
                if halves[0] | halves[1] != 0 {
                    for half in 0..<2 {
                        while halves[half] != 0 {
                            let lane = halves[half].littleEndian.trailingZeroBitCount >> 3
                            let place = position &+ half &* 8 &+ lane
                            if matches(bytes + place, needle) { return place }
                            halves[half] &= ~(0xFF &<< UInt64(lane &* 8))
                        }
                    }
                }
                position &+= 16
            }
            while position < stop {
                if matches(bytes + position, needle) { return position }
                position &+= 1
            }
            return nil
        }
    }

    @inline(__always)
    private func matches(_ bytes: UnsafePointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<needle.count {
            let byte = ignoresCase ? Self.lowercased(bytes[index]) : bytes[index]
            if byte != needle[index] { return false }
        }
        return true
    }

    private func cases(_ byte: UInt8) -> (UInt8, UInt8) {
        ignoresCase && byte &- 0x61 < 26 ? (byte, byte & 0xDF) : (byte, byte)
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
