import FoundationEssentials

/// Why bytes can't be what they were before gzip compressed them.
struct GzipError: Error, Hashable, Sendable {
    /// What goes on behind `gunzip`.
    var message: String
}

/// The format of gzip (RFC 1952), and the compressed data in it (RFC 1951).
enum Gzip {
    /// A few bytes may stand for a thousand times as many: more than these are refused.
    static let mostBytes = 64 << 20

    /// All members, one after the other.
    static func plain(_ data: Data, limit: Int = mostBytes) throws(GzipError) -> Data {
        let bytes = [UInt8](data)
        var plain: [UInt8] = []
        var place = 0
        repeat {
            try addMember(of: bytes, at: &place, to: &plain, limit)
        } while place < bytes.count
        return Data(plain)
    }

    private static func addMember(
        of bytes: [UInt8], at place: inout Int, to plain: inout [UInt8], _ limit: Int
    ) throws(GzipError) {
        guard bytes.count >= place + 18, bytes[place] == 0x1F, bytes[place + 1] == 0x8B, bytes[place + 2] == 8 else {
            throw GzipError(
                message: place == 0 ? "takes bytes in that format, and these are none" : "found other bytes behind the end")
        }
        let flags = bytes[place + 3]
        place += 10
        if flags & 4 != 0 {
            guard bytes.count > place + 2 else { throw .cut }
            place += 2 + Int(bytes[place]) + Int(bytes[place + 1]) << 8
        }
        // A name and a comment, each with a zero at its end.
        for flag in [UInt8(8), 16] where flags & flag != 0 {
            guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { throw .cut }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        guard place < bytes.count else { throw .cut }
        let start = plain.count
        var inflation = Inflation(bytes, at: place, limit: limit)
        try inflation.inflate(into: &plain)
        place = inflation.nextByte
        guard bytes.count >= place + 8 else { throw .cut }
        let sum = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        guard sum == checksum(plain[start...]) else {
            throw GzipError(message: "found a wrong checksum: some of the bytes have changed")
        }
        place += 8
    }

    /// CRC-32, as gzip has it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
    }
}

extension GzipError {
    fileprivate static let cut = GzipError(message: "comes to no end: some of the bytes are missing")
    fileprivate static let broken = GzipError(message: "found bytes that are no compressed data")
}

/// Undoes "deflate".
private struct Inflation {
    private let bytes: [UInt8]
    /// The byte that is read next, when all bits of those before it are.
    private(set) var nextByte: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    private let limit: Int

    init(_ bytes: [UInt8], at place: Int, limit: Int) {
        self.bytes = bytes
        nextByte = place
        self.limit = limit
    }

    mutating func inflate(into plain: inout [UInt8]) throws(GzipError) {
        let start = plain.count
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try addStored(to: &plain)
            case 1: try add(to: &plain, from: start, Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try codes()
                try add(to: &plain, from: start, lengths, distances)
            default: throw .broken
            }
        }
        // The bits that are left in a byte mean nothing; whole bytes belong to what follows.
        nextByte -= bitCount / 8
    }

    /// The lowest bits first.
    private mutating func take(_ count: Int) throws(GzipError) -> Int {
        while bitCount < count {
            guard nextByte < bytes.count else { throw .cut }
            bits |= UInt32(bytes[nextByte]) << UInt32(bitCount)
            nextByte += 1
            bitCount += 8
        }
        let value = Int(bits & (1 << UInt32(count) - 1))
        bits >>= UInt32(count)
        bitCount -= count
        return value
    }

    private mutating func addStored(to plain: inout [UInt8]) throws(GzipError) {
        nextByte -= bitCount / 8
        (bits, bitCount) = (0, 0)
        guard bytes.count >= nextByte + 4 else { throw .cut }
        let count = Int(bytes[nextByte]) | Int(bytes[nextByte + 1]) << 8
        guard count ^ 0xFFFF == Int(bytes[nextByte + 2]) | Int(bytes[nextByte + 3]) << 8 else { throw .broken }
        nextByte += 4
        guard bytes.count >= nextByte + count else { throw .cut }
        try checkRoom(for: count, in: plain)
        plain += bytes[nextByte..<nextByte + count]
        nextByte += count
    }

    private func checkRoom(for count: Int, in plain: [UInt8]) throws(GzipError) {
        guard plain.count + count <= limit else { throw GzipError(message: "would make more than \(limit >> 20) MiB") }
    }

    private mutating func add(
        to plain: inout [UInt8], from start: Int, _ lengths: HuffmanCode, _ distances: HuffmanCode
    ) throws(GzipError) {
        while true {
            let symbol = try lengths.next { () throws(GzipError) in try take(1) }
            if symbol < 256 {
                try checkRoom(for: 1, in: plain)
                plain.append(UInt8(symbol))
                continue
            }
            guard symbol > 256 else { return }
            guard symbol - 257 < Self.lengths.count else { throw .broken }
            let length = Self.lengths[symbol - 257]
            let count = length.base + (try take(length.bits))
            let place = try distances.next { () throws(GzipError) in try take(1) }
            guard place < Self.distances.count else { throw .broken }
            let distance = Self.distances[place].base + (try take(Self.distances[place].bits))
            guard distance <= plain.count - start else { throw .broken }
            try checkRoom(for: count, in: plain)
            // What is copied may reach into what it makes.
            for _ in 0..<count { plain.append(plain[plain.count - distance]) }
        }
    }

    /// The codes of a block that brings its own.
    private mutating func codes() throws(GzipError) -> (HuffmanCode, HuffmanCode) {
        let lengthCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var widths = [Int](repeating: 0, count: 19)
        for index in 0..<(try take(4) + 4) { widths[order[index]] = try take(3) }
        let code = try HuffmanCode(widths)
        var all: [Int] = []
        while all.count < lengthCount + distanceCount {
            let symbol = try code.next { () throws(GzipError) in try take(1) }
            switch symbol {
            case 16:
                guard let last = all.last else { throw .broken }
                all += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: all += [Int](repeating: 0, count: 3 + (try take(3)))
            case 18: all += [Int](repeating: 0, count: 11 + (try take(7)))
            default: all.append(symbol)
            }
        }
        guard all.count == lengthCount + distanceCount else { throw .broken }
        return (try HuffmanCode(Array(all[..<lengthCount])), try HuffmanCode(Array(all[lengthCount...])))
    }

    private static let fixedLengths = HuffmanCode(
        sure: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    private static let fixedDistances = HuffmanCode(sure: [Int](repeating: 5, count: 30))

    /// What a symbol above 256 stands for, with as many bits more.
    private static let lengths: [(base: Int, bits: Int)] = {
        var base = 3
        let bits = [0, 0, 0, 0] + (0..<24).map { $0 / 4 }
        let most = bits.map { bits -> (base: Int, bits: Int) in
            defer { base += 1 << bits }
            return (base, bits)
        }
        return most + [(258, 0)]
    }()
    private static let distances: [(base: Int, bits: Int)] = {
        var base = 1
        return ([0, 0] + (0..<28).map { $0 / 2 }).map { bits -> (base: Int, bits: Int) in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }()
}

/// Which bits stand for which symbol: of each width, how many there are, and the symbols in the order of their bits.
private struct HuffmanCode: Sendable {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    /// - Parameter widths: of each symbol, how many bits it has; 0: it has none.
    init(_ widths: [Int]) throws(GzipError) {
        self.init(sure: widths)
        // More bits than there can be.
        guard counts.dropFirst().reduce(1, { $0 < 0 ? $0 : $0 * 2 - $1 }) >= 0 else { throw .broken }
    }

    init(sure widths: [Int]) {
        for width in widths where width > 0 { counts[width] += 1 }
        symbols = widths.indices.filter { widths[$0] > 0 }.sorted { (widths[$0], $0) < (widths[$1], $1) }
    }

    func next(_ bit: () throws(GzipError) -> Int) throws(GzipError) -> Int {
        var (code, first, index) = (0, 0, 0)
        for count in counts.dropFirst() {
            code |= try bit()
            if code - count < first { return symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw .broken
    }
}
