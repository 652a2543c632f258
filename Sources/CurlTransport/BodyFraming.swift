/// What the fields `Content-Length` of a head say together (RFC 9112, section 6.3, rule 5).
enum ContentLength: Equatable {
    case bytes(Int64)
    /// Not digits, beyond 63 bits, or several that differ.
    case invalid

    /// - Parameter value: digits, or a list of them that are all the same: what becomes of fields that somebody on the way
    ///   has joined.
    /// - Parameter before: what the fields before it said.
    init(_ value: String, after before: ContentLength? = nil) {
        var whole = before
        for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let one = Self.one(part)
            guard whole == nil || whole == one else {
                self = .invalid
                return
            }
            whole = one
        }
        self = whole ?? .invalid
    }

    private static func one(_ text: Substring.UTF8View) -> ContentLength {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let digits = text.drop(while: isSpace).prefix { !isSpace($0) }
        let rest = text[digits.endIndex...]
        guard rest.allSatisfy(isSpace), !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(Substring(digits))
        else { return .invalid }
        return .bytes(count)
    }
}

/// Whether a gzip stream came to its end. libcurl hands out what there is of one that doesn't, and takes it for a whole body.
///
/// A whole one ends with the length of what is in it, modulo 2^32 (RFC 1952, section 2.3.1); libcurl refuses what stands behind that.
struct GzipEnd {
    private var plain = Tail()
    private var chunks: ChunkReader?

    /// - Parameter isChunked: whether the body comes in chunks. Versions of libcurl differ in whether they show them as such.
    init(isChunked: Bool) {
        chunks = isChunked ? ChunkReader() : nil
    }

    /// Takes bytes of the body, before they are decoded.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        plain.append(bytes)
        chunks?.append(bytes)
    }

    /// Whether bytes are missing; `false` also when nobody can say, because not all of what came was seen.
    ///
    /// - Parameters:
    ///   - received: how many bytes came, without the framing of chunks.
    ///   - decoded: how many were made of them.
    func isMissing(received: Int64, decoded: Int64) -> Bool {
        guard received > 0, let tail = [chunks?.tail, plain].compactMap(\.self).first(where: { $0.count == received }) else {
            return false
        }
        return tail.littleEndian != UInt32(truncatingIfNeeded: decoded)
    }

    fileprivate struct Tail {
        var count: Int64 = 0
        /// The last four bytes, read as a little-endian number.
        var littleEndian: UInt32 = 0

        mutating func append(_ bytes: some Collection<UInt8>) {
            count += Int64(bytes.count)
            for byte in bytes.suffix(4) { littleEndian = littleEndian >> 8 | UInt32(byte) << 24 }
        }
    }

    /// Takes chunks apart (RFC 9112, section 7.1).
    fileprivate struct ChunkReader {
        private(set) var tail = Tail()
        private var part = Part.size(0, isOver: false)

        private enum Part {
            /// - Parameter isOver: behind the digits, where extensions stand.
            case size(Int, isOver: Bool)
            case data(Int)
            /// The line break behind the data.
            case lineBreak
            case trailers
        }

        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes[...]
            while let byte = rest.first {
                switch part {
                case .data(let left):
                    let piece = rest.prefix(left)
                    tail.append(piece)
                    rest = rest.dropFirst(piece.count)
                    part = left == piece.count ? .lineBreak : .data(left - piece.count)
                    continue
                case .size(let size, _) where byte == UInt8(ascii: "\n"): part = size == 0 ? .trailers : .data(size)
                case .size(let size, false):
                    guard size < 1 << 48 else {
                        // libcurl refuses it.
                        part = .trailers
                        return
                    }
                    part = Self.digit(byte).map { .size(size << 4 | $0, isOver: false) } ?? .size(size, isOver: true)
                case .lineBreak where byte == UInt8(ascii: "\n"): part = .size(0, isOver: false)
                case .size, .lineBreak, .trailers: break
                }
                rest.removeFirst()
            }
        }

        private static func digit(_ byte: UInt8) -> Int? {
            switch byte {
            case 0x30...0x39: Int(byte - 0x30)
            case 0x41...0x46: Int(byte - 0x41 + 10)
            case 0x61...0x66: Int(byte - 0x61 + 10)
            default: nil
            }
        }
    }
}
