/// A line that is typed without being shown: bytes in, what became of them out.
struct SecretLine {
    private var bytes: [UInt8] = []

    enum Outcome: Hashable {
        case more
        case done(String)
        /// Ctrl-C.
        case cancelled
        /// Ctrl-D on an empty line.
        case ended
    }

    mutating func handle(_ byte: UInt8) -> Outcome {
        switch byte {
        case 0x0A, 0x0D: return .done(String(decoding: bytes, as: UTF8.self))
        case 0x03: return .cancelled
        case 0x04: return bytes.isEmpty ? .ended : .more
        case 0x08, 0x7F:
            // A whole character of UTF-8: its first byte is the last that is none of 10xxxxxx.
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        case 0x15: bytes = []
        case 0..<0x20: break
        default: bytes.append(byte)
        }
        return .more
    }
}
