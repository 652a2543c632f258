#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body of ours as text, to look for what is secret in it by its name.
struct EncodedBody {
    let text: String
    /// The label of the encoding, in lower case; `nil` for UTF-8.
    private let charset: String?
    /// `FE FF` or `FF FE`.
    private let mark: Data

    /// In UTF-8, which is what templates are filled in in, if it can be that; and in the encoding that the type names, if it names one.
    static func readings(of data: Data, type: String) -> [EncodedBody] {
        var readings: [EncodedBody] = []
        let charset = CharsetDecoder.charset(contentType: type, start: data)
        if let text = String(validating: data, as: UTF8.self) {
            readings.append(EncodedBody(text: text, charset: nil, mark: Data()))
        }
        if let charset, let text = CharsetDecoder.utf8(data, in: charset) {
            let mark = [[0xFE, 0xFF], [0xFF, 0xFE]].contains { data.starts(with: $0) } ? data.prefix(2) : Data()
            readings.append(EncodedBody(text: String(decoding: text, as: UTF8.self), charset: charset, mark: mark))
        }
        // Bytes of ASCII are other characters behind an escape.
        return data.contains(0x1B) ? readings.reversed() : readings
    }

    /// Another text in the same encoding; in UTF-8 when it can't be written in it.
    func bytes(of text: String) -> Data {
        guard let charset, let name = WebEncodings.name(charset) else { return Data(text.utf8) }
        if name.hasPrefix("utf-16") {
            let isBigEndian = mark.isEmpty ? name == "utf-16be" : mark.first == 0xFE
            return mark + UTF16Text.bytes(of: text.drop { $0 == "\u{FEFF}" }, isLittleEndian: !isBigEndian)
        }
        return CharsetEncoder(name)?.bytes(of: text).map { Data($0) } ?? Data(text.utf8)
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
