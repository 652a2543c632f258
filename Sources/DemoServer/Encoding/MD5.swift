#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// MD5 (RFC 1321), for digest authentication only: clients still ask for it.
enum MD5 {
    static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var message = Array(bytes)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }

        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + word * 4 + $1]) << ($1 * 8) }
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for i in 0..<64 {
                let (mix, word) =
                    switch i / 16 {
                    case 0: ((b & c) | (~b & d), i)
                    case 1: ((d & b) | (~d & c), (5 * i + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * i + 5) % 16)
                    default: (c ^ (b | ~d), 7 * i % 16)
                    }
                let sum = a &+ mix &+ sines[i] &+ words[word]
                let shift = shifts[i / 16][i % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private static let sines = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }
    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
}
