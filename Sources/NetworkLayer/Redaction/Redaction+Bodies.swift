package import Base

/// Bodies with masks in place of values that are secret by their names.
extension Redaction {
    /// A form, JSON or a form in parts, as its type says; any other text as it is.
    package func body(_ text: String, type: String) -> [Part] {
        Self.parts(
            text,
            masking: secrets(in: text[...], type: type).map { ($0.range, $0.isText ? Redactor.mask : "\"\(Redactor.mask)\"") })
    }

    /// The same in whatever encoding the body is; all else of it stays as it came, to the byte. The masks are a ``Redactor``'s.
    package func bytes(_ data: Data, type: String?) -> Data {
        guard let type, !names.isEmpty else { return data }
        let readings = EncodedBody.readings(of: data, type: type)
        return readings.lazy.compactMap { $0.masked { secrets(in: $0, type: type) } }.first ?? data
    }

    /// Whether anything is secret by its name in bodies of such a type.
    static func finds(inBodiesOf type: String) -> Bool {
        let type = type.lowercased()
        return ["form-urlencoded", "json", "multipart/form-data"].contains { type.contains($0) }
    }

    /// Where values that are secret by their names stand, in ascending order.
    func secrets(in text: Substring, type: String) -> [EncodedBody.Value] {
        let type = type.lowercased()
        if type.contains("form-urlencoded") { return secrets(inForm: text).map { ($0, true) } }
        if type.contains("json") { return secrets(inJSON: text).map { ($0.range, $0.isText) } }
        return type.contains("multipart/form-data") ? secrets(inMultipart: text).map { ($0, true) } : []
    }

    private static func parts(_ text: String, masking ranges: [(range: Range<String.Index>, mask: String)]) -> [Part] {
        var parts: [Part] = []
        var position = text.startIndex
        for (range, mask) in ranges {
            parts.append(Part(text: String(text[position..<range.lowerBound]), isSecret: false))
            parts.append(Part(text: mask, isSecret: true))
            position = range.upperBound
        }
        parts.append(Part(text: String(text[position...]), isSecret: false))
        return parts.filter { !$0.text.isEmpty }
    }

    /// A value in JSON: between its quotes, or a number.
    package struct NamedRange: Sendable, Hashable {
        package var name: String
        package var range: Range<String.Index>
        package var isText: Bool
    }

    /// Where values that are secret by their names stand in JSON, also in JSON that isn't whole.
    package func secrets(inJSON text: Substring) -> [NamedRange] {
        guard !names.isEmpty else { return [] }
        var ranges: [NamedRange] = []
        var reader = JSONStringReader(text.utf8)
        while let name = reader.nextString() {
            guard reader.skip(UInt8(ascii: ":")), redacts(parameter: String(text[name])) else { continue }
            guard let (range, isText) = reader.scalar(), !range.isEmpty else { continue }
            if isText || !["null", "true", "false"].contains(text[range]) {
                ranges.append(NamedRange(name: String(text[name]), range: range, isText: isText))
            }
        }
        return ranges
    }

    /// The contents of parts that are no files (RFC 7578).
    package func secrets(inMultipart text: Substring) -> [Range<String.Index>] {
        guard !names.isEmpty, let line = text.utf8.firstIndex(of: 0x0A) else { return [] }
        // It begins with the line that stands between the parts.
        let boundary = text[..<line].unicodeScalars.filter { $0 != "\r" }
        guard boundary.starts(with: "--".unicodeScalars) else { return [] }
        var ranges: [Range<String.Index>] = []
        var rest = text.utf8[...]
        while let start = rest.firstRange(of: String(String.UnicodeScalarView(boundary)).utf8) {
            rest = rest[start.upperBound...]
            guard let head = rest.firstRange(of: "\r\n\r\n".utf8),
                let end = rest[head.upperBound...].firstRange(of: "\r\n--".utf8)
            else { continue }
            let lines = text[rest.startIndex..<head.lowerBound]
            guard let name = lines.utf8.firstRange(of: "; name=\"".utf8), lines.utf8.firstRange(of: "filename=".utf8) == nil else {
                continue
            }
            let named = text[name.upperBound..<head.lowerBound].unicodeScalars.prefix { $0 != "\"" }
            let content = head.upperBound..<end.lowerBound
            if redacts(parameter: String(Substring(named))), !content.isEmpty { ranges.append(content) }
        }
        return ranges
    }
}

/// Goes from string to string.
private struct JSONStringReader {
    private let text: Substring.UTF8View
    private var index: Substring.UTF8View.Index

    init(_ text: Substring.UTF8View) {
        self.text = text
        index = text.startIndex
    }

    /// The inside of the next one.
    mutating func nextString() -> Range<String.Index>? {
        guard let quote = text[index...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        index = quote
        return string()
    }

    /// From the quote at which it stands.
    private mutating func string() -> Range<String.Index> {
        let start = text.index(after: index)
        var end = start
        while end < text.endIndex, text[end] != UInt8(ascii: "\"") {
            let isEscape = text[end] == UInt8(ascii: "\\")
            text.formIndex(after: &end)
            if isEscape, end < text.endIndex { text.formIndex(after: &end) }
        }
        index = end < text.endIndex ? text.index(after: end) : end
        return start..<end
    }

    /// Over blanks.
    ///
    /// - Returns: whether it was there.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < text.endIndex, text[index] == byte else { return false }
        text.formIndex(after: &index)
        return true
    }

    private mutating func skipBlanks() {
        while index < text.endIndex, " \t\r\n".utf8.contains(text[index]) { text.formIndex(after: &index) }
    }

    /// A string or a word; `nil` for an object or a list.
    mutating func scalar() -> (range: Range<String.Index>, isText: Bool)? {
        skipBlanks()
        guard index < text.endIndex, text[index] != UInt8(ascii: "{"), text[index] != UInt8(ascii: "[") else { return nil }
        if text[index] == UInt8(ascii: "\"") { return (string(), true) }
        let start = index
        while index < text.endIndex, !",]} \t\r\n".utf8.contains(text[index]) { text.formIndex(after: &index) }
        return (start..<index, false)
    }
}
