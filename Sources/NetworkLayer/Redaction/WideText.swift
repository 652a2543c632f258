#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A text in UTF-16: by its byte order mark or, as in JSON, by the zero in its first character.
struct WideText {
    /// The text, including the byte order mark.
    let text: String
    private let isLittleEndian: Bool
    /// The first half of a character that was cut off.
    private let rest: Data

    init?(_ data: Data) {
        guard data.count > 1 else { return nil }
        switch (data[data.startIndex], data[data.startIndex + 1]) {
        case (0xFF, 0xFE), (1..., 0): isLittleEndian = true
        case (0xFE, 0xFF), (0, 1...): isLittleEndian = false
        default: return nil
        }
        let bytes = Array(data)
        let (low, high) = isLittleEndian ? (0, 1) : (1, 0)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low]) }
        text = String(decoding: units, as: UTF16.self)
        rest = data.suffix(bytes.count % 2)
    }

    /// Encodes another text in the same way.
    func encoded(_ text: String) -> Data {
        Data(text.utf16.flatMap { isLittleEndian ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) + rest
    }
}
