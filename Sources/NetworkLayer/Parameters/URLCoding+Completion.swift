/// What makes a text a URL without changing what it says.
extension URLCoding {
    /// The text with everything encoded that can't stand in a URL (RFC 3986, section 2), and nothing encoded twice.
    ///
    /// `URL(string:)` repairs such a text by itself, but then encodes all of a part anew, `%20` in it to `%2520`: the server gets
    /// something else, and a secret is no longer known for one.
    ///
    ///     /echo?f[0]=a%20b    /echo?f%5B0%5D=a%20b
    ///     100%?q=a b          100%25?q=a%20b
    ///
    /// - Parameter text: a URL, or a reference relative to one. Its host stays as it is.
    package static func completed(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        let bytes = Array(text.utf8)
        let host = hostRange(in: text) ?? 0..<0
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isInFragment = false
        for (index, byte) in bytes.enumerated() {
            let isKept =
                switch byte {
                case _ where host.contains(index): true
                case UInt8(ascii: "%"): isTriplet(bytes, at: index)
                case UInt8(ascii: "#"): !isInFragment
                // Only the last one of them ends a name and a password.
                case UInt8(ascii: "@"): index + 1 >= host.lowerBound
                default: isPlain(byte)
                }
            isInFragment = isInFragment || byte == UInt8(ascii: "#")
            if isKept { result.append(byte) } else { result += percentEncoded(CollectionOfOne(byte)).utf8 }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with everything encoded that can't stand in a URL; what separates its parts stays, wherever it is, and so does what is
    /// encoded already.
    ///
    /// - Parameter host: where brackets are those of an address, in bytes.
    package static func encodedBetweenSeparators(_ text: String, host: Range<Int> = 0..<0) -> String {
        guard !text.utf8.allSatisfy({ isUnreserved($0) || isSeparator($0) }) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isBracket = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            if isTriplet(bytes, at: index) || isUnreserved(byte) || isSeparator(byte)
                || isBracket && host.contains(index)
            {
                result.append(byte)
            } else {
                result += percentEncoded(CollectionOfOne(byte)).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        endsAuthority(byte) || isSubDelimiter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
    }

    /// The same of a whole URL, or of its beginning.
    package static func encodedBetweenSeparators(url text: String) -> String {
        encodedBetweenSeparators(text, host: hostRange(in: text) ?? 0..<0)
    }

    /// As in `application/x-www-form-urlencoded`, where a space is a plus (WHATWG URL, section 5.2).
    package static func formEncoded(_ text: String) -> String {
        percentEncoded(text.utf8) { byte in
            byte != UInt8(ascii: "~") && isUnreserved(byte) || byte == UInt8(ascii: "*") || byte == UInt8(ascii: " ")
        }.replacing(scalars: " ", with: "+")
    }

    /// Where a URL has its host and port, in bytes; `nil` in a text without them.
    package static func hostRange(in text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: endsAuthority), bytes[first] == UInt8(ascii: "/"), first + 1 < bytes.count,
            bytes[first + 1] == UInt8(ascii: "/"), first == 0 || bytes[first - 1] == UInt8(ascii: ":")
        else { return nil }
        let start = first + 2
        let end = bytes[start...].firstIndex(where: endsAuthority) ?? bytes.count
        return (bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start)..<end
    }

    /// Whether a byte can't stand in a host and port, nor in a name and password before them.
    package static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether a byte may stand in every part of a URL but the host as it is. Not among them: `%`, `#` and `@`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || isSubDelimiter(byte) || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "?")
    }

    /// `!$&'()*+,;=` (RFC 3986, section 2.2).
    package static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: false
        }
    }

    /// Whether a byte is there in hexadecimal digits.
    package static func isTriplet(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%") && hexValue(bytes[index + 1]) != nil
            && hexValue(bytes[index + 2]) != nil
    }
}
