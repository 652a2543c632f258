import Base

/// The forms in which secrets travel: as they are, in base64 and in hexadecimal. In a text each byte of a form may be percent-encoded (RFC 3986,
/// section 2.1), escaped as in a string of JSON (RFC 8259, section 7), once or twice, or a reference of XML.
struct SecretForms: Sendable {
    /// By first byte, the longest first, so that a secret that begins another doesn't hide it. Empty without secrets.
    private let forms: [[[UInt8]]]
    /// For each byte whether a form begins with it, or an escape does.
    private let begins: [Bool]

    init(_ secrets: [[UInt8]]) {
        var all: Set<[UInt8]> = []
        for secret in secrets {
            all.insert(secret)
            Self.addHexadecimal(of: secret, to: &all)
            Self.addBase64(of: secret, to: &all)
        }
        guard !all.isEmpty else {
            (forms, begins) = ([], [])
            return
        }
        var forms = [[[UInt8]]](repeating: [], count: 256)
        for form in all { forms[Int(form[0])].append(form) }
        for byte in forms.indices where forms[byte].count > 1 { forms[byte].sort { $0.count > $1.count } }
        var begins = forms.map { !$0.isEmpty }
        for byte in "%\\&".utf8 { begins[Int(byte)] = true }
        if begins[0x20] { begins[Int(UInt8(ascii: "+"))] = true }
        (self.forms, self.begins) = (forms, begins)
    }

    private static func addHexadecimal(of secret: [UInt8], to forms: inout Set<[UInt8]>) {
        for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
            let digits = Array(digits.utf8)
            forms.insert(secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }

    /// Base64 writes three bytes as four letters, so a text in the middle of another has one of three forms. The letters that
    /// also depend on its neighbours are left out.
    private static func addBase64(of secret: [UInt8], to forms: inout Set<[UInt8]>) {
        for offset in 0..<3 {
            let encoded = Array(Data([UInt8](repeating: 0, count: offset) + secret).base64EncodedString().utf8)
            add(base64: encoded[[0, 2, 3][offset]..<(offset + secret.count) * 8 / 6], to: &forms)
            guard offset == 0 else { continue }
            add(base64: encoded[...], to: &forms)
            add(base64: encoded.prefix { $0 != UInt8(ascii: "=") }, to: &forms)
        }
    }

    /// Also in the letters that are safe in URLs (RFC 4648, section 5).
    private static func add(base64: ArraySlice<UInt8>, to forms: inout Set<[UInt8]>) {
        // Fewer letters are found by chance in every long base64 text.
        guard base64.count >= 5 else { return }
        forms.insert(Array(base64))
        let signs: [UInt8: UInt8] = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        if base64.contains(where: { signs[$0] != nil }) { forms.insert(base64.map { signs[$0] ?? $0 }) }
    }

    /// Most of a text is passed over by this.
    func mayBegin(with byte: UInt8) -> Bool { !begins.isEmpty && begins[Int(byte)] }

    /// How many bytes of the text stand for a form there; `nil`: none does.
    func length(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        guard mayBegin(with: text[position]) else { return nil }
        func find(_ first: UInt8) -> Int? {
            forms[Int(first)].lazy.compactMap { Self.length(of: $0, in: text, at: position) }.first
        }
        for decoded in [Self.decoded(text, at: position), Self.nested(text, at: position)] {
            if let first = decoded?.bytes.first, first != text[position], let length = find(first) { return length }
        }
        return find(text[position])
    }

    /// - Parameter isNested: reads what backslashes say as ``nested(_:at:)`` does. Both are tried, since four of them are two in one way.
    static func length(
        of form: [UInt8], in text: UnsafeBufferPointer<UInt8>, at position: Int, isNested: Bool = false
    ) -> Int? {
        var end = position
        var index = 0
        while index < form.count {
            guard end < text.count else { return nil }
            let byte = text[end]
            if isEscape(byte), let decoded = isNested ? nested(text, at: end) ?? decoded(text, at: end) : decoded(text, at: end),
                form[index...].starts(with: decoded.bytes)
            {
                index += decoded.bytes.count
                end += decoded.length
            } else if byte == form[index] {
                index += 1
                end += 1
            } else if byte == backslash, !isNested, let length = length(of: form, in: text, at: position, isNested: true) {
                return length
            } else {
                // A backslash that is written once, though escapes begin with one: the text is no JSON.
                return form.count <= text.count - position && text[position..<position + form.count].elementsEqual(form)
                    ? form.count : nil
            }
        }
        return end - position
    }

    private static func isEscape(_ byte: UInt8) -> Bool {
        byte == percent || byte == backslash || byte == ampersand || byte == plus
    }

    private static let (percent, backslash) = (UInt8(ascii: "%"), UInt8(ascii: "\\"))
    private static let (ampersand, plus) = (UInt8(ascii: "&"), UInt8(ascii: "+"))

    /// What is written there in another way: `%20`, `\n`, `\u00e9`, `&amp;`, or the plus of a form.
    private static func decoded(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (bytes: [UInt8], length: Int)? {
        switch text[position] {
        case plus: return ([0x20], 1)
        case percent: return number(text[(position + 1)...].prefix(2), digits: 2, radix: 16).map { ([UInt8($0)], 3) }
        case backslash: return unescaped(text, at: position + 1).map { ($0.bytes, $0.length + 1) }
        case ampersand:
            let rest = text[(position + 1)...].prefix(10)
            guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")), let first = rest.first else { return nil }
            let name = rest[..<semicolon]
            let length = semicolon + 1 - position
            guard first == UInt8(ascii: "#") else {
                return references.first { name.elementsEqual($0.name.utf8) }.map { ([$0.byte], length) }
            }
            let digits = name.dropFirst()
            let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
            let value = isHex ? number(digits.dropFirst(), radix: 16) : number(digits, radix: 10)
            return value.flatMap { Unicode.Scalar($0) }.map { (Array(String($0).utf8), length) }
        default: return nil
        }
    }

    /// The same in JSON that is a text of JSON, as servers that echo a body send it: `\\n`, `\\\"`.
    private static func nested(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (bytes: [UInt8], length: Int)? {
        var next = position + 2
        guard next + 1 < text.count, text[position] == backslash, text[position + 1] == backslash else { return nil }
        if text[next] == backslash { next += 1 }
        return unescaped(text, at: next).map { ($0.bytes, next - position + $0.length) }
    }

    private static let references: [(name: String, byte: UInt8)] = [
        ("amp", ampersand), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")), ("quot", UInt8(ascii: "\"")),
        ("apos", UInt8(ascii: "'")),
    ]

    /// - Parameter position: behind the backslash.
    private static func unescaped(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (bytes: [UInt8], length: Int)? {
        guard position < text.count else { return nil }
        switch text[position] {
        case UInt8(ascii: "\""), backslash, UInt8(ascii: "/"): return ([text[position]], 1)
        case UInt8(ascii: "b"): return ([0x08], 1)
        case UInt8(ascii: "f"): return ([0x0C], 1)
        case UInt8(ascii: "n"): return ([0x0A], 1)
        case UInt8(ascii: "r"): return ([0x0D], 1)
        case UInt8(ascii: "t"): return ([0x09], 1)
        case UInt8(ascii: "u"):
            guard let unit = number(text[(position + 1)...].prefix(4), digits: 4, radix: 16) else { return nil }
            if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 5) }
            let rest = text[(position + 5)...]
            // Two in JSON that is a text of JSON.
            let slashes = rest.prefix(2).prefix { $0 == backslash }.count
            guard unit < 0xDC00, slashes > 0, rest.dropFirst(slashes).first == UInt8(ascii: "u"),
                let low = number(rest.dropFirst(slashes + 1).prefix(4), digits: 4, radix: 16),
                0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            else { return nil }
            return (Array(String(scalar).utf8), 10 + slashes)
        default: return nil
        }
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>, digits: Int? = nil, radix: UInt32) -> UInt32? {
        guard !text.isEmpty, digits.map({ $0 == text.count }) ?? true else { return nil }
        var value: UInt32 = 0
        for byte in text {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            guard digit < radix, value < 1 << 24 else { return nil }
            value = value * radix + UInt32(digit)
        }
        return value
    }
}
