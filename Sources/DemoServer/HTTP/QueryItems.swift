/// The query of a URL or a form, in order, repetitions kept.
struct QueryItems: Hashable {
    var items: [Field]

    /// Reads `a=1&b=2`; `+` is a space, as in forms.
    init(parsing text: some StringProtocol) {
        items = text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(
                PercentEncoding.decode(parts[0], plusIsSpace: true),
                parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : "")
        }
    }

    subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }
}

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
    /// A `%` without two digits stays as it is.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                if rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                    bytes.append(value)
                    rest.removeFirst(2)
                } else {
                    bytes.append(byte)
                }
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
