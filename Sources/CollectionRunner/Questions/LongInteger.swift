/// Integers of JSON, and of programs for jq, that a `Double` can't hold.
enum LongInteger {
    /// The first integer that is farther from 0 than 2^53, outside of texts.
    ///
    /// - Parameter inTexts: in texts, too.
    static func first(in bytes: some Sequence<UInt8>, inTexts: Bool = false) -> String? {
        var digits: [UInt8] = []
        var isInText = false
        var isEscaped = false
        /// Behind a point, a letter or another digit: a fraction, an exponent, a name.
        var isPart = false
        for byte in bytes {
            if isInText {
                let ends = !isEscaped && byte == UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                isInText = !ends
                continue
            }
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, !isPart {
                digits.append(byte)
                continue
            }
            let goesOn = isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
            if !goesOn, isLong(digits) { return String(decoding: digits, as: UTF8.self) }
            digits.removeAll(keepingCapacity: true)
            isPart = goesOn
            isInText = !inTexts && byte == UInt8(ascii: "\"")
        }
        return isLong(digits) ? String(decoding: digits, as: UTF8.self) : nil
    }

    private static let most = Array("9007199254740992".utf8)

    private static func isLong(_ digits: [UInt8]) -> Bool {
        let digits = digits.drop { $0 == 0x30 }
        return digits.count > most.count || (digits.count == most.count && most.lexicographicallyPrecedes(digits))
    }
}
