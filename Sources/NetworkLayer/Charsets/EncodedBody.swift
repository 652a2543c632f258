import Base

/// A body of ours as text, to look for what is secret in it by its name.
struct EncodedBody {
    private let data: Data
    /// The label of the encoding, in lower case; `nil` for UTF-8.
    private let charset: String?

    /// A value and whether it stands in quotes, or needs none.
    typealias Value = (range: Range<String.Index>, isText: Bool)

    /// In UTF-8, which is what templates are filled in in, if it can be that; and in the encoding that the type names, if it names one. What is
    /// neither, such as a form with a file in it, is read byte by byte: the signs around a value are ASCII.
    static func readings(of data: Data, type: String) -> [EncodedBody] {
        let isUTF8 = String(validating: data, as: UTF8.self) != nil
        var readings = isUTF8 ? [EncodedBody(data: data, charset: nil)] : []
        if let charset = CharsetDecoder.charset(contentType: type, start: data)
            ?? (isUTF8 || !Redaction.finds(inBodiesOf: type) ? nil : "windows-1252")
        {
            readings.append(EncodedBody(data: data, charset: charset))
        }
        // Bytes of ASCII are other characters behind an escape.
        return data.contains(0x1B) ? readings.reversed() : readings
    }

    var text: String {
        String(decoding: charset.flatMap { CharsetDecoder.utf8(data, in: $0) } ?? data, as: UTF8.self)
    }

    /// With masks in place of values; all else stays as it is, to the byte. `nil`: there are none.
    ///
    /// - Parameters:
    ///   - mask: `nil`: as a ``Redactor`` would write it.
    ///   - find: gives the values in ascending order.
    func masked(by mask: String? = nil, _ find: (Substring) -> [Value]) -> Data? {
        let bytes = Array(data)
        let name = charset.flatMap(WebEncodings.name)
        if let name, name.hasPrefix("utf-16") {
            let text = UTF16Text.marked(bytes) ?? UTF16Text(isLittleEndian: name != "utf-16be", start: 0)
            return Self.masked(bytes, in: text.utf8(bytes), find, mask ?? Redactor.mask) { ranges, masks in
                zip(text.sources(of: ranges, in: bytes), masks).map {
                    ($0, UTF16Text.bytes(of: $1, isLittleEndian: text.isLittleEndian))
                }
            }
        }
        guard let name else {
            return Self.masked(bytes, in: bytes, find, mask ?? Redactor.mask) { zip($0, $1).map { ($0, Array($1.utf8)) } }
        }
        let escaped = name == BodyCharsets.iso2022JP ? ISO2022JPText(bytes) : nil
        guard let text = CharacterText(escaped?.eucJP ?? bytes, in: escaped == nil ? name : "euc-jp") else { return nil }
        return Self.masked(bytes, in: text.utf8, find, mask ?? Redaction.keptMask) { ranges, masks in
            let ranges = text.sources(of: ranges)
            guard let escaped else { return zip(ranges, masks).map { ($0, Array($1.utf8)) } }
            return escaped.replacements(of: Array(zip(escaped.sources(of: ranges), masks.map { Array($0.utf8) })))
        }
    }

    private static func masked(
        _ bytes: [UInt8], in text: [UInt8], _ find: (Substring) -> [Value], _ mask: String,
        _ places: (_ ranges: [Range<Int>], _ masks: [String]) -> [(range: Range<Int>, mask: [UInt8])]
    ) -> Data? {
        let text = String(decoding: text, as: UTF8.self)
        let values = find(text[...])
        guard !values.isEmpty else { return nil }
        func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
        let ranges = values.map { offset($0.range.lowerBound)..<offset($0.range.upperBound) }
        return Data(SecretPlace.replaced(places(ranges, values.map { $0.isText ? mask : "\"\(mask)\"" }), in: bytes))
    }

    /// A value of a form.
    func percentDecoded(_ value: Substring) -> String {
        let bytes = URLCoding.percentDecodedBytes(value, preservesPluses: false)
        if let charset, String(validating: bytes, as: UTF8.self) == nil, let text = CharsetDecoder.utf8(Data(bytes), in: charset) {
            return String(decoding: text, as: UTF8.self)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A text in an encoding that has ASCII in it, read character by character, so that each is found again in the bytes.
private struct CharacterText {
    private let bytes: [UInt8]
    private let decoder: CharsetDecoder
    private let width: CharacterWidth?
    /// The UTF-8 form of each byte that is a character; U+FFFD stands for what means nothing.
    private let single: [[UInt8]]

    init?(_ bytes: [UInt8], in name: String) {
        guard let decoder = CharsetDecoder(name) else { return nil }
        self.bytes = bytes
        self.decoder = decoder
        width = CharacterWidth(WebEncodings.name(name) ?? name)
        single = (0...UInt8.max).map { $0 < 0x80 ? [$0] : Self.utf8([$0], decoder) }
    }

    /// An accent is a character of its own here.
    private static func utf8(_ character: ArraySlice<UInt8>, _ decoder: CharsetDecoder) -> [UInt8] {
        Array(decoder.utf8(Data(character)) + decoder.finish())
    }

    private func walk(_ body: (_ text: [UInt8], _ range: Range<Int>) -> Void) {
        var position = 0
        while position < bytes.count {
            let end = min(position + (width?.count(of: bytes, at: position) ?? 1), bytes.count)
            body(
                end == position + 1 ? single[Int(bytes[position])] : Self.utf8(bytes[position..<end], decoder), position..<end)
            position = end
        }
    }

    var utf8: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        walk { character, _ in text += character }
        return text
    }

    /// Where the characters of parts of ``utf8`` stand.
    ///
    /// - Parameter ranges: in ascending order.
    func sources(of ranges: [Range<Int>]) -> [Range<Int>] {
        var sources: [Range<Int>] = []
        var position = 0
        var first: Int?
        walk { character, range in
            position += character.count
            guard sources.count < ranges.count, ranges[sources.count].lowerBound < position else { return }
            let start = first ?? range.lowerBound
            first = start
            guard ranges[sources.count].upperBound <= position else { return }
            sources.append(start..<range.upperBound)
            first = nil
        }
        return sources
    }
}
