import Base
import NetworkLayer

extension Certificate {
    /// Reads a certificate's DER form (RFC 5280, section 4.1). Text in names is as in RFC 4514, but in the certificate's order.
    ///
    /// - Returns: `nil` when it isn't a certificate.
    init?(der: Data) {
        var outer = DERReader(ArraySlice([UInt8](der)))
        guard var certificate = outer.next(DERReader.Tag.sequence)?.reader,
            var body = certificate.next(DERReader.Tag.sequence)?.reader
        else { return nil }
        _ = body.next(DERReader.Tag.version)
        guard let serial = body.next(DERReader.Tag.integer),
            let algorithm = body.next(DERReader.Tag.sequence),
            let issuer = body.next(DERReader.Tag.sequence),
            var validity = body.next(DERReader.Tag.sequence)?.reader,
            let subject = body.next(DERReader.Tag.sequence),
            let key = body.next(DERReader.Tag.sequence),
            let notBefore = validity.next()?.date, let notAfter = validity.next()?.date
        else { return nil }
        var names: [String] = []
        while let element = body.next() {
            if element.tag == DERReader.Tag.extensions { names = element.alternativeNames }
        }
        self.init(
            subject: subject.distinguishedName, issuer: issuer.distinguishedName,
            serialNumber: serial.content.hexadecimal, notBefore: notBefore, notAfter: notAfter, alternativeNames: names,
            publicKey: key.publicKey, signatureAlgorithm: algorithm.algorithm, sha256: DigestFunction.sha256.hash(der).hexadecimal,
            der: der)
    }

    var publicKeyDER: Data? {
        var outer = DERReader(ArraySlice([UInt8](der)))
        guard var certificate = outer.next(DERReader.Tag.sequence)?.reader,
            var body = certificate.next(DERReader.Tag.sequence)?.reader
        else { return nil }
        _ = body.next(DERReader.Tag.version)
        // Serial number, signature algorithm, issuer, validity, subject.
        for _ in 0..<5 where body.next() == nil { return nil }
        let before = body.rest
        guard body.next(DERReader.Tag.sequence) != nil else { return nil }
        return Data(before[..<body.rest.startIndex])
    }
}

extension DERReader {
    /// `CN=example.org, O=Example`, of a name by itself.
    static func distinguishedName(_ der: Data) -> String {
        var outer = DERReader(ArraySlice([UInt8](der)))
        return outer.next(Tag.sequence)?.distinguishedName ?? ""
    }
}

extension DERReader.Element {
    /// `CN=example.org, O=Example`
    fileprivate var distinguishedName: String {
        var parts: [String] = []
        var names = reader
        while let set = names.next(DERReader.Tag.set) {
            var attributes = set.reader
            while var attribute = attributes.next(DERReader.Tag.sequence)?.reader {
                guard let type = attribute.next(DERReader.Tag.objectIdentifier), let value = attribute.next() else { break }
                let identifier = type.objectIdentifier
                parts.append("\(Self.attributeNames[identifier] ?? identifier)=\(Self.escape(value.string))")
            }
        }
        return parts.joined(separator: ", ")
    }

    private static let attributeNames = [
        "2.5.4.3": "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "street",
        "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.15": "businessCategory", "2.5.4.17": "postalCode",
        "1.2.840.113549.1.9.1": "emailAddress", "0.9.2342.19200300.100.1.25": "DC", "0.9.2342.19200300.100.1.1": "UID",
    ]

    /// Escapes the value, so that one name can't be mistaken for two.
    private static func escape(_ value: String) -> String {
        value.escaping(",", "+", "\"", "\\", "<", ">", ";", "=")
    }

    /// `YYMMDDHHMMSSZ`, or with four digits of the year (RFC 5280, section 4.1.2.5).
    fileprivate var date: Date? {
        let digits = content.prefix { (0x30...0x39).contains($0) }.map { Int($0 - 0x30) }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        var year: Int
        let start: Int
        switch (tag, digits.count) {
        case (DERReader.Tag.utcTime, 12):
            year = number(0..<2)
            year += year < 50 ? 2000 : 1900
            start = 2
        case (DERReader.Tag.generalizedTime, 14):
            year = number(0..<4)
            start = 4
        default: return nil
        }
        let month = number(start..<start + 2)
        let day = number(start + 2..<start + 4)
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let seconds = number(start + 4..<start + 6) * 3600 + number(start + 6..<start + 8) * 60 + number(start + 8..<start + 10)
        return Date(timeIntervalSince1970: Double(Self.days(year, month, day) * 86_400 + seconds))
    }

    /// Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `RSA 2048`, `EC P-256`, `Ed25519`
    fileprivate var publicKey: String {
        var parts = reader
        guard var algorithm = parts.next(DERReader.Tag.sequence)?.reader,
            let identifier = algorithm.next(DERReader.Tag.objectIdentifier)?.objectIdentifier
        else { return "" }
        switch identifier {
        case "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10":
            // The key is inside the bit string, after the count of unused bits: modulus, exponent.
            guard let bits = parts.next(DERReader.Tag.bitString)?.content.dropFirst() else { return "RSA" }
            var outer = DERReader(bits)
            guard var key = outer.next(DERReader.Tag.sequence)?.reader, let modulus = key.next(DERReader.Tag.integer)?.content
            else { return "RSA" }
            let significant = modulus.drop { $0 == 0 }
            let bitCount = significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
            return "RSA \(bitCount)"
        case "1.2.840.10045.2.1":
            let curve = algorithm.next(DERReader.Tag.objectIdentifier)?.objectIdentifier ?? ""
            return "EC \(Self.curves[curve] ?? curve)"
        default:
            return Self.algorithms[identifier] ?? identifier
        }
    }

    private static let curves = [
        "1.2.840.10045.3.1.7": "P-256", "1.3.132.0.34": "P-384", "1.3.132.0.35": "P-521", "1.3.132.0.10": "secp256k1",
    ]

    fileprivate var algorithm: String {
        var parts = reader
        let identifier = parts.next(DERReader.Tag.objectIdentifier)?.objectIdentifier ?? ""
        return Self.algorithms[identifier] ?? identifier
    }

    private static let algorithms = [
        "1.2.840.113549.1.1.4": "RSA with MD5", "1.2.840.113549.1.1.5": "RSA with SHA-1",
        "1.2.840.113549.1.1.11": "RSA with SHA-256", "1.2.840.113549.1.1.12": "RSA with SHA-384",
        "1.2.840.113549.1.1.13": "RSA with SHA-512", "1.2.840.113549.1.1.10": "RSA-PSS",
        "1.2.840.10045.4.1": "ECDSA with SHA-1", "1.2.840.10045.4.3.2": "ECDSA with SHA-256",
        "1.2.840.10045.4.3.3": "ECDSA with SHA-384", "1.2.840.10045.4.3.4": "ECDSA with SHA-512",
        "1.3.101.112": "Ed25519", "1.3.101.113": "Ed448", "1.2.840.10040.4.1": "DSA",
    ]

    /// The subject's alternative names among the extensions (RFC 5280, section 4.2.1.6).
    fileprivate var alternativeNames: [String] {
        var outer = reader
        guard var extensions = outer.next(DERReader.Tag.sequence)?.reader else { return [] }
        while var entry = extensions.next(DERReader.Tag.sequence)?.reader {
            guard entry.next(DERReader.Tag.objectIdentifier)?.objectIdentifier == "2.5.29.17" else { continue }
            _ = entry.next(DERReader.Tag.boolean)
            guard var value = entry.next(DERReader.Tag.octetString)?.reader,
                var names = value.next(DERReader.Tag.sequence)?.reader
            else { return [] }
            var result: [String] = []
            while let name = names.next() {
                switch name.tag {
                case 0x81: result.append("email:\(name.string)")
                case 0x82: result.append("DNS:\(name.string)")
                case 0x86: result.append("URI:\(name.string)")
                case 0x87: result.append("IP:\(Self.address(Array(name.content)))")
                default: break
                }
            }
            return result
        }
        return []
    }

    private static func address(_ bytes: [UInt8]) -> String {
        switch bytes.count {
        case 4: bytes.map { String($0) }.joined(separator: ".")
        case 16: SocketAddress.text(ofIPv6: bytes)
        default: bytes.hexadecimal
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var hexadecimal: String {
        reduce(into: "") { result, byte in
            if byte < 16 { result.append("0") }
            result.append(String(byte, radix: 16))
        }
    }
}

/// Reads the distinguished encoding of ASN.1 (X.690), element by element; never beyond its bytes.
struct DERReader {
    struct Element {
        /// Class, constructed bit and number, in one byte; longer numbers don't occur in certificates.
        var tag: UInt8
        var content: ArraySlice<UInt8>

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
