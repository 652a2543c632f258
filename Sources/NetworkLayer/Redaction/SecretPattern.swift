import Base

/// What stands for a secret in a text.
enum SecretPattern: Hashable, Sendable {
    /// These bytes.
    case exact([UInt8])
    /// These letters of base64, which may be broken into lines (RFC 2045, section 6.8), also of a string of JSON.
    case base64([UInt8])
    /// These bytes of a text in ISO 8859-1.
    case latin1([UInt8])
    /// These bytes of a text in UTF-16.
    case utf16([UInt8], isLittleEndian: Bool)
    /// These characters, each as it is, or
    ///
    /// - percent-encoded (RFC 3986, section 2.1), a space also as the plus of a form: programs that make URLs leave some characters as they
    ///   are in a path and others in a query, and none is wrong;
    /// - escaped as strings of JSON may be (RFC 8259, section 7), also of JSON inside a string of JSON: encoders differ in what they
    ///   escape, and in how;
    /// - as a reference of XML or HTML.
    case coded([WrittenPiece], SecretMask)

    /// In UTF-8.
    static func coded(_ text: String) -> SecretPattern {
        .coded([WrittenPiece(scalars: Array(text.unicodeScalars), forms: [])], .utf8)
    }

    private var bytes: [UInt8] {
        switch self {
        case .exact(let bytes), .base64(let bytes), .latin1(let bytes), .utf16(let bytes, _): bytes
        case .coded(let pieces, _): pieces.flatMap(\.bytes)
        }
    }

    /// What stands in its place, in letters that the text has.
    var mask: SecretMask {
        switch self {
        case .exact, .base64: .utf8
        case .latin1: .ascii
        case .coded(_, let mask): mask
        case .utf16(_, let isLittleEndian): .utf16(isLittleEndian: isLittleEndian)
        }
    }

    /// The bytes with which a matching text may begin.
    var firstBytes: Set<UInt8> {
        let first = bytes[0]
        return switch self {
        case .exact, .latin1, .utf16: [first]
        case .base64 where Self.isAlphanumeric(first): [first]
        case .base64: [first, Self.percentSign, Self.backslash, Self.ampersand]
        case .coded(let pieces, _):
            Set([first, Self.percentSign, Self.backslash, Self.ampersand] + (first == UInt8(ascii: " ") ? [Self.plus] : []))
                .union(pieces[0].forms.map { $0[0] })
        }
    }

    static func isTriedBefore(_ left: SecretPattern, _ right: SecretPattern) -> Bool {
        if left.bytes.count != right.bytes.count { return left.bytes.count > right.bytes.count }
        if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
        return left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .exact: 0
        case .base64: 1
        case .latin1: 2
        case .coded(_, let mask): mask == .utf8 ? 3 : 6
        case .utf16(_, let isLittleEndian): isLittleEndian ? 4 : 5
        }
    }

    /// - Returns: how many bytes of the text stand for the secret there; `nil`: it isn't there.
    func length(in text: [UInt8], at position: Int) -> Int? {
        switch self {
        case .exact(let bytes), .latin1(let bytes), .utf16(let bytes, _): text[position...].starts(with: bytes) ? bytes.count : nil
        case .base64(let letters): Self.length(ofBase64: letters, in: text, at: position)
        case .coded(let pieces, _): Self.length(of: pieces, in: text, at: position)
        }
    }

    private static func length(of pieces: [WrittenPiece], in text: [UInt8], at position: Int) -> Int? {
        var end = position
        for piece in pieces {
            if let next = piece.forms.lazy.compactMap({ Self.end(of: $0, in: text, at: end) }).first {
                end = next
            } else if !piece.scalars.isEmpty, let length = length(of: piece.scalars, in: text, at: end) {
                end += length
            } else {
                return nil
            }
        }
        return end - position
    }

    private static func length(ofBase64 letters: [UInt8], in text: [UInt8], at position: Int) -> Int? {
        var end = position
        for (index, letter) in letters.enumerated() {
            while index > 0, let behind = lineEnd(in: text, at: end) { end = behind }
            if end < text.count, text[end] == letter {
                end += 1
            } else {
                // Letters other than `+`, `/` and `=` are never written in another way.
                guard !isAlphanumeric(letter), let next = escapedEnd(of: Unicode.Scalar(letter), in: text, at: end) else {
                    return nil
                }
                end = next
            }
        }
        return end - position
    }

    private static func isAlphanumeric(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// What stands for one character that is no backslash.
    private static func escapedEnd(of scalar: Unicode.Scalar, in text: [UInt8], at position: Int) -> Int? {
        let slashes = text[position...].prefix(mostBackslashes).prefix { $0 == backslash }.count
        return slashes > 0 ? escapeEnd(of: scalar, in: text, at: position + slashes) : plainEnd(of: scalar, in: text, at: position)
    }

    /// What stands behind a part of a line's end.
    private static func lineEnd(in text: [UInt8], at position: Int) -> Int? {
        guard position < text.count else { return nil }
        if text[position] == 0x0A || text[position] == 0x0D { return position + 1 }
        guard text[position] == backslash, position + 1 < text.count else { return nil }
        return [UInt8(ascii: "n"), UInt8(ascii: "r")].contains(text[position + 1]) ? position + 2 : nil
    }

    private static func length(of scalars: [Unicode.Scalar], in text: [UInt8], at position: Int) -> Int? {
        var end = position
        var index = 0
        while index < scalars.count {
            // How many backslashes the secret has here: each is written as two, or as four in nested JSON; an escape's may follow.
            let count = scalars[index] == "\\" ? scalars[index...].prefix { $0 == "\\" }.count : 0
            // Counting stops there: a text may be one long run of backslashes, and the search starts at each of them.
            let slashes = text[end...].prefix(mostBackslashes * (count + 1)).prefix { $0 == backslash }.count
            if count > 0 {
                guard slashes >= count else {
                    // No backslash here: in a URL it is percent-encoded.
                    guard slashes == 0, let next = plainEnd(of: "\\", in: text, at: end) else { return nil }
                    end = next
                    index += 1
                    continue
                }
                index += count
                // The last one of an odd number is no part of it, but escapes what follows.
                let isOver = slashes > count && !slashes.isMultiple(of: 2)
                let escapesNext =
                    index == scalars.count || escapeEnd(of: scalars[index], in: text, at: end + slashes) != nil
                end += isOver && escapesNext ? slashes - 1 : slashes
                continue
            }
            let next =
                slashes > 0
                ? escapeEnd(of: scalars[index], in: text, at: end + slashes) : plainEnd(of: scalars[index], in: text, at: end)
            guard let next else { return nil }
            end = next
            index += 1
        }
        return end - position
    }

    /// As it is, or percent-encoded, each byte for itself; or as a reference.
    private static func plainEnd(of scalar: Unicode.Scalar, in text: [UInt8], at position: Int) -> Int? {
        if position < text.count, text[position] == ampersand, let end = referenceEnd(of: scalar, in: text, at: position) {
            return end
        }
        return Self.end(of: UTF8.encode(scalar)!, in: text, at: position)
    }

    private static func end(of bytes: some Sequence<UInt8>, in text: [UInt8], at position: Int) -> Int? {
        var end = position
        for byte in bytes {
            guard end < text.count else { return nil }
            if text[end] == percentSign, decoded(text, at: end) == byte {
                end += 3
            } else if text[end] == byte || (byte == UInt8(ascii: " ") && text[end] == plus) {
                end += 1
            } else {
                return nil
            }
        }
        return end
    }

    /// `&amp;`, `&#38;` or `&#x26;`.
    private static func referenceEnd(of scalar: Unicode.Scalar, in text: [UInt8], at position: Int) -> Int? {
        let longest = text[position...].prefix(12)
        guard let semicolon = longest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: text[position + 1..<semicolon], as: UTF8.self)
        let value: UInt32? =
            if name.begins(with: "#x") || name.begins(with: "#X") {
                UInt32(name.dropFirst(2), radix: 16)
            } else if name.begins(with: "#") {
                UInt32(name.dropFirst())
            } else {
                namedReferences[name]?.value
            }
        return value == scalar.value ? semicolon + 1 : nil
    }

    /// Those of XML, and HTML's names for the upper half of ISO 8859-1, which programs write for any letter that has one.
    private static let namedReferences: [String: Unicode.Scalar] = {
        var references: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        for (code, name) in zip(0xA0...0xFF, latin1Names.pieces(at: " ")) {
            references[String(name)] = Unicode.Scalar(UInt8(code))
        }
        return references
    }()

    private static let latin1Names = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
        thorn yuml
        """

    /// - Parameter position: behind the backslashes.
    private static func escapeEnd(of scalar: Unicode.Scalar, in text: [UInt8], at position: Int) -> Int? {
        guard position < text.count else { return nil }
        if text[position] == shortEscapes[scalar] { return position + 1 }
        // JSON in HTML.
        if text[position] == ampersand, shortEscapes[scalar] != nil { return referenceEnd(of: scalar, in: text, at: position) }
        var end = position
        for unit in UTF16.encode(scalar)! {
            // The second half of a pair has backslashes of its own.
            if end > position { end += text[end...].prefix { $0 == backslash }.count }
            guard end + 4 < text.count, text[end] == UInt8(ascii: "u") else { return nil }
            var value: UInt16 = 0
            for byte in text[end + 1...end + 4] {
                guard let digit = digit(byte) else { return nil }
                value = value << 4 | UInt16(digit)
            }
            guard value == unit else { return nil }
            end += 5
        }
        return end
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\"": UInt8(ascii: "\""), "/": UInt8(ascii: "/"), "\u{8}": UInt8(ascii: "b"), "\u{C}": UInt8(ascii: "f"),
        "\n": UInt8(ascii: "n"), "\r": UInt8(ascii: "r"), "\t": UInt8(ascii: "t"),
    ]
    private static let backslash = UInt8(ascii: "\\")
    /// In front of one character: JSON inside a string of JSON, five times over, has 31.
    private static let mostBackslashes = 32
    private static let percentSign = UInt8(ascii: "%")
    private static let plus = UInt8(ascii: "+")
    private static let ampersand = UInt8(ascii: "&")

    private static func decoded(_ text: [UInt8], at position: Int) -> UInt8? {
        guard position + 2 < text.count, let high = digit(text[position + 1]), let low = digit(text[position + 2]) else {
            return nil
        }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// The forms in which a secret may travel.
struct SecretForms {
    private let bytes: [UInt8]

    init(_ secret: String) {
        bytes = Array(secret.utf8)
    }

    /// - Parameter bytes: of the secret in another encoding.
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    func add(to patterns: inout Set<SecretPattern>) {
        addCodes(to: &patterns)
        addTexts(to: &patterns)
    }

    /// What hides the bytes themselves.
    func addCodes(to patterns: inout Set<SecretPattern>) {
        var (base64, hexadecimal): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        addBase64(to: &base64)
        addHexadecimal(to: &hexadecimal)
        patterns.formUnion(base64.map(SecretPattern.base64))
        patterns.formUnion(hexadecimal.map(SecretPattern.exact))
    }

    private func addTexts(to patterns: inout Set<SecretPattern>) {
        let text = String(decoding: bytes, as: UTF8.self)
        let scalars = Array(text.unicodeScalars)
        patterns.insert(.coded(text))
        // One in ASCII is found by the zeros of the text around it.
        if scalars.count < bytes.count {
            for isLittleEndian in [true, false] {
                let wide = UTF16Text.bytes(of: text, isLittleEndian: isLittleEndian)
                if wide.count >= Redactor.shortestSearched { patterns.insert(.utf16(wide, isLittleEndian: isLittleEndian)) }
            }
        }
        let narrow = scalars.compactMap { UInt8(exactly: $0.value) }
        // A shorter pattern would match binary data by chance.
        guard narrow.count == scalars.count, narrow.count >= Redactor.shortestSearched, narrow.count < bytes.count else { return }
        patterns.insert(.latin1(narrow))
        // The same in a header field that was read as UTF-8: the letters around what is lost are still to be read.
        if narrow.contains(where: { $0 < 0x80 }) {
            patterns.insert(.exact(Array(String(decoding: narrow, as: UTF8.self).utf8)))
        }
    }

    private func addHexadecimal(to forms: inout Set<[UInt8]>) {
        for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
            let digits = Array(digits.utf8)
            forms.insert(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }

    /// Base64 writes three bytes as four letters, so a text in the middle of another has one of three forms. The letters that
    /// also depend on its neighbours are left out, and what is left must be long enough to mean something.
    private func addBase64(to forms: inout Set<[UInt8]>) {
        for offset in 0..<3 {
            let encoded = Array(Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString().utf8)
            let start = [0, 2, 3][offset]
            let end = (offset + bytes.count) * 8 / 6
            if end - start >= Self.shortestBase64 { add(base64: encoded[start..<end], to: &forms) }
            guard offset == 0 else { continue }
            add(base64: encoded[...], to: &forms)
            add(base64: encoded.prefix { $0 != UInt8(ascii: "=") }, to: &forms)
        }
    }

    /// Also in the letters that are safe in URLs (RFC 4648, section 5).
    private func add(base64: ArraySlice<UInt8>, to forms: inout Set<[UInt8]>) {
        forms.insert(Array(base64))
        forms.insert(
            base64.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            })
    }

    /// Fewer letters are found by chance in every long base64 text.
    private static let shortestBase64 = 5
}
