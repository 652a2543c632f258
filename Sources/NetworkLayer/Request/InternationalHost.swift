package import Base
internal import CLibidn2

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
