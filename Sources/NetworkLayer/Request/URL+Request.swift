package import Base

extension URL {
    var lowercasedScheme: String? { scheme?.lowercased() }

    /// `nil` instead of an empty one.
    var lowercasedHost: String? {
        guard let host, !host.isEmpty else { return nil }
        return host.lowercased()
    }

    /// The port, or the scheme's own (RFC 9110, section 4.2).
    var effectivePort: Int {
        port ?? (lowercasedScheme == "https" ? 443 : 80)
    }

    /// What a limit for hosts counts as one: a name or address with its port, as curl has it.
    var slotHost: String { "\(lowercasedHost ?? ""):\(effectivePort)" }

    /// Whether a request can go there: http or https, a host, and a port that there can be.
    var isRequestable: Bool { requestComplaint == nil }

    /// Why no request can go there; `nil`: one can.
    package var requestComplaint: String? {
        guard let scheme, scheme.isHTTPScheme, let host, !host.isEmpty else { return "it needs http:// or https:// and a host" }
        if let port, !(0...65535).contains(port) { return "there is no port \(port); the last is 65535" }
        if hasBrackets {
            let isAddress = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.allSatisfy(Self.isAddressByte)
            return isAddress ? nil : "[\(host)] is no address of IPv6"
        }
        return host.utf8.allSatisfy(Self.isHostByte) ? nil : "a host can't be named “\(host)”"
    }

    /// Whether the host stands in brackets, which ``host`` leaves out: then it must be an address of IPv6 (RFC 3986, section 3.2.2).
    private var hasBrackets: Bool {
        let text = absoluteString.utf8
        guard text.contains(UInt8(ascii: "[")), let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text[colon...].dropFirst(3).prefix { !URLCoding.endsAuthority($0) }.contains(UInt8(ascii: "["))
    }

    /// Whether a byte may stand in an IPv6 address, the dots of one of IPv4 at its end and the name of a zone included.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isHostByte(byte) || byte == UInt8(ascii: "%")
    }

    /// Whether a byte may stand in a host, decoded: letters, digits, the marks of names, `:` of IPv6, and what lies beyond ASCII.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }
}

extension String {
    fileprivate var isHTTPScheme: Bool {
        switch self {
        case "http", "https": true
        default: lowercased() == "http" || lowercased() == "https"
        }
    }
}
