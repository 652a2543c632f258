package import Base

/// Bodies with masks in place of values that are secret by their names: of forms, JSON and forms in parts.
extension Redaction {
    /// A value in a text: between its quotes, or a number.
    package struct NamedRange<Index: Comparable> {
        package var name: String
        package var range: Range<Index>
        /// Whether it stands in quotes, or needs none.
        package var isText: Bool
    }

    /// The body with a ``Redactor``'s masks; all else stays as it came, to the byte. One in another encoding than UTF-8 becomes UTF-8 with a
    /// byte order mark when something is masked in it.
    package func bytes(_ data: Data, type: String?) -> Data { bytes(data, type: type, mask: Redactor.mask) }

    func bytes(_ data: Data, type: String?, mask: String) -> Data {
        guard let type, !names.isEmpty, Self.finds(inBodiesOf: type) else { return data }
        let text = CharsetDecoder.utf8(data, contentType: type)
        let bytes = Array(text ?? data)
        let secrets = secrets(in: bytes, type: type)
        guard !secrets.isEmpty else { return data }
        var masked: [UInt8] = []
        var position = 0
        for secret in secrets {
            masked += bytes[position..<secret.range.lowerBound]
            masked += (secret.isText ? mask : "\"\(mask)\"").utf8
            position = secret.range.upperBound
        }
        masked += bytes[position...]
        return text == nil ? Data(masked) : CharsetDecoder.marked(masked)
    }

    /// Whether anything is secret by its name in bodies of such a type.
    private static func finds(inBodiesOf type: String) -> Bool {
        let type = type.lowercased()
        return ["form-urlencoded", "json", "multipart/form-data"].contains { type.contains($0) }
    }

    /// Where values that are secret by their names stand, in ascending order.
    func secrets(in bytes: [UInt8], type: String) -> [NamedRange<Int>] {
        let type = type.lowercased()
        if type.contains("json") { return secrets(inJSON: bytes) }
        let ranges = type.contains("form-urlencoded") ? secrets(inForm: bytes) : secrets(inMultipart: bytes)
        return ranges.map { NamedRange(name: "", range: $0, isText: true) }
    }

    /// Where values that are secret by their names stand in `a=b&c=d`.
    package func secrets<Bytes: BidirectionalCollection<UInt8>>(inForm bytes: Bytes) -> [Range<Bytes.Index>] {
        bytes.split(separator: UInt8(ascii: "&")).compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = pair[equals...].dropFirst()
            guard !value.isEmpty, redacts(parameter: String(decoding: pair[..<equals], as: UTF8.self)) else { return nil }
            return value.startIndex..<value.endIndex
        }
    }

    /// Where values that are secret by their names stand in JSON, also in JSON that isn't whole.
    package func secrets<Bytes: BidirectionalCollection<UInt8>>(inJSON bytes: Bytes) -> [NamedRange<Bytes.Index>] {
        guard !names.isEmpty else { return [] }
        var ranges: [NamedRange<Bytes.Index>] = []
        var reader = JSONStringReader(bytes)
        while let range = reader.nextString() {
            guard reader.skip(UInt8(ascii: ":")) else { continue }
            let name = String(decoding: bytes[range], as: UTF8.self)
            guard redacts(parameter: name), let value = reader.scalar(), !value.range.isEmpty else { continue }
            if value.isText || !["null", "true", "false"].contains(where: { bytes[value.range].elementsEqual($0.utf8) }) {
                ranges.append(NamedRange(name: name, range: value.range, isText: value.isText))
            }
        }
        return ranges
    }

    /// The contents of parts that are no files (RFC 7578).
    private func secrets(inMultipart bytes: [UInt8]) -> [Range<Int>] {
        // It begins with the line that stands between the parts.
        guard !names.isEmpty, let line = bytes.firstIndex(of: 0x0A) else { return [] }
        let boundary = bytes[..<line].filter { $0 != 0x0D }
        guard boundary.starts(with: "--".utf8) else { return [] }
        return bytes.withUnsafeBufferPointer { bytes in
            var ranges: [Range<Int>] = []
            var start: Int? = boundary.count
            while let partStart = start {
                // A part that isn't whole ends with the body.
                let end = bytes.firstPlace(of: Array("\r\n".utf8) + boundary, from: partStart)
                start = end.map { $0 + 2 + boundary.count }
                let part = UnsafeBufferPointer(rebasing: bytes[partStart..<(end ?? bytes.count)])
                guard let head = part.firstPlace(of: Array("\r\n\r\n".utf8)) else { continue }
                let lines = String(decoding: part[..<head], as: UTF8.self)
                guard !"filename=".isIn(lines), let name = lines.firstRange(ofScalars: "; name=\"") else { continue }
                let named = lines.utf8[name.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
                guard redacts(parameter: String(Substring(named))), head + 4 < part.count else { continue }
                ranges.append(partStart + head + 4..<partStart + part.count)
            }
            return ranges
        }
    }
}

/// Goes from string to string.
private struct JSONStringReader<Bytes: BidirectionalCollection<UInt8>> {
    private let bytes: Bytes
    private var index: Bytes.Index

    init(_ bytes: Bytes) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The inside of the next one.
    mutating func nextString() -> Range<Bytes.Index>? {
        guard let quote = bytes[index...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        index = quote
        return string()
    }

    /// From the quote at which it stands.
    private mutating func string() -> Range<Bytes.Index> {
        let start = bytes.index(after: index)
        var end = start
        while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\"") {
            let isEscape = bytes[end] == UInt8(ascii: "\\")
            bytes.formIndex(after: &end)
            if isEscape, end < bytes.endIndex { bytes.formIndex(after: &end) }
        }
        index = end < bytes.endIndex ? bytes.index(after: end) : end
        return start..<end
    }

    /// Over blanks.
    ///
    /// - Returns: whether it was there.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        bytes.formIndex(after: &index)
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.endIndex, " \t\r\n".utf8.contains(bytes[index]) { bytes.formIndex(after: &index) }
    }

    /// A string or a word; `nil` for an object or a list.
    mutating func scalar() -> (range: Range<Bytes.Index>, isText: Bool)? {
        skipBlanks()
        guard index < bytes.endIndex, bytes[index] != UInt8(ascii: "{"), bytes[index] != UInt8(ascii: "[") else { return nil }
        if bytes[index] == UInt8(ascii: "\"") { return (string(), true) }
        let start = index
        while index < bytes.endIndex, !",]} \t\r\n".utf8.contains(bytes[index]) { bytes.formIndex(after: &index) }
        return (start..<index, false)
    }
}
