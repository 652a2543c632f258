/// Takes apart what `deflate` has made (RFC 1951), in the frame of zlib (RFC 1950), as pictures have it.
///
/// In Swift, since nothing else here needs a library for it: bodies are unpacked by the transport.
struct Inflate {
    private let input: [UInt8]
    private var position: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private let limit: Int

    struct Broken: Error {}

    private static let lengths: [(base: Int, extra: Int)] = {
        var table: [(base: Int, extra: Int)] = []
        var base = 3
        for code in 0..<28 {
            let extra = code < 8 ? 0 : (code - 4) / 4
            table.append((base, extra))
            base += 1 << extra
        }
        return table + [(258, 0)]
    }()

    private static let distances: [(base: Int, extra: Int)] = {
        var table: [(base: Int, extra: Int)] = []
        var base = 1
        for code in 0..<30 {
            let extra = code < 4 ? 0 : (code - 2) / 2
            table.append((base, extra))
            base += 1 << extra
        }
        return table
    }()

    private init(_ input: [UInt8], from position: Int, limit: Int) {
        self.input = input
        self.position = position
        self.limit = limit
    }

    /// - Parameter limit: bytes that may come of it; what would be more is cut.
    static func zlib(_ input: [UInt8], limit: Int) throws(Broken) -> [UInt8] {
        guard input.count > 2, input[0] & 0x0F == 8, (Int(input[0]) << 8 | Int(input[1])) % 31 == 0, input[1] & 0x20 == 0 else {
            throw Broken()
        }
        var inflate = Inflate(input, from: 2, limit: limit)
        inflate.output.reserveCapacity(limit)
        try inflate.run()
        return inflate.output
    }

    private mutating func run() throws(Broken) {
        var isLast = false
        while !isLast, output.count < limit {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try compressed(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let (literals, distances) = try tables()
                try compressed(literals, distances)
            default: throw Broken()
            }
        }
    }

    private mutating func take(_ count: Int) throws(Broken) -> Int {
        while bitCount < count {
            guard position < input.count else { throw Broken() }
            bits |= UInt32(input[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func stored() throws(Broken) {
        // What is left of the byte belongs to nothing.
        position -= bitCount / 8
        (bits, bitCount) = (0, 0)
        guard position + 4 <= input.count else { throw Broken() }
        let count = Int(input[position]) | Int(input[position + 1]) << 8
        guard count ^ 0xFFFF == Int(input[position + 2]) | Int(input[position + 3]) << 8 else { throw Broken() }
        position += 4
        guard position + count <= input.count else { throw Broken() }
        output.append(contentsOf: input[position..<position + min(count, limit - output.count)])
        position += count
    }

    private mutating func compressed(_ literals: Code, _ distances: Code) throws(Broken) {
        while output.count < limit {
            let symbol = try next(literals)
            if symbol == 256 { return }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengths.count else { throw Broken() }
            let (base, extra) = Self.lengths[symbol - 257]
            let length = base + (try take(extra))
            let code = try next(distances)
            guard code < Self.distances.count else { throw Broken() }
            let distance = Self.distances[code].base + (try take(Self.distances[code].extra))
            guard distance <= output.count else { throw Broken() }
            for _ in 0..<min(length, limit - output.count) { output.append(output[output.count - distance]) }
        }
    }

    // MARK: Codes

    /// A canonical Huffman code: how many codes each length has, and the symbols in the order of their codes.
    private struct Code {
        static let longest = 15
        var counts = [Int](repeating: 0, count: longest + 1)
        var symbols: [Int] = []

        init(_ lengths: ArraySlice<Int>) {
            for length in lengths where length > 0 { counts[length] += 1 }
            let used = lengths.enumerated().filter { $0.element > 0 }
            symbols = used.sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        }
    }

    private mutating func next(_ code: Code) throws(Broken) -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1...Code.longest {
            value |= try take(1)
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Broken()
    }

    private static let fixedLiterals = Code(
        ([Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))[...])
    private static let fixedDistances = Code([Int](repeating: 5, count: 30)[...])

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func tables() throws(Broken) -> (Code, Code) {
        let literals = 257 + (try take(5))
        let distances = 1 + (try take(5))
        let count = 4 + (try take(4))
        var own = [Int](repeating: 0, count: 19)
        for index in 0..<count { own[Self.order[index]] = try take(3) }
        let code = Code(own[...])
        var lengths: [Int] = []
        while lengths.count < literals + distances {
            let symbol = try next(code)
            switch symbol {
            case 0...15: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw Broken() }
                lengths += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
            default: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
            }
        }
        guard lengths.count == literals + distances else { throw Broken() }
        return (Code(lengths[..<literals]), Code(lengths[literals...]))
    }
}
