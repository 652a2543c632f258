extension VariableScope {
    /// A text in JSON with its templates filled in; everything else stays as it stands.
    ///
    /// Inside quotes, `"{{qty}}"` alone becomes the variable's value with its type, and in `"no. {{qty}}"` the value is escaped.
    /// Outside of quotes, `{{qty}}` becomes the value; a text that is JSON is then taken for what it says.
    mutating func json(_ text: String, at location: SourceLocation?) throws(ResolutionError) -> String {
        guard Template.isIn(text) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\""), let end = JSONStringLiteral.end(in: bytes, at: position) {
                try append(literal: bytes[position..<end], isName: isName(bytes, end), to: &result, at: location)
                position = end
            } else if bytes[position] == UInt8(ascii: "{"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "{") {
                let rest = String(decoding: bytes[position...], as: UTF8.self)
                let inside = Substring(rest).utf8.dropFirst(2)
                guard let close = Template.close(in: inside) else {
                    // It says what is missing.
                    _ = try parse(rest, at: location)
                    return text
                }
                let length = rest.utf8.distance(from: rest.startIndex, to: close) + 2
                let value = try value(String(rest.utf8.prefix(length)) ?? "", at: location)
                result += Array(Self.bare(value).utf8)
                position += length
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func append(
        literal: ArraySlice<UInt8>, isName: Bool, to result: inout [UInt8], at location: SourceLocation?
    ) throws(ResolutionError) {
        guard let text = JSONStringLiteral.decode(literal), Template.isIn(text) else {
            result += literal
            return
        }
        let value = try value(text, at: location)
        result += Array((isName ? .string(value.plainText) : value).text(pretty: false).utf8)
    }

    private static func bare(_ value: JSONValue) -> String {
        if case .string(let text) = value, JSONParser.parse(text) != nil { return text }
        return value.text(pretty: false)
    }

    /// Whether a literal that ends here is a member's name.
    private func isName(_ bytes: [UInt8], _ end: Int) -> Bool {
        let next = bytes[end...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return next == UInt8(ascii: ":")
    }
}
