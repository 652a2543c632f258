extension VariableScope {
    /// A text in JSON with its templates filled in; everything else stays as it stands.
    ///
    /// Inside quotes, `"{{qty}}"` alone becomes the variable's value with its type, and in `"no. {{qty}}"` the value is escaped.
    /// Outside of quotes, `{{qty}}` becomes the value; a text that is JSON is then taken for what it says.
    mutating func json(_ text: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledText {
        guard Template.isIn(text) else { return LabelledText(text) }
        let bytes = Array(text.utf8)
        var result = LabelledText()
        // What stands between the templates.
        var plain: [UInt8] = []
        func flush() {
            result += String(decoding: plain, as: UTF8.self)
            plain = []
        }
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\""), let end = JSONStringLiteral.end(in: bytes, at: position) {
                if let value = try filled(literal: bytes[position..<end], isName: isName(bytes, end), at: location) {
                    flush()
                    result += value
                } else {
                    plain += bytes[position..<end]
                }
                position = end
            } else if bytes[position] == UInt8(ascii: "{"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "{") {
                let rest = String(decoding: bytes[position...], as: UTF8.self)
                let inside = Substring(rest).utf8.dropFirst(2)
                guard let close = Template.close(in: inside) else {
                    // Its error says what is missing.
                    _ = try parse(rest, at: location)
                    return LabelledText(text)
                }
                let length = rest.utf8.distance(from: rest.startIndex, to: close) + 2
                let value = try value(String(rest.utf8.prefix(length)) ?? "", at: location)
                flush()
                result += bare(value)
                position += length
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        flush()
        return result
    }

    /// - Returns: `nil` for a literal without a template, which stays as it is written.
    private mutating func filled(
        literal: ArraySlice<UInt8>, isName: Bool, at location: SourceLocation?
    ) throws(ResolutionError) -> LabelledText? {
        guard let text = JSONStringLiteral.decode(literal), Template.isIn(text) else { return nil }
        let value = try value(text, at: location)
        return isName ? LabelledValue(value.text).json : value.json
    }

    private func bare(_ value: LabelledValue) -> LabelledText {
        if case .string(let text) = value.value, sources.mode.isPlaceholder(text) || JSONParser.parse(text) != nil {
            return value.text
        }
        return value.json
    }

    /// Whether a literal that ends here is a member's name.
    private func isName(_ bytes: [UInt8], _ end: Int) -> Bool {
        let next = bytes[end...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return next == UInt8(ascii: ":")
    }
}

extension JSONValue {
    /// The texts and numbers in it, which each by itself may be a secret.
    package var leafTexts: [String] {
        switch self {
        case .null, .boolean: []
        case .array(let values): values.flatMap(\.leafTexts)
        case .object(let members): members.flatMap(\.value.leafTexts)
        case .string, .number: [plainText].filter { !$0.isEmpty }
        }
    }

    /// As it stands inside a longer text.
    package var plainText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: text(pretty: false)
        }
    }
}
