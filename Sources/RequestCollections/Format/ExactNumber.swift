/// A number of JSON as its digits say it: `9007199254740993` is not `9007199254740992`, which a `Double` can't tell apart.
struct ExactNumber: Hashable {
    private var isNegative: Bool
    /// Without zeros in front and behind; empty for 0.
    private var digits: [UInt8]
    /// Where the point stands before the first digit, as a power of ten: 0.5 has 0, 5 has 1.
    private var exponent: Int

    /// `nil` for what isn't a number.
    init?(_ text: String) {
        var rest = text.utf8[...]
        let sign = rest.first
        isNegative = sign == UInt8(ascii: "-")
        if isNegative || sign == UInt8(ascii: "+") { rest.removeFirst() }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let whole = rest.prefix(while: isDigit)
        rest = rest[whole.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.prefix(while: isDigit)
            rest = rest[fraction.endIndex...]
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var power = 0
        if let letter = rest.first {
            guard letter | 0x20 == UInt8(ascii: "e"), let value = Int(Substring(rest.dropFirst())), abs(value) < 1 << 32 else {
                return nil
            }
            power = value
        }
        let all = Array(whole) + Array(fraction)
        let significant = all.drop { $0 == 0x30 }
        digits = Array(significant)
        while digits.last == 0x30 { digits.removeLast() }
        exponent = digits.isEmpty ? 0 : whole.count - (all.count - significant.count) + power
        if digits.isEmpty { isNegative = false }
    }

    /// Whether it is another one times a whole number; `nil` when the other one has too many digits to be sure.
    func isMultiple(of other: ExactNumber) -> Bool? {
        if digits.isEmpty { return true }
        let power = exponent - digits.count - (other.exponent - other.digits.count)
        // This number doesn't end in a zero, so it can't be a multiple of one that does.
        guard power >= 0, !other.digits.isEmpty else { return false }
        guard other.digits.count <= 18, power < 100_000 else { return nil }
        let step = other.digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) }
        var rest = digits.reduce(0 as UInt64) { ($0 * 10 + UInt64($1 - 0x30)) % step }
        for _ in 0..<power where rest != 0 { rest = rest * 10 % step }
        return rest == 0
    }

    /// The same for all texts of one number.
    var canonical: String { "\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent)" }

    /// Whether there is nothing behind the point.
    var isWhole: Bool { digits.count <= exponent || digits.isEmpty }
}

extension ExactNumber: Comparable {
    static func < (one: ExactNumber, other: ExactNumber) -> Bool {
        if one.isNegative != other.isNegative { return one.isNegative }
        return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
    }

    /// Without the sign.
    private func isSmaller(than other: ExactNumber) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        if exponent != other.exponent { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
