/// What a scalar without quotes is, by the core schema of YAML 1.2, section 10.3.2: `yes`, `on` and dates are text.
enum PlainScalar: Hashable {
    case null
    case boolean(Bool)
    /// As JSON writes it.
    case number(String)
    /// `.inf`, `.nan`: numbers that JSON doesn't have.
    case notFinite
    case text

    init(_ text: String) {
        // Most are text, and their first letter says so.
        guard let first = text.utf8.first else {
            self = .null
            return
        }
        switch first {
        case 0x30...0x39: self = Self.jsonNumber(text).map(Self.number) ?? .text
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"): self = Self.recognize(text)
        case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"),
            UInt8(ascii: "F"):
            self = text.utf8.count <= 5 ? Self.recognize(text) : .text
        default: self = .text
        }
    }

    private static func recognize(_ text: String) -> PlainScalar {
        switch text {
        case "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": .boolean(true)
        case "false", "False", "FALSE": .boolean(false)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN": .notFinite
        default: jsonNumber(text).map(PlainScalar.number) ?? .text
        }
    }

    private static func jsonNumber(_ text: String) -> String? {
        guard let first = text.utf8.first, first == 0x2B || first == 0x2D || first == 0x2E || isDigit(first) else { return nil }
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map(String.init) }
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map(String.init) }
        var rest = Substring(text).utf8
        var number = ""
        if let sign = rest.first, sign == 0x2B || sign == 0x2D {
            if sign == 0x2D { number = "-" }
            rest.removeFirst()
        }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction = Substring().utf8
        var hasPoint = false
        if rest.first == 0x2E {
            hasPoint = true
            rest.removeFirst()
            fraction = rest.prefix(while: isDigit)
            rest = rest.dropFirst(fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        // JSON has no leading zeros, no bare point.
        let digits = whole.drop { $0 == 0x30 }
        number += digits.isEmpty ? "0" : String(Substring(digits))
        if hasPoint, !fraction.isEmpty { number += "." + String(Substring(fraction)) }
        if let letter = rest.first {
            guard letter == 0x65 || letter == 0x45 else { return nil }
            number.unicodeScalars.append(Unicode.Scalar(letter))
            rest.removeFirst()
            if let sign = rest.first, sign == 0x2B || sign == 0x2D {
                number.unicodeScalars.append(Unicode.Scalar(sign))
                rest.removeFirst()
            }
            guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return nil }
            number += String(Substring(rest))
            rest = rest.dropFirst(rest.count)
        }
        return rest.isEmpty ? number : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
