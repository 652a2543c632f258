import Base
import NetworkLayer

/// A body with what it takes to read it: what it is, and how its bytes become characters.
struct BodyText {
    /// As they came.
    var sent: BodyBytes
    /// What is read: what was sent, or its UTF-8 form.
    var bytes: BodyBytes
    var kind: BodyKind
    /// The encoding it was sent in, if `bytes` are another form of it.
    var transcodedFrom: String?
    /// The place where the text begins, behind a byte order mark if there is one.
    var start: Int
}

extension BodyText {
    /// The byte order mark decides about the encoding, then `charset`, else it is UTF-8 (WHATWG Encoding, section 6).
    ///
    /// - Parameter isPartial: more of it is to come: a character that isn't complete is left out.
    init(_ sent: BodyBytes, contentType: String?, isPartial: Bool = false) {
        let media = contentType.map { ContentType($0) }
        let head = sent.prefix(1024)
        self.sent = sent
        if let (charset, text) = Self.utf8(sent, head, contentType: contentType, isPartial: isPartial) {
            (bytes, transcodedFrom) = (BodyBytes(text), charset)
        } else {
            (bytes, transcodedFrom) = (sent, nil)
        }
        let text = bytes.prefix(1024)
        start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let declared = media.flatMap({ BodyKind(mediaType: $0.essence) }) {
            kind = declared
        } else {
            kind = BodyKind(sniffing: text)
            if kind == .json { kind = Self.confirmed(bytes, start: start) }
        }
    }

    /// The UTF-8 form of what was sent in another encoding, and the name of that; `nil`: it is read as it came.
    private static func utf8(
        _ sent: BodyBytes, _ head: [UInt8], contentType: String?, isPartial: Bool
    ) -> (charset: String, text: Data)? {
        guard let charset = charset(head, contentType: contentType), let decoder = CharsetDecoder(charset) else { return nil }
        let name = WebEncodings.name(charset) ?? charset
        var text = sent.withBytes { bytes -> Data in
            guard let start = bytes.baseAddress else { return Data() }
            return decoder.utf8(Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none))
        }
        let isBigEndian = head.starts(with: [0xFE, 0xFF])
        if !isPartial { text.append(decoder.finish()) }
        return (name == "utf-16" ? isBigEndian ? "UTF-16BE" : "UTF-16LE" : charset.uppercased(), text)
    }

    /// The encoding of a body of which another form is read, and not what was sent.
    ///
    /// - Parameter head: its first bytes.
    static func charset(_ head: [UInt8], contentType: String?) -> String? {
        guard let charset = CharsetDecoder.charset(contentType: contentType, start: head) else { return nil }
        // No text of narrow characters has a zero byte: this is an image or a program.
        let isWide = WebEncodings.name(charset)?.hasPrefix("utf-16") == true
        return isWide || !head.contains(0) ? charset : nil
    }

    /// What begins like JSON may be a log line, or values one after another.
    private static func confirmed(_ bytes: BodyBytes, start: Int) -> BodyKind {
        var indexer = JSONIndexer(start: start, ends: LineEndCache(bytes))
        var sink = CheckpointSink()
        return bytes.withBytes { buffer in
            _ = indexer.advance(buffer, until: 1 << 16, into: &sink)
            guard let failure = indexer.failure, failure.offset < buffer.count else { return .json }
            let isBehindValue = failure.reason.hasPrefix("expected the end")
            return isBehindValue && (buffer[failure.offset] == 0x7B || buffer[failure.offset] == 0x5B) ? .jsonLines : .text
        }
    }
}
