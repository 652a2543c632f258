package import Base
internal import CLibidn2
import HTTPTypes

extension Request {
    /// Whether it can be sent (REQ-5): codes 101 to 103, each with the part that is wrong.
    public func validate() throws(NetworkError) {
        if let error = validationError { throw error }
    }

    var validationError: NetworkError? {
        if let complaint = url.requestComplaint {
            return url.refusal
                ?? NetworkError(
                    .invalidURL, phase: .preparation, type: "url.invalid",
                    message: "\"\(url.absoluteString)\" can't be requested: \(complaint).")
        }
        if !method.rawValue.isToken {
            return NetworkError(
                .invalidMethod, phase: .preparation, type: "http.request.method.invalid",
                message: "\"\(method.rawValue)\" is no method: letters, digits and !#$%&'*+-.^_`|~ only (RFC 9110, section 9.1).")
        }
        // HTTPTypes makes such fields hard to build; a second look costs little next to a request that was split in two.
        for field in headers where !field.name.rawName.isToken || !field.isSafe {
            return NetworkError(
                .invalidRequest, phase: .preparation, type: "http.request.header.invalid",
                message: "The header \"\(field.name.rawName)\" can't be sent: no line breaks and no NUL in names and values.")
        }
        return headers.nameError
    }
}

extension Request {
    /// What is wrong with where its secrets would go: somebody has changed its URL since they were put there.
    var secretError: NetworkError? {
        // Nearly no request has any, and to find out an origin costs more than all other checks.
        guard !secrets.uses.isEmpty, let origin = Origin(url), let use = secrets.uses.first(where: { !$0.mayGo(to: origin) }) else {
            return nil
        }
        return NetworkError(
            .secretWithheld, phase: .preparation, type: ErrorType.secretWithheld,
            message: "The request goes to \(origin), and \(use.name) in \(use.part) is for "
                + "\(use.origins.map(\.description).joined(separator: ", ")) alone.")
    }
}

extension HTTPField {
    fileprivate var isSafe: Bool {
        withUnsafeBytesOfValue { bytes in bytes.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
    }
}

extension String {
    /// Whether it is a token in the sense of RFC 9110, section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}

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

/// Names of hosts beyond ASCII as they travel (IDNA 2008, with the mappings of UTS 46), by libidn2: the same as curl sends.
enum InternationalHost {
    /// Every label that needs it with `xn--` before it, in lower case: `BÜCHER.example` becomes `xn--bcher-kva.example`.
    ///
    /// - Returns: the name itself when it is ASCII, or can't be one of a host.
    static func ascii(_ name: String) -> String {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name }
        // Where the newer mapping refuses a name, the older one is tried, as curl does.
        for mapping in [IDN2_NONTRANSITIONAL, IDN2_TRANSITIONAL] {
            var converted: UnsafeMutablePointer<CChar>?
            let flags = Int32(bitPattern: IDN2_NFC_INPUT.rawValue | mapping.rawValue)
            guard idn2_to_ascii_8z(name, &converted, flags) == IDN2_OK.rawValue, let converted else { continue }
            defer { idn2_free(converted) }
            return String(cString: converted)
        }
        return name
    }
}

extension URL {
    /// A URL of a text that isn't ours: what a file, a person or a server wrote. Nothing of it is encoded twice, see
    /// ``URLCoding/completed(_:)``; its host may be beyond ASCII, which FoundationEssentials alone doesn't read.
    ///
    /// - Parameter base: for a text that is relative to another URL (RFC 3986, section 5).
    package init?(international text: String, relativeTo base: URL? = nil) {
        guard let url = URL(string: Self.withASCIIHost(URLCoding.completed(text)), relativeTo: base) else { return nil }
        self = url
    }

    private static func withASCIIHost(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }), let range = URLCoding.hostRange(in: text) else {
            return text
        }
        let host = bytes.dropFirst(range.lowerBound).prefix(range.count)
        // Its bytes may be written as percent and digits.
        guard host.first != UInt8(ascii: "["), host.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return text }
        let end = host.lastIndex(of: UInt8(ascii: ":")) ?? host.endIndex
        let name = URLCoding.percentDecoded(text[host.startIndex..<end])
        let ascii = InternationalHost.ascii(name)
        return ascii == name ? text : "\(text[..<host.startIndex])\(ascii)\(text[end...])"
    }
}
