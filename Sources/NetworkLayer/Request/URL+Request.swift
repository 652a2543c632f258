import FoundationEssentials

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

    /// Whether a request can go there: http or https, and a host.
    var isRequestable: Bool {
        guard let scheme, scheme.isHTTPScheme, let host, !host.isEmpty else { return false }
        return host.utf8.allSatisfy(Self.isHostByte)
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
