/// In what else than UTF-8 the bytes of a body may be text, so that whoever looks for something in them looks for it in these, too.
///
/// A server chooses both the bytes and what it says of them, so all of it counts: what `Content-Type` says, what the first bytes of HTML
/// and XML say, what the parts of a multipart body say, what a form says in `_charset_`, and what the bytes look like.
struct BodyCharsets {
    /// The system's names of encodings that have ASCII in them, ISO-2022-JP among them.
    private(set) var names: [String] = []
    private(set) var utf16: Set<UTF16Text>
    /// The one that `Content-Type` names, in which the body is read; `nil` for UTF-16, which is read by code of ours.
    private(set) var named: String?

    static let iso2022JP = "iso-2022-jp"

    /// Whether it can only be UTF-8, as nearly always.
    var isEmpty: Bool { names.isEmpty && utf16.isEmpty }

    /// - Parameter contentType: the field's value.
    init(_ bytes: [UInt8], contentType: String?) {
        utf16 = UTF16Text.readings(of: bytes)
        if let name = contentType.flatMap(WebEncodings.label).flatMap(WebEncodings.name) {
            switch name {
            case "utf-16": utf16.insert(UTF16Text(isLittleEndian: true, start: 0))
            case "utf-16be": utf16.insert(UTF16Text(isLittleEndian: false, start: 0))
            default:
                names.append(name)
                named = name
            }
        }
        // Several fields are one here, of which any may be the one that is read.
        let labels = contentType.map { Self.labels(in: Array($0.utf8)[...]) } ?? []
        for label in labels + Self.labels(in: bytes, contentType) {
            // What says so in ASCII is no UTF-16.
            guard let name = WebEncodings.name(label), !name.hasPrefix("utf-16"), !names.contains(name) else { continue }
            names.append(name)
            if names.count > Self.most { break }
        }
    }

    /// With the encodings in which another body may be text; the one that is named stays.
    func adding(_ body: [UInt8], contentType: String?) -> BodyCharsets {
        var charsets = self
        charsets.names += BodyCharsets(body, contentType: contentType).names.filter { !names.contains($0) }
        return charsets
    }

    /// No honest body has more.
    static let most = 8

    /// What the body says itself.
    private static func labels(in bytes: [UInt8], _ contentType: String?) -> [String] {
        let essence = contentType.map { ContentType($0).essence } ?? ""
        if essence.hasPrefix("multipart/") || essence == ContentType.urlEncodedForm.essence { return labels(in: bytes[...]) }
        let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
        let first = bytes.first { !isBlank($0) && !mark.contains($0) }
        let isMarkup = essence.isEmpty ? first == UInt8(ascii: "<") : essence.hasSuffix("html") || essence.hasSuffix("xml")
        // HTML has it in its first 1,024 bytes, and XML at its beginning.
        return isMarkup ? labels(in: bytes.prefix(1024)) : []
    }

    /// `charset=` of a field or of HTML, `encoding=` of XML, `_charset_=` of a form, and the part `name="_charset_"` of a form in parts.
    private static func labels(in bytes: ArraySlice<UInt8>) -> [String] {
        var labels: [String] = []
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while let equals = buffer.firstIndex(of: UInt8(ascii: "="), from: position) {
                position = equals + 1
                var end = equals
                while end > 0, equals - end < 8, isBlank(buffer[end - 1]) { end -= 1 }
                // Nearly all that is equal to something is none of these.
                guard end > 0, "tgTG_e".utf8.contains(buffer[end - 1]) else { continue }
                let name = buffer[max(0, end - 12)..<end].reversed()
                var rest = buffer[position...]
                if rest.starts(with: charsetPart.utf8) {
                    rest = rest.dropFirst(charsetPart.utf8.count)
                } else if !names.contains(where: { name.map { $0 | 0x20 }.starts(with: $0.utf8.reversed().map { $0 | 0x20 }) }) {
                    continue
                }
                let label = rest.drop { isBlank($0) || "\"'".utf8.contains($0) }.prefix(40).prefix(while: isOfLabel)
                let text = String(decoding: label, as: UTF8.self).lowercased()
                if WebEncodings.name(text) != nil, !labels.contains(text) { labels.append(text) }
            }
        }
        return labels
    }

    private static let charsetPart = "\"_charset_\""
    private static let names = ["charset", "encoding", "_charset_"]

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-_:.".utf8.contains(byte)
        }
    }
}
