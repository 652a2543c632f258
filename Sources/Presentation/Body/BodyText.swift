import FoundationEssentials
import NetworkLayer

/// A body with what it takes to read it: what it is, and how its bytes become characters.
struct BodyText {
    var bytes: BodyBytes
    var kind: BodyKind
    var encoding: BodyEncoding
    /// The encoding it was sent in, if `bytes` are another form of it.
    var transcodedFrom: String?
    /// The place where the text begins, behind a byte order mark if there is one.
    var start: Int
}

extension BodyText {
    /// The byte order mark decides about the encoding, then `charset`, else it is UTF-8 (WHATWG Encoding, section 6).
    init(_ sent: BodyBytes, contentType: String?) {
        let media = contentType.map { ContentType($0) }
        let head = sent.prefix(1024)
        // Single quotes mean nothing there, but some servers write them.
        let encoding = Self.sentEncoding(head, charset: media?.charset?.filter { $0 != "'" })
        var bytes = sent
        var transcodedFrom: String?
        if case .utf16(let isBigEndian) = encoding {
            bytes = BodyBytes(sent.withBytes { Self.utf8($0, isBigEndian: isBigEndian) })
            transcodedFrom = isBigEndian ? "UTF-16BE" : "UTF-16LE"
        }
        self.bytes = bytes
        self.transcodedFrom = transcodedFrom
        self.encoding = encoding == .latin1 ? .latin1 : .utf8
        let text = bytes.prefix(1024)
        start = text.starts(with: [0xEF, 0xBB, 0xBF]) && self.encoding == .utf8 ? 3 : 0
        if let declared = media.flatMap({ BodyKind(mediaType: $0.essence) }) {
            kind = declared
        } else {
            kind = BodyKind(sniffing: text)
            if kind == .json { kind = Self.confirmed(bytes, start: start) }
        }
    }

    private enum SentEncoding: Equatable {
        case utf8, latin1
        case utf16(isBigEndian: Bool)
    }

    private static func sentEncoding(_ head: [UInt8], charset: String?) -> SentEncoding {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if head.starts(with: [0xFE, 0xFF]) { return .utf16(isBigEndian: true) }
        if head.starts(with: [0xFF, 0xFE]) { return .utf16(isBigEndian: false) }
        switch charset {
        case "utf-16be": return .utf16(isBigEndian: true)
        case "utf-16le", "utf-16": return .utf16(isBigEndian: false)
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "us-ascii", "ascii", "iso-8859-15":
            return .latin1
        default: return .utf8
        }
    }

    private static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, isBigEndian: Bool) -> Data {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { (index: Int) -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var result = Data()
        result.reserveCapacity(bytes.count / 2)
        _ = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false) { result.append($0) }
        // Half a unit at the end is no character, and must be seen.
        if bytes.count % 2 == 1 { result.append(contentsOf: "\u{FFFD}".utf8) }
        return result
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
