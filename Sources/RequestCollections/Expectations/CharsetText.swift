package import FoundationEssentials
import NetworkLayer

#if canImport(Glibc)
    import Glibc
#endif

/// The text of a body that says with `charset` in which encoding it is.
package enum CharsetText {
    /// In UTF-8.
    static func utf8(_ body: Data, contentType: String?) -> Data { converted(body, contentType: contentType) ?? body }

    /// In UTF-8: a byte order mark decides, then `charset`; `nil` for what is UTF-8 already, or in an encoding that the system doesn't know.
    ///
    /// - Parameter contentType: the field's value.
    package static func converted(_ body: Data, contentType: String?) -> Data? {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return body.dropFirst(3) }
        let mark = body.starts(with: [0xFE, 0xFF]) || body.starts(with: [0xFF, 0xFE])
        let charset = mark ? "utf-16" : contentType.flatMap { ContentType($0).charset }?.filter { $0 != "'" }
        guard let charset, !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset) else { return nil }
        return converted(body, from: encoding(charset))
    }

    /// The text of bytes in an encoding; `nil` for one that the system doesn't know.
    static func text(_ bytes: Data, in charset: String) -> String? {
        let name = charset.lowercased()
        if ["utf-8", "utf8"].contains(name) { return String(decoding: bytes, as: UTF8.self) }
        return converted(bytes, from: encoding(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What browsers take a name for where the standard would have it otherwise (WHATWG Encoding, section 4.2).
    private static func encoding(_ charset: String) -> String {
        switch charset {
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1": "windows-1252"
        case "gb2312", "gbk", "gb_2312-80", "x-gbk": "gb18030"
        case "shift_jis", "sjis", "x-sjis": "cp932"
        case "ks_c_5601-1987", "euc-kr": "cp949"
        default: charset
        }
    }

    /// With U+FFFD for bytes that mean nothing; `nil` for an encoding that isn't known here.
    private static func converted(_ body: Data, from encoding: String) -> Data? {
        #if canImport(Glibc)
            // An empty name is the locale's encoding there, and no name at all.
            guard !encoding.isEmpty, let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else {
                return nil
            }
            defer { iconv_close(converter) }
            var result = Data()
            var input = Array(body).map { CChar(bitPattern: $0) }
            var output = [CChar](repeating: 0, count: 1 << 16)
            return input.withUnsafeMutableBufferPointer { input in
                var next = input.baseAddress
                var left = input.count
                while left > 0 {
                    let (status, code, written) = output.withUnsafeMutableBufferPointer { output in
                        var place = output.baseAddress
                        var room = output.count
                        let status = iconv(converter, &next, &left, &place, &room)
                        return (status, errno, output.count - room)
                    }
                    result.append(contentsOf: output[..<written].map { UInt8(bitPattern: $0) })
                    guard status == -1 else { continue }
                    switch code {
                    case E2BIG: continue
                    case EILSEQ:
                        result.append(contentsOf: "\u{FFFD}".utf8)
                        next = next?.advanced(by: 1)
                        left -= 1
                    default:
                        // A character that isn't complete.
                        result.append(contentsOf: "\u{FFFD}".utf8)
                        return result
                    }
                }
                return result
            }
        #else
            return nil
        #endif
    }
}
