/// Reads the distinguished encoding of ASN.1 (X.690), element by element; never beyond its bytes.
struct DERReader {
    struct Element {
        /// Class, constructed bit and number, in one byte; longer numbers don't occur in certificates.
        var tag: UInt8
        var content: ArraySlice<UInt8>

        /// The elements inside.
        var reader: DERReader { DERReader(content) }
    }

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The next element, or `nil` at the end and for what isn't DER.
    mutating func next() -> Element? {
        var bytes = rest
        guard let tag = bytes.popFirst(), tag & 0x1f != 0x1f, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7f)
            guard (1...4).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        rest = bytes.dropFirst(length)
        return Element(tag: tag, content: bytes.prefix(length))
    }

    /// The next element if it has this tag; otherwise it stays.
    mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }
}

extension DERReader {
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let bmpString: UInt8 = 0x1e
        static let version: UInt8 = 0xa0
        static let extensions: UInt8 = 0xa3
    }
}

extension DERReader.Element {
    /// `1.2.840.113549.1.1.11`
    var objectIdentifier: String {
        var numbers: [UInt64] = []
        var value: UInt64 = 0
        for byte in content {
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 {
                numbers.append(value)
                value = 0
            }
        }
        guard let first = numbers.first else { return "" }
        let top = min(first / 40, 2)
        return ([top, first - top * 40] + numbers.dropFirst()).map(String.init).joined(separator: ".")
    }

    /// A string of any of ASN.1's kinds; what isn't UTF-8 is repaired.
    var string: String {
        if tag == DERReader.Tag.bmpString {
            let bytes = Array(content)
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            return String(decoding: units, as: UTF16.self)
        }
        return String(decoding: content, as: UTF8.self)
    }
}
