/// Walks over JSON text without building anything, strictly by RFC 8259. It doesn't recurse, so depth costs it no stack.
struct JSONSkipper {
    let bytes: UnsafeBufferPointer<UInt8>

    static let maximumDepth = 10_000

    func afterSpace(_ start: Int) -> Int {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return position
            }
        }
        return position
    }

    /// Where the value that begins at `start` ends.
    func afterValue(_ start: Int) throws(JSONFilterError) -> Int {
        var closers: [UInt8] = []
        var position = start
        while true {
            position = afterSpace(position)
            guard position < bytes.count else { throw unexpected(position) }
            switch bytes[position] {
            case UInt8(ascii: "{"):
                let first = afterSpace(position + 1)
                if byte(first) == UInt8(ascii: "}") {
                    position = first + 1
                } else {
                    position = try afterName(first)
                    try open(UInt8(ascii: "}"), &closers)
                    continue
                }
            case UInt8(ascii: "["):
                let first = afterSpace(position + 1)
                if byte(first) == UInt8(ascii: "]") {
                    position = first + 1
                } else {
                    position = first
                    try open(UInt8(ascii: "]"), &closers)
                    continue
                }
            default:
                position = try afterScalar(position)
            }
            while let closer = closers.last {
                position = afterSpace(position)
                if byte(position) == closer {
                    position += 1
                    closers.removeLast()
                } else if byte(position) == UInt8(ascii: ",") {
                    position += 1
                    if closer == UInt8(ascii: "}") { position = try afterName(afterSpace(position)) }
                    break
                } else {
                    throw unexpected(position)
                }
            }
            if closers.isEmpty { return position }
        }
    }

    /// Where the member's value begins, or the space before it; `start` is its name's quote.
    func afterName(_ start: Int) throws(JSONFilterError) -> Int {
        guard byte(start) == UInt8(ascii: "\"") else { throw unexpected(start) }
        let colon = afterSpace(try afterString(start))
        guard byte(colon) == UInt8(ascii: ":") else { throw unexpected(colon) }
        return colon + 1
    }

    func afterString(_ start: Int) throws(JSONFilterError) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"):
                switch byte(position + 1) {
                case UInt8(ascii: "u"):
                    guard position + 6 <= bytes.count, bytes[position + 2..<position + 6].allSatisfy(Self.isHexDigit) else {
                        throw unexpected(position)
                    }
                    position += 6
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                    UInt8(ascii: "n"),
                    UInt8(ascii: "r"), UInt8(ascii: "t"):
                    position += 2
                default: throw unexpected(position)
                }
            case 0..<0x20: throw unexpected(position)
            default: position += 1
            }
        }
        throw unexpected(position)
    }

    func byte(_ position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    func unexpected(_ position: Int) -> JSONFilterError {
        guard let byte = byte(position) else {
            return JSONFilterError("the body isn't JSON: it ends too early, at byte \(position)")
        }
        let seen = (0x21...0x7E).contains(byte) ? "`\(Character(Unicode.Scalar(byte)))`" : "the byte \(byte)"
        return JSONFilterError("the body isn't JSON: \(seen) is not expected at byte \(position)")
    }

    // MARK: Parts

    private func open(_ closer: UInt8, _ closers: inout [UInt8]) throws(JSONFilterError) {
        guard closers.count < Self.maximumDepth else {
            throw JSONFilterError("the body is nested deeper than \(Self.maximumDepth) levels")
        }
        closers.append(closer)
    }

    private func afterScalar(_ start: Int) throws(JSONFilterError) -> Int {
        switch bytes[start] {
        case UInt8(ascii: "\""): return try afterString(start)
        case UInt8(ascii: "t"): return try after("true", start)
        case UInt8(ascii: "f"): return try after("false", start)
        case UInt8(ascii: "n"): return try after("null", start)
        default: return try afterNumber(start)
        }
    }

    private func after(_ word: StaticString, _ start: Int) throws(JSONFilterError) -> Int {
        for offset in 0..<word.utf8CodeUnitCount where byte(start + offset) != word.utf8Start[offset] {
            throw unexpected(start + offset)
        }
        return start + word.utf8CodeUnitCount
    }

    private func afterNumber(_ start: Int) throws(JSONFilterError) -> Int {
        var position = start
        if byte(position) == UInt8(ascii: "-") { position += 1 }
        position = byte(position) == UInt8(ascii: "0") ? position + 1 : try afterDigits(position)
        if byte(position) == UInt8(ascii: ".") { position = try afterDigits(position + 1) }
        if let exponent = byte(position), exponent | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = byte(position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            position = try afterDigits(position)
        }
        return position
    }

    private func afterDigits(_ start: Int) throws(JSONFilterError) -> Int {
        var position = start
        while let byte = byte(position), (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw unexpected(start) }
        return position
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
