import NetworkLayer

/// The escapes and encodings of Hurl's texts (https://hurl.dev/docs/grammar.html).
enum HurlText {
    /// A value as it stands behind a colon: without the comment at its end, and with its escapes resolved.
    static func value(_ text: some StringProtocol) -> String {
        let scalars = Array(text.unicodeScalars)
        var end = 0
        while end < scalars.count, scalars[end] != "#" { end += scalars[end] == "\\" ? 2 : 1 }
        return unescaped(string(scalars[..<min(end, scalars.count)]).trimmingSpace)
    }

    /// `\n`, `\u{1f600}`; a character that needs no escape is itself.
    static func unescaped(_ text: String) -> String {
        guard text.unicodeScalars.contains("\\") else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let next = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "b": result.append("\u{8}")
            case "f": result.append("\u{C}")
            case "u":
                guard rest.first == "{", let close = rest.firstIndex(of: "}"),
                    let code = UInt32(String(rest[rest.index(after: rest.startIndex)..<close]), radix: 16),
                    let named = Unicode.Scalar(code)
                else {
                    result.append(contentsOf: "\\u".unicodeScalars)
                    continue
                }
                result.append(named)
                rest = rest[rest.index(after: close)...]
            default: result.append(next)
            }
        }
        return String(result)
    }

    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// `nil` unless these are pairs of hexadecimal digits.
    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8.filter { $0 > 0x20 })
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = digits[index...index + 1]
            guard !pair.contains(UInt8(ascii: "+")), !pair.contains(UInt8(ascii: "-")),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
