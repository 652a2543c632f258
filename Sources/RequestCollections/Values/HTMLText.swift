/// Texts of HTML.
enum HTMLText {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®", "trade": "™",
        "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "deg": "°", "plusmn": "±", "times": "×", "middot": "·",
        "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«",
        "raquo": "»", "bull": "•", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    ]

    /// Without its `&amp;`, `&#39;` and `&#x26;`; what isn't known stays.
    static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(32).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
            let end = rest.dropFirst(1 + name.count)
            if let found = character(name), end.first == ";" || name.hasPrefix("#") {
                result += found
                rest = end.first == ";" ? end.dropFirst() : end
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return names[String(name)] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10), number > 0 else {
            return nil
        }
        return Unicode.Scalar(number).map { String(Character($0)) } ?? "\u{FFFD}"
    }
}
