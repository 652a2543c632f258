/// What the fields `Content-Length` of a head say together (RFC 9112, section 6.3, rule 5).
enum ContentLength: Equatable {
    case bytes(Int64)
    /// Not digits, beyond 63 bits, or several that differ.
    case invalid

    /// - Parameter value: digits, or a list of them that are all the same: what becomes of fields that somebody on the way
    ///   has joined.
    /// - Parameter before: what the fields before it said.
    init(_ value: String, after before: ContentLength? = nil) {
        var whole = before
        for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let one = Self.one(part)
            guard whole == nil || whole == one else {
                self = .invalid
                return
            }
            whole = one
        }
        self = whole ?? .invalid
    }

    private static func one(_ text: Substring.UTF8View) -> ContentLength {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let digits = text.drop(while: isSpace).prefix { !isSpace($0) }
        let rest = text[digits.endIndex...]
        guard rest.allSatisfy(isSpace), !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(Substring(digits))
        else { return .invalid }
        return .bytes(count)
    }
}
