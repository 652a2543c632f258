/// Reads and writes `key=value&key=value` (URL-1 … URL-3).
package enum URLCoding {
    /// Percent-encodes every byte of the UTF-8 form but letters, digits and `-._~` (RFC 3986, section 2.3), in upper-case hex.
    package static func percentEncoded(_ text: String) -> String { percentEncoded(text.utf8) }

    /// The same of bytes that may be no text, where other bytes than the unreserved ones may be kept. Those must be ASCII.
    package static func percentEncoded(
        _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool = isUnreserved
    ) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// - Parameter preservesPluses: else `+` is a space, as forms write it.
    /// - Returns: the text; a `%` without two hexadecimal digits stays as it is, and what isn't UTF-8 becomes U+FFFD.
    package static func percentDecoded(_ text: some StringProtocol, preservesPluses: Bool = true) -> String {
        String(decoding: percentDecodedBytes(text, preservesPluses: preservesPluses), as: UTF8.self)
    }

    /// The same where the bytes may be no text.
    static func percentDecodedBytes(_ text: some StringProtocol, preservesPluses: Bool = true) -> [UInt8] {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = hexValue(source[index + 1]),
                let low = hexValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(byte == UInt8(ascii: "+") && !preservesPluses ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return bytes
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// Letters, digits and `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    // MARK: Parameters

    /// Parameters as a query or a form has them, sorted by name.
    static func form(_ parameters: [String: (any URLEncodable)?]) -> String {
        parameters.sorted { $0.key < $1.key }.flatMap { name, value in
            (value?.urlTexts ?? []).map { "\(percentEncoded(name))=\(percentEncoded($0))" }
        }.joined(separator: "&")
    }

    /// Splits at `&`, then at the first `=`; a plus is a space (URL-3). Pieces with an empty name are dropped; a name without `=` has an
    /// empty value.
    package static func pairs(in text: some StringProtocol) -> [(key: String, value: String)] {
        text.pieces(at: "&").compactMap { piece in
            let halves = piece.halves(at: "=") ?? (piece, "")
            let key = percentDecoded(halves.before, preservesPluses: false)
            return key.isEmpty ? nil : (key, percentDecoded(halves.behind, preservesPluses: false))
        }
    }
}
